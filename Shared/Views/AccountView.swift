// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Account (docs.joinmastodon.org/entities/Account).

package import Domain
package import Events

/// An account as a client sees it.
package struct AccountView: View {
    package let account: AccountSnapshot
    package let site: Site

    package init(_ account: AccountSnapshot, site: Site) {
        self.account = account
        self.site = site
    }

    package func write(to json: inout JSONWriter) { fatalError("stub") }
}
