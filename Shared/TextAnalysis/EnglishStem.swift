// SPDX-License-Identifier: Apache-2.0
// One form for the forms of an English word.

/// The first step of Porter's second stemmer (snowballstem.org/algorithms/english/stemmer.html): plurals, -ed and -ing, y as i; and a
/// table of verbs and plurals that have forms of their own. The later steps, which make `organ` of `organization` and `univers` of
/// `university`, are left out: a search that matches by stems alone would show too much that is about something else.
enum EnglishStem {
    static func of(_ word: String) -> String {
        let letters = Array(word.utf8)
        guard letters.count > 2, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        if let known = irregular[word] { return known }
        guard letters.count > 3 else { return word }
        var stem = letters
        plural(&stem)
        past(&stem)
        if let last = stem.last, last == y, stem.count > 2, !isVowel(stem, stem.count - 2) { stem[stem.count - 1] = i }
        guard stem != letters else { return word }
        // The stem of a word in which a form of its own is hidden: `oxen's`, `writings`.
        let text = String(decoding: stem, as: UTF8.self)
        return irregular[text] ?? text
    }

    private static let y = UInt8(ascii: "y")
    private static let i = UInt8(ascii: "i")
    private static let e = UInt8(ascii: "e")
    private static let s = UInt8(ascii: "s")

    private static func ends(_ stem: [UInt8], _ suffix: StaticString) -> Bool {
        suffix.withUTF8Buffer { suffix in stem.count >= suffix.count && stem.suffix(suffix.count).elementsEqual(suffix)
        }
    }

    private static func isVowel(_ stem: [UInt8], _ index: Int) -> Bool {
        switch stem[index] {
        case UInt8(ascii: "a"), e, i, UInt8(ascii: "o"), UInt8(ascii: "u"): true
        case y: index > 0 && !isVowel(stem, index - 1)
        default: false
        }
    }

    private static func plural(_ stem: inout [UInt8]) {
        if ends(stem, "sses") {
            stem.removeLast(2)
        } else if ends(stem, "ies") {
            stem.removeLast(stem.count > 4 ? 2 : 1)
        } else if ends(stem, "s"), !ends(stem, "us"), !ends(stem, "ss"), !ends(stem, "is") {
            guard stem.count > 3 else { return }
            if ["xes", "ches", "shes", "zes", "oes"].contains(where: { stem.count > 4 && ends(stem, $0) }) {
                stem.removeLast(2)
            } else {
                stem.removeLast()
            }
        }
    }

    private static func past(_ stem: inout [UInt8]) {
        let suffix = ends(stem, "ing") ? 3 : ends(stem, "ed") && !ends(stem, "eed") ? 2 : 0
        guard suffix > 0 else { return }
        let rest = Array(stem.dropLast(suffix))
        guard rest.count > 1, rest.indices.contains(where: { isVowel(rest, $0) }) else { return }
        stem = rest
        if ends(stem, "at") || ends(stem, "bl") || ends(stem, "iz") {
            stem.append(e)
        } else if let last = stem.last, stem.count > 2, stem[stem.count - 2] == last, !isVowel(stem, stem.count - 1) {
            if ![UInt8(ascii: "l"), s, UInt8(ascii: "z")].contains(last) { stem.removeLast() }
        } else if isShort(stem) {
            stem.append(e)
        }
    }

    /// Whether an e was lost: a single syllable that ends consonant, vowel, consonant, or in a letter before which English keeps it.
    private static func isShort(_ stem: [UInt8]) -> Bool {
        let last = stem.count - 1
        if ends(stem, "v") || ends(stem, "uc") || ends(stem, "ang") || ends(stem, "rg") || ends(stem, "c") {
            return true
        }
        let vowels = stem.indices.filter { isVowel(stem, $0) }
        if vowels.count > 1, ends(stem, "ag") { return true }
        guard vowels.count == 1, last > 0 else { return false }
        if last == 1 { return isVowel(stem, 0) }
        return vowels == [last - 1] && ![UInt8(ascii: "w"), UInt8(ascii: "x"), y].contains(stem[last])
    }

    private static let irregular: [String: String] = {
        let lines: StaticString = """
            run ran running;buy bought;make made making;write wrote written writing writer;read reading;go went gone goes going;see saw seen \
            seeing;eat ate eaten;drink drank drunk;speak spoke spoken;take took taken taking;give gave given giving;find found;\
            think thought;teach taught;learn learnt;know knew known;grow grew grown;sing sang sung;swim swam swum swimming;\
            begin began begun beginning;break broke broken;choose chose chosen;drive drove driven driving;fall fell fallen;feel felt;\
            fly flew flown flies flying;forget forgot forgotten;get got gotten getting;keep kept;leave left leaving;lose lost losing;\
            meet met meeting;pay paid;sell sold;send sent;sleep slept;spend spent;tell told;understand understood;wake woke woken waking;\
            wear wore worn;win won winning;build built;bring brought;catch caught;come came coming;do did done doing does;have has had having;\
            be is are was were been being am;say said;ride rode ridden riding;child children;person people persons;man men;woman women;\
            foot feet;tooth teeth;mouse mice;knife knives;life lives;leaf leaves;wolf wolves;half halves;shelf shelves;loaf loaves;\
            good better best;bad worse worst;die died dying dies;lie lied lying lies;tie tied tying ties;news;bake baked baking baker;\
            use used using uses user;create creating created;code coded coding coder codes;plan planned planning plans;stop stopped stopping;\
            study studies studied studying;try tries tried trying;cook cooking cooked cooks;movie movies;cookie cookies;thing things;\
            morning mornings;evening evenings;spring springs;string strings;something;nothing;everything;anything;during;king kings;ring \
            rings;wing wings;wedding weddings;ceiling;sibling siblings;pudding;dumpling dumplings;seed seeds;speed;feed fed feeding;need \
            needed needing;bed beds;red;shed sheds;series;species;lens lenses;bus buses;gas gases;yes;this;always;perhaps;analysis \
            analyses;paris;tennis;texas;css;sms;hike hiking hiked;share sharing shared;bike biking bikes;type typing typed types;\
            note notes noted noting;dance dancing danced;practice practise practicing practising practiced practised;travel traveling \
            travelling traveled travelled traveler traveller travels;color colour colors colours;favorite favourite;center centre;\
            program programme programs programmes programming programmer
            """
        var table: [String: String] = [:]
        let text = lines.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        for line in text.split(separator: ";") {
            let words = line.split { $0 == " " || $0 == "\n" }
            for word in words { table[String(word)] = words.first.map(String.init) }
        }
        return table
    }()
}
