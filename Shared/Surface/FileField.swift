// SPDX-License-Identifier: Apache-2.0
// Fields of a form that may be files.

/// What a file will be, which decides the pictures that are cut from it.
public enum FilePurpose: String, Sendable, Hashable {
    case attachment, avatar, header
}

/// A field of a form that may be a picture: media takes it, and whoever the form is for gets the id of the upload.
public struct FileField: Sendable, Hashable, LosslessStringConvertible {
    public let name: String
    public let purpose: FilePurpose
    /// How many files it may be; of more than one the ids are a list.
    public let most: Int

    public init(_ name: String, _ purpose: FilePurpose, most: Int = 1) {
        (self.name, self.purpose, self.most) = (name, purpose, most)
    }

    /// Reads `name:purpose:most`.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let purpose = FilePurpose(rawValue: String(parts[1])),
            let most = Int(parts[2]), (1...16).contains(most)
        else { return nil }
        self.init(String(parts[0]), purpose, most: most)
    }

    public var description: String { "\(name):\(purpose.rawValue):\(most)" }

    /// Whether a part of a form belongs to it: `files`, `files[]` and `files[0]` are the same.
    public func isNamed(_ part: String) -> Bool { part == name || part.hasPrefix(name + "[") }
}
