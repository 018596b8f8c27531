// SPDX-License-Identifier: Apache-2.0
// Passwords that are tried first by everyone who guesses.

/// Refuses what lists of leaked passwords begin with: well-known words with or without digits, signs and look-alike
/// characters around them, runs of the keyboard and of the alphabet, repetitions, dates, and a person's own names.
enum GuessablePasswords {
    static func contains(_ password: String, apartFrom others: [String]) -> Bool {
        // Long passphrases are not in anybody's list unless they repeat something short.
        let lower = Array(password.lowercased().unicodeScalars)
        if Set(lower).count <= 2 || isRepetition(lower) { return true }
        let ascii = lower.filter { $0.isASCII }
        guard ascii.count == lower.count, lower.count <= 32 else { return false }
        for form in [lower, lower.map(lookAlike)] {
            let letters = String(String.UnicodeScalarView(trimmed(form)))
            if letters.isEmpty || isCovered(letters, by: others) { return true }
            let all = String(String.UnicodeScalarView(form.filter { isLetter($0) || isDigit($0) }))
            if isCovered(all, by: others) { return true }
            // Letters and digits in turn, such as `a1b2c3d4`.
            let onlyLetters = String(String.UnicodeScalarView(lower.filter(isLetter)))
            if onlyLetters.utf8.count >= 4, isRun(onlyLetters),
                isRun(String(String.UnicodeScalarView(lower.filter(isDigit))))
            {
                return true
            }
        }
        return false
    }

    /// Whether a text is nothing but well-known parts, at most four, with digits between them.
    private static func isCovered(_ text: String, by others: [String]) -> Bool {
        let own = Set(others.map { $0.lowercased() }.filter { $0.utf8.count >= 4 })
        var rest = Array(text.utf8)[...]
        var parts = 0
        while let first = rest.first {
            if (48...57).contains(first) {
                rest = rest.dropFirst()
                continue
            }
            guard parts < 4, let length = longestKnown(rest, own: own) else { return false }
            rest = rest.dropFirst(length)
            parts += 1
        }
        return true
    }

    private static func longestKnown(_ text: ArraySlice<UInt8>, own: Set<String>) -> Int? {
        for length in stride(from: min(text.count, 30), through: 3, by: -1) {
            let part = String(decoding: text.prefix(length), as: UTF8.self)
            if words.contains(part) || own.contains(part) || isRun(part) { return length }
        }
        // A single letter or two at either end add nothing.
        return text.count <= 2 ? text.count : nil
    }

    /// A piece of a keyboard row or column or of the alphabet, forwards or backwards.
    private static func isRun(_ text: String) -> Bool {
        guard text.utf8.count >= 3 else { return false }
        return runs.contains { $0.contains(text) }
    }

    private static let runs: [String] = {
        let forwards = [
            "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertyuiop", "asdfghjkl", "zxcvbnm",
            "qwertzuiop", "azertyuiop", "qazwsxedcrfvtgbyhnujmikolp", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
            "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qawsedrftgyhujikolp", "zaqxswcdevfrbgtnhymjukilop",
            "aabbccddeeffgghhiijjkkllmmnnoopp", "zaq1xsw2cde3vfr4", "qwaszx", "qweasdzxc", "asdzxc",
            "01234567890",
        ]
        return forwards + forwards.map { String($0.reversed()) }
    }()

    /// Without the digits and signs at both ends.
    private static func trimmed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var text = text[...]
        while let first = text.first, !isLetter(first) { text = text.dropFirst() }
        while let last = text.last, !isLetter(last) { text = text.dropLast() }
        return Array(text)
    }

    private static func isRepetition(_ text: [Unicode.Scalar]) -> Bool {
        (1...8).contains { period in
            text.count >= period * 2 && text.indices.dropFirst(period).allSatisfy { text[$0] == text[$0 - period] }
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func lookAlike(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "0": "o"
        case "1", "!", "|": "i"
        case "3": "e"
        case "4", "@": "a"
        case "5", "$": "s"
        case "7", "+": "t"
        case "8": "b"
        case "9": "g"
        default: scalar
        }
    }

    private static let words: Set<String> = Set(
        """
        aaron abc access account adam admin administrator adobe adrian airborne alex alexander alexandra alexis alice \
        alpha america american amanda amber amor amore anakin andrea andrew android andy angel angela angels animal anna \
        annie anthony apollo apple april archer arsenal arthur asdf ashley asshole august austin australia awesome baby \
        babygirl bailey banana bandit barcelona barney baseball basketball batman beach bear beautiful beaver beer \
        bella benjamin berlin best beta beyonce bigdaddy bigdog bigdick bigtits bill billy bird biteme black blackie \
        blahblah blaster blazer blink blonde blue bond boomer booboo boss boston boy brandon brandy braves brazil brian \
        britney broncos brooklyn brother bubba buddy buffalo bulldog buster butter butterfly california callum camaro \
        cameron canada captain carlos caroline carter casper cassie castle cat catch celtic center champion chance \
        change changeme charles charlie charlotte cheese chelsea cherry chester chevrolet chevy chicago chicken \
        chocolate chris christ christian christina christine christmas cindy city claire claudia cloud coca cocacola \
        coffee college computer connor contact cookie cool cooper corvette courtney cowboy cowboys crazy cream creative \
        cricket crystal daddy daisy dakota dallas daniel daniela danielle dark dave david death default deftones \
        demon dennis denver devil dexter diablo diamond dick dog dolphin dolphins donald dragon dream dreams driver \
        eagle eagles east edward einstein elephant elizabeth elvis eminem emily england enter eric erotic eugene \
        europe everton explorer extreme faith falcon family fantasy fender ferrari fire first fish fishing flower \
        flowers florida football ford forest forever formula francis frank freak fred freddy free freedom friend \
        friends fuck fucker fucking fuckme fuckoff fuckyou future gabriel galaxy gandalf garfield gateway gemini \
        genius george gerald ghost giants gibson ginger girl girls giovanni golden golf google gordon grand great green \
        gregory guest guitar gunner guys hacker hammer hannah happy hardcore harley harrison harry hawaii heather heart \
        heaven hell hello helpme henry hockey holiday home honda honey horse horses hotdog house houston hunter \
        iceman iloveu iloveyou indian indiana internet inside ironman isabella island jack jackie jackson jacob jaguar jake james \
        jamie january japan jasmine jason jasper jennifer jeremy jessica jessie jesus john johnny johnson jonathan \
        jordan joseph joshua juan july june junior justice justin karate karen kate katherine katie kelly kenneth kevin \
        killer king kings kitty knight korea ladies lady lakers lauren legend lemon letmein liberty life light lindsay \
        lion little liverpool lizard logan login lollipop london long looking lord love loveme lover lovely lovers loveyou \
        lucky lucy maggie magic magnum mail manager manchester marcus margaret maria marie marina marine mario mark \
        marlboro marley martha martin mary master matrix matthew maverick max maximus maxwell melissa member mercedes \
        mercury merlin metal metallica mexico michael michel michelle mickey midnight mike miller minecraft mine mission \
        mobile molly monday money monica monkey monster montana moon moose morgan morning mother motorola mountain \
        mouse movie muffin murphy music mustang myspace naked naruto nascar nathan natalie nature naughty ncc nelson \
        network newyork nicholas nicole nigger night nintendo nirvana nissan nothing november number office oliver \
        olivia online open orange orion pacific packers paladin pamela panther panthers paradise paris parker pass \
        passion passwd password passwort patricia patrick patriots paul peaches peanut pencil penis people pepper \
        perfect peter phoenix phone photo picture pink pirate player playboy please pokemon police pookie poop popcorn \
        porn porno porsche power precious prince princess private purple pussy python qwe qwer qwert qwerty rabbit \
        rachel racing raiders rainbow ranger rangers raymond rebecca red reddog redskins redsox remember remote richard \
        richie robert rocket rocky roger roman ronald ronaldo rosebud rose royal russia ryan sakura salasana samantha \
        sammy samson samsung samuel sandra santiago sarah saturn savannah scarface school scooby scorpio scorpion \
        scott scotland seattle secret secure security senha sergio service sex sexsex sexy shadow shannon sharon \
        shelby shit shithead sierra silver simon simple simpson sister skippy skyline slayer slipknot smart smile \
        smith smokey snake snoopy snow snowball soccer sommer sophia sophie spanky sparky special spencer spider \
        spiderman spring squirt stanley star starcraft starlight stargate stars startrek starwars steelers stella \
        stephanie stephen steve steven stewart sticky strawberry strong stupid success suck sucker sugar summer sun \
        sunday sunflower sunny sunshine super superman supernova superstar support suzuki sweet swimming sydney \
        system taylor teddy teens telephone tennis teresa test tester testing texas theman theresa thomas thunder \
        thursday tiffany tiger tigers tigger time tina titanic tits today together tommy toor topgun tornado toyota travis \
        trigger tristan trouble trustno truelove tucker turtle twilight tyler united unknown usa user valentina vampire \
        vanessa venus vegas veronica victor victoria viking vikings vincent violet viper virginia voodoo voyager warcraft \
        warrior water weasel web webmaster welcome west whatever white wicked wild wildcat wildcats william williams \
        willie willow wilson windows winner winston winter wizard wolf wolverine wolves wonder work world wrestling xavier \
        yamaha yankees yellow young yourmom zachary zeppelin zombie zxcv \
        annyeong anjelina busan daehan gkrtod gksrnr hangul hanguk kimchi minguk naver kakao dkssud tkfkd tkfkdgo wkddl \
        saranghae saranghaeyo seoul aishiteru arigato doraemon gundam konnichiwa nihon nippon pikachu sayonara takahashi \
        tanaka tokyo watashi yamada madang
        """.split(separator: " ").map(String.init)
    )
}
