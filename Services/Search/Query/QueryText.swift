// SPDX-License-Identifier: Apache-2.0
// A query from its text, and back.

import Domain

extension SearchQuery {
    package init(_ text: String) {
        self.init()
        var rest = Array(text.unicodeScalars.prefix(Self.textLimit))[...]
        var endsInWord = false
        while let first = rest.first {
            guard !Self.isSpace(first) else {
                rest.removeFirst()
                endsInWord = false
                continue
            }
            let isExcluded =
                "-−－".unicodeScalars.contains(first) && rest.dropFirst().first.map { !Self.isSpace($0) } == true
            if isExcluded { rest.removeFirst() }
            if let mark = rest.first, let closing = Self.quotes[mark] {
                rest.removeFirst()
                let phrase = rest.prefix { !closing.contains($0) }
                rest = rest.dropFirst(phrase.count + 1)
                add(Word(Self.string(phrase), isPhrase: true, isExcluded: isExcluded))
                endsInWord = false
                continue
            }
            let piece = rest.prefix { !Self.isSpace($0) && Self.quotes[$0] == nil }
            // A quotation mark in the middle of a word begins a phrase only behind a filter's colon.
            rest = rest.dropFirst(piece.count)
            if let filter = Self.filter(Self.string(piece)) {
                if restrictions.count < Self.filterLimit {
                    restrictions.append(Restriction(filter, isExcluded: isExcluded))
                }
                endsInWord = false
            } else {
                add(Word(Self.string(piece), isExcluded: isExcluded))
                endsInWord = !isExcluded
            }
        }
        isTyping = endsInWord && words.last.map { !$0.isPhrase && !$0.isExcluded } == true
    }

    private mutating func add(_ word: Word) {
        guard words.count < Self.wordLimit, word.text.unicodeScalars.contains(where: { !Self.isSpace($0) }) else {
            return
        }
        words.append(word)
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F
    }

    private static let quotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "\"": ["\""], "“": ["”", "\""], "”": ["”", "\""], "「": ["」"], "『": ["』"], "＂": ["＂"], "«": ["»"],
    ]

    private static func filter(_ text: String) -> Filter? {
        guard let colon = text.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
        let name = text[..<colon].lowercased()
        let value = String(text[text.unicodeScalars.index(after: colon)...])
        guard !value.isEmpty else { return nil }
        switch name {
        case "from":
            let person = String(value.drop { $0 == "@" })
            return person.isEmpty ? nil : .from(person)
        case "has": return Attachment(rawValue: value.lowercased()).map(Filter.has)
        case "lang", "language":
            let language = value.lowercased()
            guard (2...3).contains(language.utf8.count), language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
                return nil
            }
            return .language(language)
        case "before": return Day(value).map(Filter.before)
        case "after": return Day(value).map(Filter.after)
        case "isbn": return ISBN(value).map(Filter.isbn)
        case "in": return .inside(String(value.drop { $0 == "#" })).nonEmpty
        default: return nil
        }
    }
}

extension SearchQuery.Filter {
    fileprivate var nonEmpty: Self? { if case .inside("") = self { nil } else { self } }
}

extension SearchQuery: CustomStringConvertible {
    /// A text that parses to this query. A filter stands before words, so that the last word is last.
    package var description: String {
        let filters = restrictions.map { ($0.isExcluded ? "-" : "") + $0.filter.description }
        let words = words.map { word in
            (word.isExcluded ? "-" : "") + (word.isPhrase ? "\"\(word.text)\"" : word.text)
        }
        return (filters + words).joined(separator: " ") + (isTyping || words.isEmpty ? "" : " ")
    }
}

extension SearchQuery.Filter: CustomStringConvertible {
    package var description: String {
        switch self {
        case .from(let name): "from:\(name)"
        case .has(let attachment): "has:\(attachment.rawValue)"
        case .language(let language): "lang:\(language)"
        case .before(let day): "before:\(day)"
        case .after(let day): "after:\(day)"
        case .inside(let place): "in:\(place)"
        case .isbn(let isbn): "isbn:\(isbn)"
        }
    }
}
