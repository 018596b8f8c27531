// SPDX-License-Identifier: Apache-2.0
// Names that nobody may sign up with.

import Domain

/// Names that would pass for this place itself, for those who run it, or for one of its paths.
///
/// A username is refused when, read as below,
/// 1. the whole of it, without underscores, is one of `names`: `admin`, `_root_`, `well_known`;
/// 2. one of its parts between underscores, without digits around it, is one of `offices`: `admin_madang`,
///    `minji_support`, `admin2`;
/// 3. the whole of it is nothing but words of `offices` and `companions`, with one of `offices` at least:
///    `madangadmin`, `officialmadangteam`, `thesupportteam`.
///
/// Letters that look alike are read as one: 0 and o, 1 and i and l, 3 and e, 4 and a, 5 and s, 7 and t, 8 and b, rn and m,
/// vv and w. So `adm1n`, `adrnin` and `rnadang` are refused, and ordinary names that only contain such a word are not:
/// `badminton`, `supporter`, `madangsoe`, `bts_official`. Other letters than those of ASCII are in no username.
enum ReservedNames {
    static func contains(_ username: Username) -> Bool {
        let parts = username.text.split(separator: "_")
        let whole = parts.joined()
        if skeletons.names.contains(skeleton(whole)) { return true }
        if parts.contains(where: { readings(of: $0).contains(where: skeletons.offices.contains) }) { return true }
        return readings(of: whole[...]).contains(where: isMadeOfOffices)
    }

    /// As it is written, and without the digits at both ends.
    private static func readings(of text: Substring) -> [String] {
        var bare = text.drop(while: isDigit)
        while let last = bare.last, isDigit(last) { bare.removeLast() }
        return [skeleton(String(text)), skeleton(String(bare))]
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// One text for all that look alike.
    private static func skeleton(_ text: some StringProtocol) -> String {
        let plain = String(
            text.map { character -> Character in
                switch character {
                case "0": "o"
                case "1", "l": "i"
                case "3": "e"
                case "4": "a"
                case "5": "s"
                case "7": "t"
                case "8": "b"
                default: character
                }
            }
        )
        return plain.replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Whether the text can be cut into words of both lists, one of `offices` among them.
    private static func isMadeOfOffices(_ text: String) -> Bool {
        let letters = Array(text)
        // What is reached at each place: nothing, companions only, an office too. Names have 30 letters at most.
        var reached: [Bool?] = Array(repeating: nil, count: letters.count + 1)
        reached[0] = false
        for start in letters.indices {
            guard let hasOffice = reached[start] else { continue }
            for end in (start + 1)...letters.count {
                let word = String(letters[start..<end])
                let isOffice = skeletons.offices.contains(word)
                guard isOffice || skeletons.companions.contains(word) else { continue }
                reached[end] = (reached[end] ?? false) || hasOffice || isOffice
            }
        }
        return reached.last == .some(true)
    }

    private static let skeletons = (
        names: Set(names.map(skeleton)), offices: Set(offices.map(skeleton)), companions: Set(companions.map(skeleton))
    )

    private static let names = words(
        """
        about abuse account accounts actor admin administrator admins all anonymous api app apps auth billing blog \
        bot channel chat contact daemon deleted explore everyone guest health help here home hostmaster info inner \
        instance internal legal local login logout madang mail mailerdaemon me media mod moderation moderator \
        moderators news nobody noc noreply notification notifications null oauth official ops owner password \
        postmaster posts press privacy public root rules search security service session sessions settings shop signin \
        signout signup spam staff status streaming superuser support sysadmin sysop system tag tags team terms \
        timeline timelines tos undefined user username users webmaster welcome wellknown www
        """
    )

    /// This place and those who run it, in the letters that usernames have.
    private static let offices = words(
        """
        admin administrator administrators admins gwanrija helpdesk hostmaster madang moderator moderators postmaster \
        staff superuser support sysadmin unyeongja webmaster
        """
    )

    /// What such a name is dressed up with.
    private static let companions = words(
        """
        account accounts app bot center centre chat contact desk help info mod mods news notice official ops owner real \
        root security server service system team the this
        """
    )

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
