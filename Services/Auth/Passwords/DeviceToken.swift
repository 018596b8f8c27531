// SPDX-License-Identifier: Apache-2.0
// How a device that has signed in before proves itself.

import Domain

/// A mark of the device and a code over it and the account: nothing to be stored, nothing to be made up.
///
/// It lets nobody in. Whoever shows it has tries of their own, so that others who guess do not lock them out.
enum DeviceToken {
    /// The mark in a token that was made for this account; nil for anything else.
    static func mark(_ token: String?, of account: AccountID, _ dependencies: Dependencies) -> String? {
        guard let token, token.utf8.count <= 256 else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, Secret.equal(String(parts[1]), code(parts[0], account, dependencies)) else {
            return nil
        }
        return String(parts[0])
    }

    /// The token of a device that has just signed in; it keeps the mark that it had.
    static func make(for account: AccountID, keeping token: String?, _ dependencies: Dependencies) -> String {
        let mark = mark(token, of: account, dependencies) ?? dependencies.secret().text
        return "\(mark).\(code(mark[...], account, dependencies))"
    }

    private static func code(_ mark: Substring, _ account: AccountID, _ dependencies: Dependencies) -> String {
        dependencies.browserKey.code("device:\(account):\(mark)")
    }
}
