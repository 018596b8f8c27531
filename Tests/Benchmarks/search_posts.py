#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Posts in Korean, Japanese and English with the frequencies of a language: words follow Zipf's law, and so do the syllables they
are made of. The same seed gives the same posts.

    search_posts.py COUNT [SEED]    one post a line: language, a tab, the text
    search_posts.py queries FILE    queries for the posts of a file: kind, a tab, the query
"""

import collections
import itertools
import random
import re
import sys

KO_SYLLABLES = (
    "이다는에의가고하을로기지사도시리서은나자어를대정수한들있그인해아스보과일부게전원상구장라제여요동주마생방안오조만면회무용학신소유"
    "모성실화비연경공치미관선계우적습니까물교중개진식국간영문산음세위때심분입명차려바내출행양러년트책말글집밥꽃길봄"
)
KO_PARTICLES = ["은", "는", "이", "가", "을", "를", "에", "에서", "의", "로", "도", "와", "과", "까지", "부터", "하고", "만", "", "", "", ""]
KO_ENDINGS = ["했다", "합니다", "했어요", "하는 중", "좋다", "좋아요", "봤다", "있다", "있어요", "네요", "ㅋㅋ", "입니다", "이다", "먹었다", "간다"]
JA_KANJI = (
    "日本人大学生中国会社時間今年出見行語気手上前後子分下方事自者地物読書料理電車駅海山音楽映画店味朝夜春夏秋冬旅言葉友達勉強仕新古長高"
    "安全心道東京西南北開発問題力入動作品用水火木金土空天花鳥風月雨雪町村市区部屋家族父母犬猫食飲話聞歌絵写真"
)
JA_KANA = ["が", "を", "に", "で", "は", "の", "と", "も", "から", "まで", "より", "へ"]
JA_ENDINGS = ["です", "ます", "した", "ました", "だった", "している", "かも", "ですね", "でした", "したい", "なう"]
JA_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロワンーガギグゴジズダデドバビブベボパピプペポッ"
EN_COMMON = (
    "the of and to a in is it you that he was for on are with as his they be at one have this from or had by hot but some what there we "
    "can out other were all your when up use word how said an each she which do their time if will way about many then them would write "
    "like so these her long make thing see him two has look more day could go come did my sound no most number who over know water than "
    "call first people may down side been now find"
).split()
EN_PARTS = "ba be bi bo con co de di dis en er ex fa fi for gra ing in kin lan le li lo ma men mi mo na no or pa per pre pro ra re ri ro sa se si sta su ta te ter ti tion to tra tu un va ve vi wa".split()


def zipf(count, power=1.0):
    """Cumulated weights of `count` ranks."""
    return list(itertools.accumulate(1 / (rank + 2) ** power for rank in range(count)))


def words(random, letters, lengths, count, separator=""):
    weights = zipf(len(letters), 0.8)
    made = {}
    while len(made) < count:
        length = random.choices(*lengths)[0]
        made[separator.join(random.choices(letters, cum_weights=weights, k=length))] = None
    return list(made)


class Posts:
    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.korean = words(self.random, KO_SYLLABLES, ([1, 2, 3, 4], [4, 60, 28, 8]), 20_000)
        kanji = words(self.random, JA_KANJI, ([1, 2, 3, 4], [6, 70, 14, 10]), 12_000)
        katakana = words(self.random, JA_KATAKANA, ([3, 4, 5, 6], [3, 4, 2, 1]), 6_000)
        self.japanese = kanji + katakana
        self.random.shuffle(self.japanese)
        self.english = EN_COMMON + words(self.random, EN_PARTS, ([2, 3, 4], [5, 4, 1]), 25_000)
        self.weights = {name: zipf(len(getattr(self, name))) for name in ("korean", "japanese", "english")}

    def pick(self, name, count):
        return self.random.choices(getattr(self, name), cum_weights=self.weights[name], k=count)

    def post(self):
        """(language, text)"""
        choice, length = self.random.random(), int(self.random.lognormvariate(2.1, 0.6)) + 2
        length = min(length, 60)
        if choice < 0.45:
            text = " ".join(word + self.random.choice(KO_PARTICLES) for word in self.pick("korean", length))
            return "ko", self.tagged("korean", f"{text} {self.random.choice(KO_ENDINGS)}")
        if choice < 0.75:
            text = "".join(word + self.random.choice(JA_KANA) for word in self.pick("japanese", length))
            return "ja", self.tagged("japanese", text + self.random.choice(JA_ENDINGS))
        return "en", self.tagged("english", " ".join(self.pick("english", length + 4)))

    def tagged(self, name, text):
        if self.random.random() < 0.2:
            text += " #" + self.pick(name, 1)[0]
        if self.random.random() < 0.05:
            text += f" https://example.org/{self.random.randrange(10**6)}"
        return text


# What takes longest: frequent parts that are never together, all words there may be, all that is to be left out, and filters.
WORST = [
    "이 lang:en ",
    "the 이 に ",
    "이 다 는 에 의 가 고 하 을 로 기 지 ",
    "이 다 는 -의 -가 -고 -하 -을 -로 -기 -지 -도 ",
    "이 -lang:ko -lang:ja -has:image -has:link -from:p1 -from:p2 -from:p3 -from:p4 ",
    "lang:ko -이 -다 ",
    "이 from:p5001 ",
    "이 the lang:ko before:2024-01-01 after:2023-11-20 ",
    "the and you that was for are with his they be at",
    "co",
    "-이 -the lang:ja ",
    "\"이다\" \"에서\" \"하고\" -\"까지\" lang:ja ",
]
DENSE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]+")


def queries(file, count=200):
    """Words as often as they are written, so that most queries are for frequent ones; and words that at most five posts have."""
    chance = random.Random(3)
    with open(file, encoding="utf-8") as lines:
        texts = [line.rstrip("\n").split("\t")[1] for line in lines]
    posts = [text for text in chance.sample(texts, 5000) if "http" not in text and "#" not in text]
    uses = collections.Counter(word for text in texts for word in set(text.split()))

    def part(text):
        """A word; of Japanese, which has none that are parted, two characters."""
        word = chance.choice(text.split())
        if DENSE.fullmatch(word) and len(word) > 8:
            start = chance.randrange(len(word) - 2)
            return word[start : start + 2]
        return word

    made = collections.defaultdict(list)
    for text in posts:
        dense = "".join(DENSE.findall(text))
        if dense:
            made["one syllable"].append(chance.choice(dense) + " ")
        made["two words"].append(f"{part(text)} {part(text)} ")
        word = part(text)
        if len(word) > 2:
            made["prefix"].append(word[: max(2, len(word) * 2 // 3)])
        rare = [word for word in text.split() if uses[word] <= 5 and len(word) < 12]
        if rare:
            made["rare"].append(chance.choice(rare) + " ")
    made["worst"] = WORST
    for kind, texts in made.items():
        for text in texts[:count]:
            sys.stdout.write(f"{kind}\t{text}\n")


def main():
    if sys.argv[1] == "queries":
        queries(sys.argv[2])
        return
    posts = Posts(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1])):
        language, text = posts.post()
        sys.stdout.write(f"{language}\t{text}\n")


if __name__ == "__main__":
    main()
