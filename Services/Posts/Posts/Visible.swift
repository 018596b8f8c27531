// SPDX-License-Identifier: Apache-2.0
// Whether somebody may read a post: the only place that asks the database.

import Domain
import Postgres
import Serving

/// Conditions on rows; `is_visible` of the migrations decides.
enum Visible {
    /// Whether the viewer, or anybody when nil, may read the row of `posts` or `entries` with this alias.
    ///
    /// - Parameters:
    ///   - mentioned: whom the text names, where that is not the row's own.
    ///   - blocked: whether a block is between the two, where that is known already.
    ///   - follows: whether the viewer follows the author, where that is known already.
    static func row(
        _ alias: SQL,
        to viewer: AccountID?,
        mentioned: SQL? = nil,
        blocked: SQL? = nil,
        follows: SQL? = nil
    ) -> SQL {
        row(alias, to: "\(viewer)", mentioned: mentioned, blocked: blocked, follows: follows)
    }

    static func row(
        _ alias: SQL,
        to viewer: SQL,
        mentioned: SQL? = nil,
        blocked: SQL? = nil,
        follows: SQL? = nil
    ) -> SQL {
        post(
            by: "\(alias).account_id",
            "\(alias).visibility",
            mentioning: mentioned ?? "\(alias).mentioned_ids",
            to: viewer,
            blocked: blocked,
            follows: follows
        )
    }

    /// Whether the viewer may see the entry `e`: the post, and the boost around it when it is one.
    static func entry(to viewer: AccountID?) -> SQL { entry(to: "\(viewer)") }

    static func entry(to viewer: SQL) -> SQL {
        let boost = post(by: "e.booster_id", "e.boost_visibility", mentioning: "'{}'", to: viewer)
        return "\(row("e", to: viewer)) AND (e.booster_id IS NULL OR \(boost))"
    }

    /// Whether one of two accounts has blocked the other; nobody has a block with nobody.
    static func hasBlock(_ account: SQL, with viewer: SQL) -> SQL {
        "\(account) IN (SELECT id FROM blocked_with(\(viewer)))"
    }

    /// Whether a viewer may see nothing of an account: a block is between the two, or nobody else may see it.
    static func isBlocked(_ account: SQL, with viewer: SQL) -> SQL {
        "(\(hasBlock(account, with: viewer)) OR \(RestrictedAccounts.isHidden(account, from: viewer)))"
    }

    /// Whether lists show an account to a viewer: others may see it, no block is between the two, and the viewer has not
    /// muted it.
    static func isShown(_ account: SQL, to viewer: SQL) -> SQL {
        "(NOT \(isHidden(account, from: viewer)) AND NOT \(RestrictedAccounts.isHidden(account, from: viewer)))"
    }

    /// The same of lists that show everybody: of whom only followers are to hear, only they do.
    static func isListed(_ account: SQL, to viewer: SQL) -> SQL {
        """
        (NOT \(isHidden(account, from: viewer)) AND NOT EXISTS (
            SELECT FROM restricted_accounts restricted
            WHERE restricted.account_id = \(account) AND restricted.account_id IS DISTINCT FROM \(viewer)
                AND (
                    restricted.is_hidden
                    OR restricted.is_limited AND NOT EXISTS (
                        SELECT FROM follows listed
                        WHERE listed.follower_id = \(viewer) AND listed.followee_id = \(account)
                    )
                )
            OFFSET 0
        ))
        """
    }

    /// Whether a viewer has a block with an account, or has muted it.
    static func isHidden(_ account: SQL, from viewer: SQL) -> SQL {
        "\(account) IN (SELECT id FROM hidden_from(\(viewer)))"
    }

    static func post(
        by author: SQL,
        _ visibility: SQL,
        mentioning mentioned: SQL,
        to viewer: SQL,
        blocked: SQL? = nil,
        follows: SQL? = nil
    ) -> SQL {
        let isBlocked = blocked ?? self.isBlocked(author, with: viewer)
        let isFollower: SQL =
            follows ?? "EXISTS (SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = \(author))"
        return "is_visible(\(author), \(visibility), \(mentioned), \(viewer), \(isBlocked), \(isFollower))"
    }
}
