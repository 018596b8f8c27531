// SPDX-License-Identifier: Apache-2.0
// In which letters a page is written.

import Glibc

/// Makes UTF-8 of the bytes of a page.
///
/// What is UTF-8 is taken for that, whatever the page or its server say; then counts what they say, if it is one of the
/// encodings that browsers know (https://encoding.spec.whatwg.org). Of what says nothing it is guessed.
package enum Charset {
    /// How much of a page is looked at for what it says of its encoding.
    private static let head = 4096

    /// - Parameters:
    ///   - named: by the `Content-Type` of whoever sent it.
    ///   - host: whose page it is.
    package static func utf8(_ bytes: [UInt8], named: String?, host: String? = nil) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return converted(bytes.dropFirst(2), from: "UTF-16BE") }
        if bytes.starts(with: [0xFF, 0xFE]) { return converted(bytes.dropFirst(2), from: "UTF-16LE") }
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        // The last character may be cut.
        if !isASCII, String(validating: bytes.dropLast(cut(bytes)), as: UTF8.self) != nil {
            return repaired(bytes[...])
        }
        let said = named.flatMap(encoding) ?? declared(bytes).flatMap(encoding)
        if let said { return said == "UTF-8" ? repaired(bytes[...]) : converted(bytes[...], from: said) }
        // Only ISO-2022-JP has escapes in ASCII.
        if isASCII { return bytes.contains(0x1B) ? converted(bytes[...], from: "ISO-2022-JP") : bytes }
        let country = host?.lowercased().split(separator: ".").last.map(String.init)
        let hints = Set([language(bytes), country].compactMap(\.self))
        return converted(bytes[...], from: Guess.encoding(of: bytes, hints: hints) ?? "CP1252")
    }

    /// iconv's name for a label; nil for what is no encoding of pages.
    static func encoding(_ label: String) -> String? {
        switch label.lowercased().filter({ !$0.isWhitespace && $0 != "\"" && $0 != "'" }) {
        case "utf-8", "utf8", "unicode-1-1-utf-8": "UTF-8"
        case "euc-kr", "euckr", "cp949", "ms949", "windows-949", "x-windows-949", "uhc", "korean", "ks_c_5601-1987",
            "ks_c_5601-1989",
            "ksc5601", "ksc_5601", "iso-ir-149", "cseuckr":
            "CP949"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "cp932", "windows-31j", "csshiftjis":
            "CP932"
        case "euc-jp", "eucjp", "x-euc-jp", "cseucpkdfmtjapanese": "EUC-JP-MS"
        case "iso-2022-jp", "csiso2022jp": "ISO-2022-JP"
        case "gb2312", "gb_2312-80", "gbk", "x-gbk", "gb18030", "chinese", "cp936", "ms936": "GB18030"
        case "big5", "big5-hkscs", "cn-big5", "x-x-big5", "csbig5": "BIG5-HKSCS"
        case "iso-8859-1", "iso8859-1", "latin1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252", "x-cp1252":
            "CP1252"
        case "iso-8859-2", "latin2": "ISO-8859-2"
        case "iso-8859-15", "latin9": "ISO-8859-15"
        case "windows-1250", "cp1250": "CP1250"
        case "windows-1251", "cp1251": "CP1251"
        case "windows-1253", "cp1253": "CP1253"
        case "windows-1254", "cp1254", "iso-8859-9": "CP1254"
        case "windows-1255", "cp1255": "CP1255"
        case "windows-1256", "cp1256": "CP1256"
        case "windows-1258", "cp1258": "CP1258"
        case "koi8-r", "koi8": "KOI8-R"
        case "koi8-u": "KOI8-U"
        case "windows-874", "tis-620", "iso-8859-11": "CP874"
        default: nil
        }
    }

    /// What follows the first `charset=`, or `encoding=` of XML, in the head of the page.
    private static func declared(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(head).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self).lowercased()
        for mark in ["charset", "encoding"] {
            guard let found = text.firstRange(of: mark) else { continue }
            let rest = text[found.upperBound...].drop { $0 == " " }
            guard rest.first == "=" else { continue }
            let label = rest.dropFirst().drop { $0 == " " || $0 == "\"" || $0 == "'" }
                .prefix { $0.isLetter || $0.isNumber || "-_:.".contains($0) }
            if !label.isEmpty { return String(label.prefix(40)) }
        }
        return nil
    }

    /// `ko` of `<html lang="ko-KR">`.
    private static func language(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(head).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self).lowercased()
        guard let tag = text.firstRange(of: "<html") else { return nil }
        let attributes = text[tag.upperBound...].prefix { $0 != ">" }
        guard let found = attributes.firstRange(of: "lang=") else { return nil }
        return String(attributes[found.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix { $0.isLetter }.prefix(3))
    }

    /// Bytes at the end that begin a character and do not end it.
    private static func cut(_ bytes: [UInt8]) -> Int {
        guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 else {
            return 0
        }
        let wanted = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        let there = bytes.count - start
        return there < wanted ? there : 0
    }

    private static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// What the bytes are in an encoding; nil where some are nothing in it. The last character may be cut.
    static func exactly(_ bytes: ArraySlice<UInt8>, in encoding: String) -> String? {
        converted(bytes, from: encoding, exactly: true).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What cannot be read is one replacement character a byte, or a question mark.
    private static func converted(_ bytes: ArraySlice<UInt8>, from encoding: String) -> [UInt8] {
        converted(bytes, from: encoding, exactly: false) ?? repaired(bytes)
    }

    /// Nil where there is no such encoding, and where something cannot be read and all must be.
    private static func converted(_ bytes: ArraySlice<UInt8>, from encoding: String, exactly: Bool) -> [UInt8]? {
        let converter = iconv_open("UTF-8", encoding)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = Array(bytes.map { CChar(bitPattern: $0) })
        var output: [UInt8] = []
        var part = [CChar](repeating: 0, count: 64 << 10)
        var isWhole = true
        input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress
            var left = input.count
            while left > 0 {
                let before = left
                let (result, code, made) = part.withUnsafeMutableBufferPointer { part in
                    var place = part.baseAddress
                    var room = part.count
                    let result = iconv(converter, &next, &left, &place, &room)
                    return (result, errno, part.count - room)
                }
                output += part.prefix(made).map { UInt8(bitPattern: $0) }
                guard result == -1 else { continue }
                if code == E2BIG, left < before || made > 0 { continue }
                // A sequence that means nothing, or that the end cuts.
                if exactly {
                    isWhole = code == EINVAL
                    return
                }
                output += [0xEF, 0xBF, 0xBD]
                next = next.map { $0 + 1 }
                left -= 1
            }
        }
        return isWhole ? output : nil
    }
}
