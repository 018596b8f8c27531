// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks posts for.

public import Domain
public import Views
public import Web

/// What `PostsCall.getStatistics` is answered: how much there is.
public struct Statistics: CallBody, Equatable {
    public var accounts = 0
    public var posts = 0
    /// Accounts that wrote in the last 30 days.
    public var activeMonth = 0

    public init(accounts: Int = 0, posts: Int = 0, activeMonth: Int = 0) {
        (self.accounts, self.posts, self.activeMonth) = (accounts, posts, activeMonth)
    }

    public init(_ parameters: Parameters) throws {
        guard let accounts = try parameters.integer("accounts"), let posts = try parameters.integer("posts"),
            let activeMonth = try parameters.integer("active_month")
        else { throw Problem.badRequest("accounts") }
        self.init(accounts: Int(accounts), posts: Int(posts), activeMonth: Int(activeMonth))
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("accounts", accounts)
        json.member("posts", posts)
        json.member("active_month", activeMonth)
    }
}

/// What `PostsCall.makeAccount` is asked: somebody has just signed up.
public struct NewAccount: CallBody {
    public let account: Principal.Account
    /// Uploads that came with the sign-up, to be the pictures of the profile.
    public var avatar: MediaID?
    public var header: MediaID?

    public init(_ account: Principal.Account) { self.account = account }

    public init(_ parameters: Parameters) throws {
        guard let id: AccountID = try parameters.id("id") else { throw Problem.badRequest("id") }
        guard let username = try parameters.string("username").flatMap({ Username($0) }) else {
            throw Problem.badRequest("username")
        }
        self.init(Principal.Account(id: id, username: username))
        avatar = try parameters.id("avatar")
        header = try parameters.id("header")
    }

    /// Reads the field `X-Madang-Registered` of an answer of auth's; nil for one that tells of no account.
    public init?(field: String?) {
        let parts = field?.split(separator: " ") ?? []
        guard parts.count == 2, let id = AccountID(parts[0]), let username = Username(parts[1]) else { return nil }
        self.init(Principal.Account(id: id, username: username))
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", account.id)
        json.member("username", account.username.text)
        if let avatar { json.member("avatar", avatar) }
        if let header { json.member("header", header) }
    }
}
