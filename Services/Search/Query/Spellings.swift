// SPDX-License-Identifier: Apache-2.0
// Words that are written in several ways.

import TextAnalysis

/// Spellings that writers of Korean and Japanese vary: loan words before and after the rules, kanji and kana of everyday words.
enum Spellings {
    /// An analysed form, without the spaces around it.
    private static func form(_ text: AnalyzedText) -> String {
        let letters = text.form.indices.filter { text.form[$0] != 0x20 }
        guard let first = letters.first, let last = letters.last else { return "" }
        return String(scalars: text.form[first...last])
    }

    /// The others, where a text is one of them or holds one of three letters or more.
    static func variants(of text: AnalyzedText) -> [String] {
        let form = form(text)
        if let group = table[form] { return group.filter { $0 != form } }
        let scalars = form.unicodeScalars.map(\.value)
        guard scalars.count <= 24, !scalars.contains(0x20) else { return [] }
        var found: (place: Range<Int>, group: [String])?
        for place in scalars.indices {
            for (word, others) in long[scalars[place]] ?? [] where word.count > found?.place.count ?? 0 {
                if scalars[place...].starts(with: word) { found = (place..<(place + word.count), others) }
            }
        }
        guard let found else { return [] }
        return found.group.map {
            String(
                scalars: scalars[..<found.place.lowerBound] + $0.unicodeScalars.map(\.value)
                    + scalars[found.place.upperBound...]
            )
        }
    }

    /// Those of three letters and more by their first, with what they are besides.
    private static let long: [UInt32: [(word: [UInt32], others: [String])]] = table.reduce(into: [:]) { long, entry in
        let word = entry.key.unicodeScalars.map(\.value)
        guard word.count > 2, let first = word.first else { return }
        long[first, default: []].append((word, entry.value.filter { $0 != entry.key }))
    }

    /// By the folded form of each.
    private static let table: [String: [String]] = {
        let lines = """
            콘텐츠 컨텐츠;케이크 케익 케잌;메시지 메세지;카페 까페;돈가스 돈까스 돈카츠;초콜릿 초콜렛;주스 쥬스;네트워크 네트웍;워크숍 워크샵;액세서리 악세사리 \
            악세서리;리더십 리더쉽;스케줄 스케쥴;비즈니스 비지니스;파이팅 화이팅;떡볶이 떡볶기 떡뽁이 떡복이;커피숍 커피샵;소시지 소세지;바비큐 바베큐;로봇 로보트;\
            라켓 라켙;슈퍼마켓 수퍼마켓;알고리즘 알고리듬;데이터 데이타;컴퓨터 컴퓨타;프로그램 프로그렘;애플리케이션 어플리케이션;앱 어플;디렉터리 디렉토리;소프트웨어 \
            소프트웨아;타깃 타겟;배지 뱃지;재킷 자켓;카디건 가디건;앙코르 앵콜;캐럴 캐롤;도넛 도너츠 도넛츠;랍스터 로브스터;요구르트 요거트;아웃렛 아울렛;김치찌개 \
            김치찌게;된장찌개 된장찌게;육개장 육계장;설렁탕 설농탕;짜장면 자장면;바게트 바게뜨;크루아상 크로와상;크리스마스 성탄절;휴대폰 핸드폰 휴대전화;며칠 몇일;\
            오랜만 오랫만;웬만 왠만;설거지 설겆이;베개 베게;깍두기 깎두기;어쨌든 어쨋든;굳이 구지;금세 금새;\
            子供 子ども こども;美味しい おいしい;寿司 すし 鮨;綺麗 きれい 奇麗;友達 友だち ともだち;可愛い かわいい;林檎 りんご;珈琲 こーひー;麦酒 びーる;\
            煙草 たばこ;拉麺 らーめん;餃子 ぎょうざ;蕎麦 そば;饂飩 うどん;味噌 みそ;醤油 しょうゆ;御飯 ご飯 ごはん;お弁当 弁当 べんとう;鞄 かばん;眼鏡 めがね;鍵 かぎ;\
            嬉しい うれしい;楽しい たのしい;難しい むずかしい;面白い おもしろい;欲しい ほしい;始めて 初めて はじめて;一人 ひとり;二人 ふたり;大人 おとな;今日 きょう;\
            明日 あした;昨日 きのう;猫 ねこ;犬 いぬ;桜 さくら;紅葉 もみじ;蜜柑 みかん;葡萄 ぶどう;苺 いちご;人参 にんじん;玉葱 玉ねぎ たまねぎ;じゃが芋 じゃがいも;\
            茄子 なす;胡瓜 きゅうり;卵 玉子 たまご;鶏肉 とりにく;掃除 そうじ;引越し 引っ越し 引越;取り扱い 取扱い 取扱;申し込み 申込み 申込;受け付け 受付;\
            打ち合わせ 打合せ;問い合わせ 問合せ;組み立て 組立;お祭り 祭り まつり;花見 お花見;時計 とけい;言葉 ことば;漢字 かんじ;勉強会 べんきょう会;散歩 さんぽ;\
            旅 たび;海 うみ;お茶 茶;日本 にほん にっぽん;自転車 チャリ;携帯 ケータイ;気持ち きもち;怖い こわい;寒い さむい;暑い あつい;温泉 おんせん;銭湯 せんとう;\
            스위프트 swift;파이썬 python;자바스크립트 javascript;리액트 react;플러터 flutter;도커 docker;쿠버네티스 kubernetes;깃허브 github;유튜브 youtube;\
            인스타그램 instagram;넷플릭스 netflix;와이파이 wifi;안드로이드 android;email e-mail;wifi wi-fi;postgresql postgres;javascript js;typescript ts;kubernetes k8s;ok okay;theatre theater;grey gray;organise organize
            """
        var table: [String: [String]] = [:]
        for line in lines.split(separator: ";") {
            let group = line.split { $0 == " " || $0 == "\n" }.map { form(AnalyzedText(String($0))) }
            for word in group { table[word] = Array(Set((table[word] ?? []) + group)).sorted() }
        }
        return table
    }()
}
