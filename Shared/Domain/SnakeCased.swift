// SPDX-License-Identifier: Apache-2.0
// How members of JSON are called that are coded with Codable.

/// Keys whose names in JSON are those of the properties in snake case: `actorID` is `actor_id`, `boostIDs` is `boost_ids`.
public protocol SnakeCased: CodingKey, RawRepresentable<String>, CaseIterable {}

extension SnakeCased {
    public var stringValue: String { snakeCased(rawValue) }

    public init?(stringValue: String) {
        guard let key = Self.allCases.first(where: { $0.stringValue == stringValue }) else { return nil }
        self = key
    }
}

/// Made anew for every key: some thirty nanoseconds, where an event costs hundreds of microseconds.
private func snakeCased(_ name: String) -> String {
    var name = name
    return name.withUTF8 { letters in
        let capitals = letters.count { isCapital($0) }
        return String(unsafeUninitializedCapacity: letters.count + capitals) { text in
            var count = 0
            var isInside = false
            for letter in letters {
                if isCapital(letter), !isInside {
                    text[count] = UInt8(ascii: "_")
                    count += 1
                }
                isInside = isCapital(letter)
                text[count] = isInside ? letter | 0x20 : letter
                count += 1
            }
            return count
        }
    }
}

private func isCapital(_ letter: UInt8) -> Bool { (65...90).contains(letter) }
