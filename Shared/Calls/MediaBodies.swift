// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks media for.

package import Domain
package import Views
package import Web

/// What `MediaEndpoint.claimUploads` is asked: whose the uploads are that came with a sign-up.
package struct UploadClaim: CallBody {
    package let ids: [MediaID]
    package let owner: AccountID

    package init(ids: [MediaID], owner: AccountID) { (self.ids, self.owner) = (ids, owner) }

    package init(_ parameters: Parameters) throws {
        guard let ids: [MediaID] = try parameters.ids("ids"), ids.count <= 16 else { throw Problem.badRequest("ids") }
        guard let owner: AccountID = try parameters.id("owner"), owner.rawValue > 0 else {
            throw Problem.badRequest("owner")
        }
        self.init(ids: ids, owner: owner)
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("ids", ids.map(\.description))
        json.member("owner", owner)
    }
}
