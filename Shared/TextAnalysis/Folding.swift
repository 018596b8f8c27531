// SPDX-License-Identifier: Apache-2.0
// Text as it is compared: what writers vary without meaning anything by it is the same.

/// Text folded scalar by scalar: NFKC, case, width, accents, katakana as hiragana, Hangul put together, old forms of kanji.
///
/// The standard library has no compatibility decomposition in public and Foundation's would bring ICU's tables into every process,
/// so the few kilobytes that a search needs stand in `FoldingData.swift`. Linear in the text, whatever is in it.
public struct FoldedText: Sendable {
    /// In the order of the text.
    public private(set) var scalars: [UInt32] = []
    /// Where in the source's UTF-8 the scalar stands that each came from.
    public private(set) var places: [Range<Int>] = []

    /// - Parameter limit: how many scalars are looked at, and about how many are made of them.
    public init(_ text: String, limit: Int = .max) {
        let capacity = min(text.utf8.count, limit)
        scalars.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
        var (offset, seen) = (0, 0)
        for scalar in text.unicodeScalars {
            guard seen < limit, scalars.count < limit else { break }
            seen += 1
            let end = offset + UTF8.width(scalar)
            if scalar.value < 0x80 {
                append((0x41...0x5A).contains(scalar.value) ? scalar.value + 32 : scalar.value, offset, end)
            } else {
                switch FoldingTable.shared[scalar.value] {
                case .itself: append(scalar.value, offset, end)
                case .one(let folded): append(folded, offset, end)
                case .many(let folded):
                    for part in folded { append(part, offset, end) }
                    if folded.isEmpty { widen(from: offset, to: end) }
                }
            }
            offset = end
        }
        standAlone()
    }

    /// The folded text.
    public var text: String {
        var view = String.UnicodeScalarView()
        for scalar in scalars { Unicode.Scalar(scalar).map { view.append($0) } }
        return String(view)
    }

    /// What says nothing by itself stands where that stands to which it was added.
    private mutating func widen(from start: Int, to end: Int) {
        guard let last = places.last, last.upperBound == start else { return }
        places[places.count - 1] = last.lowerBound..<end
    }

    @inline(__always) private mutating func append(_ scalar: UInt32, _ start: Int, _ end: Int) {
        // Most scalars: nothing is joined to the one before.
        if Self.isPlain(scalar), !Self.mayJoin(scalars.last ?? 0) { return push(scalar, start, end) }
        join(scalar, start, end)
    }

    private mutating func join(_ scalar: UInt32, _ start: Int, _ end: Int) {
        if let last = scalars.last, let joined = Hangul.join(last, scalar) ?? Kana.join(last, scalar) {
            scalars[scalars.count - 1] = joined
            places[places.count - 1] = places[places.count - 1].lowerBound..<end
            return
        }
        standAlone()
        guard let last = scalars.last else { return push(scalar, start, end) }
        if Kana.isMark(scalar) { return }
        if scalar == Kana.iteration, Script.of(last) == .han { return push(last, start, end) }
        if let repeated = Kana.repetition(of: last, by: scalar) { return push(repeated, start, end) }
        // A second long-vowel mark says no more than the one before it.
        if scalar == last, scalar == Kana.long || isThird(scalar) { return }
        push(scalar, start, end)
    }

    /// Whether it stands for itself, whatever precedes it that may not join.
    private static func isPlain(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x80, 0x3041...0x3096, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    /// Whether something may become of it by what follows, or by what does not.
    private static func mayJoin(_ scalar: UInt32) -> Bool { scalar == 0x3094 || (0x1100...0x11FF).contains(scalar) }

    /// A letter of Hangul to which nothing was joined is the same as one that was typed by itself.
    private mutating func standAlone() {
        guard let jamo = scalars.last.flatMap(Hangul.alone) else { return }
        scalars.removeLast()
        if isThird(jamo) {
            places.removeLast()
        } else {
            scalars.append(jamo)
        }
    }

    /// A third ㅋ says no more than two.
    private func isThird(_ scalar: UInt32) -> Bool {
        Hangul.isJamo(scalar) && scalars.suffix(2).elementsEqual([scalar, scalar])
    }

    private mutating func push(_ scalar: UInt32, _ start: Int, _ end: Int) {
        scalars.append(scalar)
        places.append(start..<end)
    }
}

/// `FoldingData.swift` and `OldKanji.pairs`, by scalar.
struct FoldingTable: Sendable {
    enum Folded {
        case itself
        case one(UInt32)
        case many([UInt32])
    }

    static let shared = FoldingTable()

    /// By the upper bits of a scalar: where its page begins in `entries`, 0 for a page of which every scalar is itself.
    private var pages: [UInt16]
    /// 0: itself; with the top bit: the index of `sequences`; else the scalar it folds to.
    private var entries: [UInt32]
    private var sequences: [[UInt32]] = []

    subscript(scalar: UInt32) -> Folded {
        let page = Int(scalar >> 7)
        guard page < pages.count, pages[page] != 0 else { return .itself }
        let entry = entries[Int(pages[page]) << 7 | Int(scalar & 0x7F)]
        if entry == 0 { return .itself }
        return entry & 0x8000_0000 == 0 ? .one(entry) : .many(sequences[Int(entry & 0x7FFF_FFFF)])
    }

    private init() {
        pages = Array(repeating: 0, count: 0x11_0000 >> 7)
        entries = Array(repeating: 0, count: 128)
        let text = foldingData.withUTF8Buffer { Array($0) }
        var first: UInt32 = 0
        for entry in text.split(separator: UInt8(ascii: ";")) {
            var words = entry.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ">") }[...]
            let isSingle = entry.contains(UInt8(ascii: ">"))
            first += words.popFirst().map(Self.number) ?? 0
            if isSingle {
                set(first, words.map(Self.number))
                continue
            }
            guard words.count == 3, let count = words.first.map(Self.number) else { continue }
            let step = words.dropFirst().first.map(Self.number) ?? 0
            let isSame = words.dropFirst().first?.first == UInt8(ascii: "=")
            let isDropped = words.last?.first == UInt8(ascii: "-")
            let target = words.last.map(Self.number) ?? 0
            for index in 0..<count {
                let scalar = first + index * (isSame ? 1 : step)
                set(scalar, isDropped ? [] : [isSame ? target : target + index * step])
            }
        }
        for (old, new) in OldKanji.pairs { set(old, [new]) }
    }

    private mutating func set(_ scalar: UInt32, _ folded: [UInt32]) {
        let page = Int(scalar >> 7)
        guard page < pages.count else { return }
        if pages[page] == 0 {
            pages[page] = UInt16(truncatingIfNeeded: entries.count >> 7)
            entries += Array(repeating: 0, count: 128)
        }
        let place = Int(pages[page]) << 7 | Int(scalar & 0x7F)
        if folded.count == 1, let only = folded.first {
            entries[place] = only
        } else {
            entries[place] = 0x8000_0000 | UInt32(sequences.count)
            sequences.append(folded)
        }
    }

    private static func number(_ digits: some Sequence<UInt8>) -> UInt32 {
        digits.reduce(0) { number, digit in
            switch digit {
            case 48...57: number << 4 | UInt32(digit - 48)
            case 65...70: number << 4 | UInt32(digit - 55)
            default: number
            }
        }
    }
}

/// Kanji that names and older texts write in forms of before 1946, or in variants of them.
enum OldKanji {
    static var pairs: [(UInt32, UInt32)] {
        let pairs = """
            國国學学髙高﨑崎嵜崎齋斎齊斉邊辺邉辺澤沢濱浜廣広龍竜櫻桜圓円體体氣気讀読會会圖図區区樂楽榮栄藝芸假仮眞真實実寫写聲声臺台\
            澁渋淺浅驛駅鐵鉄鹽塩麵麺戀恋圍囲廳廳應応壽寿舊旧發発惠恵寶宝德徳瀨瀬彌弥靜静黑黒黃黄萬万與与嶋島嶌島龜亀曉暁條条來来佛仏\
            傳伝價価兒児兩両冨富劍剣勞労參参單単嚴厳變変團団壓圧壯壮壹一奧奥寬寛對対將将尙尚巖巌巢巣帶帯彈弾從従戰戦拜拝擔担據拠擴拡攝摂\
            數数斷断晝昼殘残殼殻毆殴歐欧歸帰氷氷狀状獨独獸獣畫画當当疊畳盜盗盡尽砲砲礼礼祿禄禮礼稱称穗穂穩穏竊窃經経綠緑緖緒縣県縱縦總総\
            繪絵繼継續続纖繊缺欠脫脱腦脳舍舎莊荘菓菓蟲虫蠶蚕裝装覺覚覽覧觀観觸触譯訳譽誉賣売贊賛轉転辭辞遙遥遞逓遲遅醫医醉酔釀醸釋釈銳鋭\
            錢銭鑛鉱關関陷陥險険隨随隱隠雙双雜雑靈霊顏顔顯顕飮飲餘余騷騒驗験髮髪鬪闘鷄鶏點点默黙齒歯齡齢
            """
        let scalars = pairs.unicodeScalars.map(\.value)
        return stride(from: 0, to: scalars.count - 1, by: 2).map { (scalars[$0], scalars[$0 + 1]) }
    }
}
