// SPDX-License-Identifier: Apache-2.0
// What somebody wants their profile to be, checked.

import Domain
import Events
import FoundationEssentials
import Postgres
import Web

/// The changes of a profile: nil leaves a thing as it is.
struct ProfileDraft: Sendable {
    var displayName: String?
    var note: String?
    var fields: [ProfileField]?
    var locked: Bool?
    var bot: Bool?
    var discoverable: Bool?
    var visibility: Visibility?
    var sensitive: Bool?
    /// Empty for none.
    var language: String?
    var extras = Extras()
    /// Uploads that are to be the pictures.
    var pictures: [ProfilePicture: MediaID] = [:]
    /// Those of them that are not ready: the pictures stay as they are until then.
    var awaited: [ProfilePicture: MediaID] = [:]

    /// What stands in the column of that name; who asks for nothing changes nothing.
    struct Extras: Encodable, Sendable {
        var profile = ProfileExtras()
        var quotePolicy: String?
        var attributionDomains: [String]?

        enum CodingKeys: String, SnakeCased { case quotePolicy, attributionDomains }

        func encode(to encoder: any Encoder) throws {
            try profile.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(quotePolicy, forKey: .quotePolicy)
            try container.encodeIfPresent(attributionDomains, forKey: .attributionDomains)
        }

        var isEmpty: Bool { profile == ProfileExtras() && quotePolicy == nil && attributionDomains == nil }
    }

    init() {}

    init(_ parameters: Parameters, limits: Limits) throws {
        for picture in ProfilePicture.allCases {
            pictures[picture] = try picture.chosen(parameters)
        }
        displayName = try parameters.text("display_name", limit: limits.displayName)?.visibleLine
        note = try parameters.text("note", limit: limits.note)?.withoutControls
        fields = try ProfileDraft.fields(parameters, limits: limits)
        locked = try parameters.boolean("locked")
        bot = try parameters.boolean("bot")
        discoverable = try parameters.boolean("discoverable")
        extras.profile = ProfileExtras(
            indexable: try parameters.boolean("indexable"),
            hideCollections: try parameters.boolean("hide_collections"),
            showFavourites: try parameters.boolean("show_favourites"),
            nativeLanguages: try ProfileDraft.languages(parameters, "native_languages", limits: limits),
            targetLanguages: try ProfileDraft.languages(parameters, "target_languages", limits: limits),
            avatarDescription: try ProfilePicture.avatar.description(parameters, limit: limits.pictureDescription),
            headerDescription: try ProfilePicture.header.description(parameters, limit: limits.pictureDescription)
        )
        extras.attributionDomains = try ProfileDraft.domains(parameters, limits: limits)
        guard let source = try parameters.nested("source") else { return }
        if let policy = try source.string("quote_policy") {
            guard ["public", "followers", "nobody"].contains(policy) else {
                throw Problem.invalid("source[quote_policy]", "inclusion")
            }
            extras.quotePolicy = policy
        }
        if let privacy = try source.string("privacy") {
            guard let known = Visibility(rawValue: privacy), known != .direct else {
                throw Problem.invalid("source[privacy]", "inclusion")
            }
            visibility = known
        }
        sensitive = try source.boolean("sensitive")
        if let text = try source.string("language") {
            guard text.isEmpty || LanguageCode.isWellFormed(text) else {
                throw Problem.invalid("source[language]", "inclusion")
            }
            language = text
        }
    }

    var isEmpty: Bool {
        displayName == nil && note == nil && fields == nil && locked == nil && bot == nil && discoverable == nil
            && visibility == nil && sensitive == nil && language == nil && extras.isEmpty
            && pictures.isEmpty
    }

    var extrasJSON: JSONB? {
        get throws {
            guard !extras.isEmpty else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return JSONB(Array(try encoder.encode(extras)))
        }
    }

    /// Codes of languages, each once, in the order given; a list with nothing but an empty text, as a form sends it, is
    /// empty.
    private static func languages(_ parameters: Parameters, _ name: String, limits: Limits) throws -> [String]? {
        guard let given = try parameters.strings(name)?.filter({ !$0.isEmpty }) else { return nil }
        guard given.count <= limits.languages else { throw Problem.invalid(name, "too_many") }
        var codes: [String] = []
        for text in given {
            guard let code = LanguageCode(text)?.text else { throw Problem.invalid(name, "inclusion") }
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }

    /// Names of hosts, in lower case, each once.
    private static func domains(_ parameters: Parameters, limits: Limits) throws -> [String]? {
        let name = "attribution_domains"
        guard let given = try parameters.strings(name)?.filter({ !$0.isEmpty }) else { return nil }
        guard given.count <= limits.domains else { throw Problem.invalid(name, "too_many") }
        var domains: [String] = []
        for text in given {
            let domain = text.lowercased()
            let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
            let isHost =
                domain.utf8.count <= 253 && labels.count > 1
                && labels.allSatisfy { label in
                    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                        && label.unicodeScalars.allSatisfy {
                            $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
                        }
                }
            guard isHost else { throw Problem.invalid(name, "invalid") }
            if !domains.contains(domain) { domains.append(domain) }
        }
        return domains
    }

    var fieldsJSON: JSONB? {
        get throws {
            guard let fields else { return nil }
            return JSONB(Array(try JSONEncoder().encode(fields)))
        }
    }

    private static func fields(_ parameters: Parameters, limits: Limits) throws -> [ProfileField]? {
        guard let list = try parameters.list("fields_attributes") else { return nil }
        guard list.count <= limits.fields else { throw Problem.invalid("fields_attributes", "too_many") }
        return try list.compactMap { field in
            let name = try field.text("name", limit: limits.field)?.visibleLine ?? ""
            let value = try field.text("value", limit: limits.field)?.visibleLine ?? ""
            return name.isEmpty ? nil : ProfileField(name: name, value: value)
        }
    }
}

extension Parameters {
    /// A text of at most `limit` characters, without NUL, which no database keeps.
    func text(_ name: String, limit: Int) throws -> String? {
        guard let text = try string(name) else { return nil }
        guard !text.utf8.contains(0) else { throw Problem.invalid(name, "invalid") }
        // A scalar is what the limit is about: one character can be made of any number of them.
        guard text.unicodeScalars.count <= limit else { throw Problem.invalid(name, "too_long") }
        return text
    }
}
