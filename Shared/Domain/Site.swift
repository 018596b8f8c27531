// SPDX-License-Identifier: Apache-2.0
// Where this Madang lives, as clients see it.

/// Makes the links under which stored files are shown.
public struct FileLinks: Sendable {
    /// For everybody, of a stored file by its name.
    public let open: @Sendable (String) -> String
    /// For those who see it now, and for some days.
    public let closed: @Sendable (String) -> String
    /// For everybody, of the cover of a book by its URL elsewhere.
    public let cover: @Sendable (String) -> String

    public init(
        open: @escaping @Sendable (String) -> String,
        closed: @escaping @Sendable (String) -> String,
        cover: @escaping @Sendable (String) -> String
    ) {
        self.open = open
        self.closed = closed
        self.cover = cover
    }
}

/// The public address and domain, from which every URL in an answer is built.
public struct Site: Sendable {
    /// The public domain with its port when that is not the scheme's own, such as `localhost:3000`.
    public let domain: String
    /// The public origin without a trailing slash, such as `http://localhost:3000`.
    public let origin: String
    /// Nil where no files are shown.
    public private(set) var files: FileLinks?

    public init(domain: String, origin: String) {
        self.domain = domain
        self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
    }

    /// - Parameter origin: nil for the usual one: `https`, but for this machine itself `http`.
    public init(domain: String, origin: String?) {
        let host = domain.split(separator: ":").first ?? ""
        let scheme = host == "localhost" || host == "127.0.0.1" ? "http" : "https"
        self.init(domain: domain, origin: origin ?? "\(scheme)://\(domain)")
    }

    /// The same place, whose files are shown under these links.
    public func showing(_ files: FileLinks) -> Site {
        var site = self
        site.files = files
        return site
    }

    /// The square picture of somebody, or everybody's.
    ///
    /// - Parameter file: the name of a stored file.
    public func avatar(_ file: String?) -> String {
        file.flatMap { files?.open($0) } ?? "\(origin)/assets/avatar.png"
    }

    /// The wide picture over a profile, or everybody's.
    ///
    /// - Parameter file: the name of a stored file.
    public func header(_ file: String?) -> String {
        file.flatMap { files?.open($0) } ?? "\(origin)/assets/header.png"
    }

    /// Where the cover of a book is shown, so that whoever looks at it asks nobody else; nil where no files are shown.
    ///
    /// - Parameter url: of the picture elsewhere.
    public func cover(_ url: String?) -> String? { url.flatMap { files?.cover($0) } }

    public func profile(_ username: Username) -> String { "\(origin)/@\(username)" }
    public func actor(_ username: Username) -> String { "\(origin)/users/\(username)" }
    public func post(_ id: PostID, by username: Username) -> String { "\(origin)/@\(username)/\(id)" }
    public func postURI(_ id: PostID, by username: Username) -> String { "\(origin)/users/\(username)/statuses/\(id)" }
    public func tag(_ name: String) -> String { "\(origin)/tags/\(name)" }
}
