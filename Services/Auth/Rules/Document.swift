// SPDX-License-Identifier: Apache-2.0
// The texts that people agree to.

import Domain
import Postgres
import Web

/// What a text is.
enum DocumentKind: String, CaseIterable, ColumnWord, Sendable {
    case rules, privacy, terms
}

/// A version of a text; none is ever changed.
struct Document: Columned, Sendable {
    let id: DocumentID
    let kind: DocumentKind
    let version: Int64
    let published: Timestamp
    let effective: Day
    /// Until when somebody who has not agreed may go on; nil where nobody has to agree anew.
    let consentUntil: Timestamp?

    static let columns: SQL = "d.id, d.kind, d.version, d.published_at, d.effective_on, d.consent_until"

    /// What the operator asks for.
    struct Draft: Sendable {
        /// Bytes of one language.
        static let longest = 60_000

        let kind: DocumentKind
        let texts: [Language: String]
        let effective: Day
        /// Days after it takes effect for which somebody who has not agreed may go on; nil where nobody has to agree anew.
        let graceDays: Int64?

        /// - Throws: a problem that names the field.
        init(kind: DocumentKind, texts: [Language: String], effective: Day, graceDays: Int64?, today: Day) throws {
            let texts = texts.mapValues { $0.withoutControls }.filter { !$0.value.trimmed.isEmpty }
            guard !texts.isEmpty else { throw Problem.invalid("text", "blank") }
            guard texts.values.allSatisfy({ $0.utf8.count <= Draft.longest }) else {
                throw Problem.invalid("text", "too_long")
            }
            // What was said to hold then did not: a text is not told of after it has taken effect.
            guard effective >= today, effective <= today.advanced(by: 366) else {
                throw Problem.invalid("effective_date", "inclusion")
            }
            if let graceDays, !(0...366).contains(graceDays) { throw Problem.invalid("grace_days", "inclusion") }
            self.kind = kind
            self.texts = texts
            self.effective = effective
            self.graceDays = graceDays
        }

        /// The end of the last day of grace, in UTC.
        var consentUntil: Timestamp? {
            graceDays.map { Timestamp(milliseconds: effective.advanced(by: $0 + 1).days * 86_400_000) }
        }
    }
}

extension Document {
    init(columns: inout Columns) throws { self = try columns.read(Self.init) }
}

/// How somebody agreed.
enum ConsentWay: String, Sendable {
    case app, page, issuer
}

/// A text to which somebody has yet to agree.
struct DueConsent: Sendable {
    let kind: DocumentKind
    /// The one in force.
    let version: Int64
    let until: Timestamp

    func isOver(now: Timestamp) -> Bool { now >= until }
}
