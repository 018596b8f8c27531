// SPDX-License-Identifier: Apache-2.0
// The language of a page and where it leads: what every page carries along.

public import Domain
public import Web

public struct PageRequest: Sendable {
    public let parameters: Parameters
    public let language: Language
    /// A path of this place; nil when none was given or it leads elsewhere.
    public let returnTo: String?
    /// Whether the person chose the language by hand.
    private let isChosen: Bool

    public init(_ request: Request) throws {
        parameters = try request.parameters()
        let asked = (try? parameters.string("lang")).flatMap { PageRequest.language($0) }
        language = asked ?? request.language
        isChosen = asked != nil
        returnTo = (try? parameters.string("return_to")).flatMap { PageRequest.isLocal($0) ? $0 : nil }
    }

    /// The language that `lang` names.
    public static func language(_ text: String?) -> Language? {
        text.flatMap { Language(rawValue: $0.prefix(2).lowercased()) }
    }

    /// Whether a text is a path here, whatever a browser makes of it.
    public static func isLocal(_ path: String) -> Bool {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 8192 else { return false }
        return path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }

    /// What the links of a page carry along.
    public var query: [(name: String, value: String)] { returnTo.map { [("return_to", $0)] } ?? [] }

    /// With the language.
    public var queryWithLanguage: [(name: String, value: String)] { query + [("lang", language.rawValue)] }

    /// The language alone, if the person chose it by hand: for links between pages that others may keep.
    public var chosenLanguage: [(name: String, value: String)] { isChosen ? [("lang", language.rawValue)] : [] }
}
