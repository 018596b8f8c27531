// SPDX-License-Identifier: Apache-2.0
// Names that nobody may sign up with.

import Domain

/// Names that would pass for this place itself or for one of its paths.
enum ReservedNames {
    /// Also what looks like a reserved name: `adm1n`, `_root_`, `supp0rt`.
    static func contains(_ username: Username) -> Bool {
        let plain = username.text.filter { $0 != "_" }
        return [plain, replacing(plain, one: "i"), replacing(plain, one: "l")].contains(where: names.contains)
    }

    private static func replacing(_ text: String, one: Character) -> String {
        String(text.map { $0 == "0" ? "o" : $0 == "1" ? one : $0 == "5" ? "s" : $0 == "3" ? "e" : $0 })
    }

    private static let names: Set<String> = Set(
        """
        about abuse account accounts actor admin administrator admins all anonymous api app apps auth billing blog \
        bot channel chat contact daemon deleted explore everyone guest health help here home hostmaster info inner \
        instance internal legal local login logout madang mail mailerdaemon me media mod moderation moderator \
        moderators news nobody noc noreply notification notifications null oauth official ops owner password \
        postmaster posts press privacy public root rules search security service session sessions settings shop signin \
        signout signup spam staff status streaming superuser support sysadmin sysop system tag tags team terms \
        timeline timelines tos undefined user username users webmaster welcome wellknown www
        """.split(separator: " ").map(String.init)
    )
}
