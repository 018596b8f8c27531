// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks media for.

public import Domain
public import Views
public import Web

/// What `MediaEndpoint.claimUploads` is asked: whose the uploads are that came with a sign-up.
public struct UploadClaim: CallBody {
    public let ids: [MediaID]
    public let owner: AccountID

    public init(ids: [MediaID], owner: AccountID) { (self.ids, self.owner) = (ids, owner) }

    public init(_ parameters: Parameters) throws {
        guard let ids: [MediaID] = try parameters.ids("ids"), ids.count <= 16 else { throw Problem.badRequest("ids") }
        guard let owner: AccountID = try parameters.id("owner"), owner.rawValue > 0 else {
            throw Problem.badRequest("owner")
        }
        self.init(ids: ids, owner: owner)
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("ids", ids.map(\.description))
        json.member("owner", owner)
    }
}
