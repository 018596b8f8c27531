// SPDX-License-Identifier: Apache-2.0
// What is wrong with what somebody filled in, in the Mastodon API's form.

import Domain
import Views
import Web

/// One thing that is wrong with one field.
enum ValidationFault: Error, Sendable {
    case accepted
    case blank
    case guessable
    case invalid
    case reserved
    case taken
    case tooLong
    case tooShort

    /// The Mastodon API's name for it.
    var code: String {
        switch self {
        case .accepted: "ERR_ACCEPTED"
        case .blank: "ERR_BLANK"
        case .guessable, .invalid: "ERR_INVALID"
        case .reserved: "ERR_RESERVED"
        case .taken: "ERR_TAKEN"
        case .tooLong: "ERR_TOO_LONG"
        case .tooShort: "ERR_TOO_SHORT"
        }
    }

    /// The name among `fields`.
    var slug: String {
        switch self {
        case .accepted: "not_accepted"
        case .blank: "blank"
        case .guessable: "guessable"
        case .invalid: "invalid"
        case .reserved: "reserved"
        case .taken: "taken"
        case .tooLong: "too_long"
        case .tooShort: "too_short"
        }
    }

    func description(_ language: Language) -> String { PageText.text("fault_\(slug)", language) }
}

/// Everything that is wrong with a form.
struct ValidationFailure: Error, Sendable {
    let faults: [(field: String, fault: ValidationFault)]

    /// 422 with `details` for each field.
    func answer(_ request: Request) -> Answer {
        Answer.json(ValidationView(failure: self, request: request), status: .unprocessableContent)
    }
}

private struct ValidationView: View {
    let failure: ValidationFailure
    let request: Request

    func write(to json: inout JSONWriter) {
        let language = request.language
        let sentences = failure.faults.map { field, fault in
            "\(PageText.text("field_\(field)", language)) \(fault.description(language))"
        }
        let title = PageText.text("validation_failed", language)
        var fields: [String] = []
        for (field, _) in failure.faults where !fields.contains(field) { fields.append(field) }
        json.object { json in
            json.member("error", "\(title): \(sentences.joined(separator: ", "))")
            json.name("details")
            // The writer takes static names only, and these come from a fixed set.
            json.object { json in
                for field in fields {
                    guard let name = Self.names[field] else { continue }
                    json.member(name, array: { json in
                        for (other, fault) in failure.faults where other == field {
                            json.object { json in
                                json.member("error", fault.code)
                                json.member("description", fault.description(language))
                            }
                        }
                    })
                }
            }
            json.member("type", "urn:madang:problems:validation-failed")
            json.member("title", title)
            json.member("status", 422)
            json.member("code", "validation-failed")
            json.member("request_id", request.requestID)
            json.member("fields", array: { json in
                for (field, fault) in failure.faults {
                    json.object { json in
                        json.member("name", field)
                        json.member("code", fault.slug)
                    }
                }
            })
        }
    }

    private static let names: [String: StaticString] = [
        "agreement": "agreement", "email": "email", "name": "name", "password": "password", "reason": "reason",
        "redirect_uri": "redirect_uri", "scopes": "scopes", "username": "username", "website": "website",
        "new_password": "new_password", "old_password": "old_password",
    ]
}
