// SPDX-License-Identifier: Apache-2.0
// The languages in which Madang speaks to people.

/// A language of pages, problems and mails.
public enum Language: String, Codable, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"
    case japanese = "ja"

    /// The best match for an `Accept-Language` value (RFC 9110, section 12.5.4).
    ///
    /// - Parameter otherwise: when none matches.
    public init(acceptLanguage: String?, otherwise: Language = .english) {
        var best: (language: Language, quality: Double)?
        for item in (acceptLanguage ?? "").prefix(512).split(separator: ",") {
            let parts = item.split(separator: ";")
            guard let tag = parts.first?.drop(while: { $0 == " " }).prefix(2).lowercased(),
                let language = Language(rawValue: tag)
            else { continue }
            var quality = 1.0
            for part in parts.dropFirst() {
                let trimmed = part.drop(while: { $0 == " " })
                if trimmed.hasPrefix("q=") { quality = Double(trimmed.dropFirst(2)) ?? 0 }
            }
            if quality > 0, quality > (best?.quality ?? 0) { best = (language, quality) }
        }
        self = best?.language ?? otherwise
    }
}
