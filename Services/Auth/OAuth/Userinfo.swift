// SPDX-License-Identifier: Apache-2.0
// GET|POST /oauth/userinfo: who signed in (OpenID Connect Core, section 5.3).

import Domain
import Views
import Web

/// The account behind a token, for apps that only want to know who somebody is.
enum Userinfo {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(UserinfoView(username: try request.requireAccount().username, site: dependencies.site))
    }
}

private struct UserinfoView: ObjectView {
    let username: Username
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("iss", site.origin)
        json.member("sub", site.actor(username))
        json.member("name", username.text)
        json.member("preferred_username", username.text)
        json.member("profile", site.profile(username))
    }
}
