// SPDX-License-Identifier: Apache-2.0
// What is wrong with what somebody filled in.

import Domain
import HTTPTypes
import Web

/// One thing that is wrong with one field; the raw values are the codes among a problem's `fields`.
enum ValidationFault: String, Error, Sendable {
    case accepted
    case blank
    case blocked
    case guessable = "compromised"
    case invalid
    case reserved
    case taken
    case tooLong = "too_long"
    case tooShort = "too_short"

    func description(_ language: Language) -> String { PageText.text("fault_\(rawValue)", language) }
}

/// Everything that is wrong with a form: 422, with `details` as registration with the Mastodon API has them.
struct ValidationFailure: ProblemConvertible {
    let faults: [(field: String, fault: ValidationFault)]

    var problem: Problem {
        Problem(.unprocessableContent, "invalid", fields: faults.map { ($0.field, $0.fault.rawValue) })
    }
}
