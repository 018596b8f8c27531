// SPDX-License-Identifier: Apache-2.0
// Where this Madang lives, as clients see it.

/// Makes the links under which stored files are shown.
package struct FileLinks: Sendable {
    /// For everybody, of a stored file by its name.
    package let open: @Sendable (String) -> String
    /// For those who see it now, and for some days.
    package let closed: @Sendable (String) -> String
    /// For everybody, of the cover of a book by its URL elsewhere.
    package let cover: @Sendable (String) -> String

    package init(
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
package struct Site: Sendable {
    /// The public domain with its port when that is not the scheme's own, such as `localhost:3000`.
    package let domain: String
    /// The public origin without a trailing slash, such as `http://localhost:3000`.
    package let origin: String
    /// Nil where no files are shown.
    package private(set) var files: FileLinks?

    package init(domain: String, origin: String) {
        self.domain = domain
        self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
    }

    /// - Parameter origin: nil for the usual one: `https`, but for this machine itself `http`.
    package init(domain: String, origin: String?) {
        let host = domain.split(separator: ":").first ?? ""
        let scheme = host == "localhost" || host == "127.0.0.1" ? "http" : "https"
        self.init(domain: domain, origin: origin ?? "\(scheme)://\(domain)")
    }

    /// The same place, whose files are shown under these links.
    package func showing(_ files: FileLinks) -> Site {
        var site = self
        site.files = files
        return site
    }

    /// The square picture of somebody, or everybody's.
    ///
    /// - Parameter file: the name of a stored file.
    package func avatar(_ file: String?) -> String {
        file.flatMap { files?.open($0) } ?? "\(origin)/assets/avatar.png"
    }

    /// The wide picture over a profile, or everybody's.
    ///
    /// - Parameter file: the name of a stored file.
    package func header(_ file: String?) -> String {
        file.flatMap { files?.open($0) } ?? "\(origin)/assets/header.png"
    }

    /// Where the cover of a book is shown, so that whoever looks at it asks nobody else; nil where no files are shown.
    ///
    /// - Parameter url: of the picture elsewhere.
    package func cover(_ url: String?) -> String? { url.flatMap { files?.cover($0) } }

    package func profile(_ username: Username) -> String { "\(origin)/@\(username)" }
    package func actor(_ username: Username) -> String { "\(origin)/users/\(username)" }
    package func post(_ id: PostID, by username: Username) -> String { "\(origin)/@\(username)/\(id)" }
    package func postURI(_ id: PostID, by username: Username) -> String { "\(origin)/users/\(username)/statuses/\(id)" }
    package func tag(_ name: String) -> String { "\(origin)/tags/\(name)" }
}
