// SPDX-License-Identifier: Apache-2.0
// The number of a book (ISO 2108).

/// An International Standard Book Number whose check digit is right.
///
/// Ten digits and thirteen are two ways to write one number, so that two ISBNs are equal where they mean one edition.
public struct ISBN: Hashable, Sendable, CustomStringConvertible {
    /// Thirteen digits, without hyphens.
    public let text13: String

    /// Parses 10 digits (the last perhaps an `X`) or 13 that begin with 978 or 979, with hyphens and spaces anywhere.
    ///
    /// Nil for anything else, for a wrong check digit, for more than 64 bytes, and for 979-0, which is printed music's (ISMN).
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        var digits: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.append(UInt8(truncatingIfNeeded: scalar.value - 48))
            // Ten, which is the check digit of ten digits alone.
            case "X", "x": digits.append(10)
            // The hyphens of keyboards and of typesetting, and spaces.
            case "-", "\u{2010}"..."\u{2013}", " ", "\u{A0}": continue
            default: return nil
            }
        }
        switch digits.count {
        case 10:
            guard !digits.dropLast().contains(10), ISBN.sum10(digits).isMultiple(of: 11) else { return nil }
            let body = [9, 7, 8] + digits.dropLast()
            text13 = ISBN.text(body + [ISBN.check13(body)])
        case 13:
            guard !digits.contains(10), digits.starts(with: [9, 7, 8]) || digits.starts(with: [9, 7, 9]),
                !digits.starts(with: [9, 7, 9, 0]), digits.last == ISBN.check13(digits.dropLast())
            else { return nil }
            text13 = ISBN.text(digits)
        default: return nil
        }
    }

    /// Ten digits, the last perhaps an `X`; nil for 979, which has no such form.
    public var text10: String? {
        guard text13.hasPrefix("978") else { return nil }
        let body = text13.utf8.dropFirst(3).dropLast().map { $0 - 48 }
        // What is missing of a multiple of eleven, where the check digit counts once.
        let check = (11 - ISBN.sum10(body) % 11) % 11
        return ISBN.text(body) + (check == 10 ? "X" : String(check))
    }

    public var description: String { text13 }

    /// Ten times the first digit, nine times the second, and so on.
    private static func sum10(_ digits: some Sequence<UInt8>) -> Int {
        zip(digits, (1...10).reversed()).reduce(0) { $0 + Int($1.0) * $1.1 }
    }

    /// The digit that makes the sum of all, every second three times, a multiple of ten.
    private static func check13(_ digits: some Sequence<UInt8>) -> UInt8 {
        let sum = digits.enumerated().reduce(0) { $0 + Int($1.element) * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        return UInt8((10 - sum % 10) % 10)
    }

    private static func text(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: digits.map { $0 + 48 }, as: UTF8.self)
    }
}

extension ISBN: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let isbn = ISBN(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISBN")
        }
        self = isbn
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text13)
    }
}
