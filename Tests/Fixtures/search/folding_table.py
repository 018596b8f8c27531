#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Shared/TextAnalysis/FoldingData.swift from the Unicode data of Python, and the sample that a test compares with.

Every scalar stands for what is left of it in a search: its compatibility decomposition, in lower case, without the marks that
Latin, Greek, Cyrillic, Arabic and Hebrew writers leave out, katakana as hiragana. Hangul is put together again by the code.

An entry is GAP COUNT STEP TARGET: COUNT scalars, each STEP from the last, fold to TARGET and what is STEP further each time; or
GAP COUNT = TARGET: they all fold to TARGET, or to nothing where it is "-"; or GAP > TARGET TARGET…, a single one. The first scalar
of an entry is GAP further than that of the entry before. Numbers are hexadecimal.
"""

import pathlib
import random
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[3]
LETTERS = {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŧ": "t", "ŋ": "n", "ə": "e"}
DROPPED = [
    (0x00AD, 0x00AD), (0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5),
    (0x05C7, 0x05C7), (0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06DC), (0x061C, 0x061C),
    (0x180B, 0x180E), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xFEFF, 0xFEFF), (0x1F3FB, 0x1F3FF), (0xE0000, 0xE0FFF),
]
COMPATIBILITY_JAMO = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def is_dropped(code):
    return any(first <= code <= last for first, last in DROPPED)


def jamo(character):
    """A jamo that stands alone, as a keyboard writes it."""
    code = ord(character)
    if 0x1100 <= code <= 0x1112:
        return COMPATIBILITY_JAMO[code - 0x1100]
    if 0x1161 <= code <= 0x1175:
        return VOWELS[code - 0x1161]
    if 0x11A8 <= code <= 0x11C2:
        return FINALS[code - 0x11A8]
    return character


def fold(character):
    code = ord(character)
    if is_dropped(code):
        return ""
    if 0x1100 <= code <= 0x11FF or 0x3131 <= code <= 0x318E or 0xAC00 <= code <= 0xD7A3 or code in (0x3099, 0x309A):
        return character
    text = character
    for _ in range(3):
        text = unicodedata.normalize("NFKD", text).casefold()
    out = []
    for part in text:
        out.append(LETTERS.get(part, part))
    text = "".join(out)
    text = "".join(part for part in text if not is_dropped(ord(part)))
    if any(0x3040 <= ord(part) <= 0x30FF for part in text):
        text = unicodedata.normalize("NFC", text)
        text = "".join(chr(ord(part) - 0x60) if 0x30A1 <= ord(part) <= 0x30F6 or part in "ヽヾ" else part for part in text)
    if any(0xAC00 <= ord(part) <= 0xD7A3 or 0x1100 <= ord(part) <= 0x11FF for part in text):
        text = "".join(jamo(part) for part in unicodedata.normalize("NFC", text))
    if text in ("\u1160", "\u3164"):
        return ""
    return text


def main():
    table = {}
    for code in range(0x80, 0x110000):
        if 0xD800 <= code <= 0xDFFF or 0xE000 <= code <= 0xF8FF or is_dropped(code):
            continue
        character = chr(code)
        folded = fold(character)
        if folded != character:
            table[code] = [ord(part) for part in folded]
    codes = sorted(table)
    entries = [(first, f"{last - first + 1:X} = -") for first, last in DROPPED]
    done = set()
    for code in codes:
        if code in done:
            continue
        if len(table[code]) == 1:
            target, best = table[code][0], (1, 0, 1)
            for stride, step in ((1, 1), (2, 2), (1, 0)):
                count = 1
                while code + count * stride not in done and table.get(code + count * stride) == [target + count * step]:
                    count += 1
                best = max(best, (count, step, stride))
            count, step, stride = best
            if count > 2 or (count == 2 and step == 0):
                done.update(code + index * stride for index in range(count))
                entries.append((code, f"{count:X} = {target:X}" if step == 0 else f"{count:X} {step} {target:X}"))
                continue
        done.add(code)
        entries.append((code, ">" + " ".join(f"{part:X}" for part in table[code])))
    lines, before = [], 0
    for code, text in sorted(entries):
        lines.append(f"{code - before:X}{'' if text[0] == '>' else ' '}{text}")
        before = code
    rows, row = [], ""
    for line in lines:
        if len(row) + len(line) > 114:
            rows.append(row)
            row = ""
        row += line + ";"
    rows.append(row)
    (ROOT / "Shared/TextAnalysis/FoldingData.swift").write_text(
        "// SPDX-License-Identifier: Apache-2.0\n"
        f"// Written by Tests/Fixtures/search/folding_table.py from Unicode {unicodedata.unidata_version}; not by hand.\n\n"
        "/// What scalars fold to; the form is told there.\n"
        'let foldingData: StaticString = """\n    ' + "\\\n    ".join(rows) + '\n    """\n'
    )
    chance = random.Random(7)
    sample = sorted(chance.sample(codes, 400) + [code for code in range(0xA0, 0x180)])
    (ROOT / "Tests/Fixtures/search/folding.tsv").write_text(
        "".join(f"{code:X}\t{' '.join(f'{ord(part):X}' for part in fold(chr(code)))}\n" for code in sorted(set(sample)))
    )


if __name__ == "__main__":
    main()
