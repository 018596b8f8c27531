// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/preferences: the defaults of new posts and of reading.

import Domain
import Views
import Web

/// Shows the asking account's preferences.
enum GetPreferences {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let credentials = try await Credentials.require(try request.requireAccount(), dependencies)
        return .json(PreferencesView(source: credentials.source))
    }
}

/// The Mastodon API's Preferences (docs.joinmastodon.org/entities/Preferences); reading has no settings here.
private struct PreferencesView: ObjectView {
    let source: CredentialAccountView.Source

    func writeMembers(to json: inout JSONWriter) {
        json.member("posting:default:visibility", source.privacy.rawValue)
        json.member("posting:default:sensitive", source.sensitive)
        json.member("posting:default:language", source.language)
        json.member("posting:default:quote_policy", source.quotePolicy)
        json.member("reading:expand:media", "default")
        json.member("reading:expand:spoilers", false)
        json.member("reading:autoplay:gifs", false)
    }
}
