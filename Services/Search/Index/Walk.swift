// SPDX-License-Identifier: Apache-2.0
// Where to look for what matches, newest first.

/// Steps from the newest documents on to older ones, the first one as wide as is likely to hold enough, each further one wider. Of
/// each step: the ids that lie in it, and the keys under which an index has what is looked for.
struct Walk: Sendable {
    /// Below which ids a step begins, and above or at which it ends.
    private(set) var ceilings: [Int64] = []
    private(set) var floors: [Int64] = []
    /// Of each group of terms, one of which must be there, the keys in each step.
    private(set) var groups: [Keys]
    /// The keys that must not be there, in each step.
    private(set) var excluded = Keys()

    /// Keys of each step, one step after the other.
    struct Keys: Sendable {
        private(set) var all: [Int32] = []
        /// Where those of a step begin and end in `all`, as PostgreSQL counts: from 1 on, the last one included.
        private(set) var starts: [Int32] = []
        private(set) var ends: [Int32] = []

        fileprivate mutating func add(_ terms: [Int32], _ lists: Lists, in segments: ClosedRange<Int>) {
            starts.append(Int32(truncatingIfNeeded: all.count + 1))
            for term in terms { lists.addKeys(of: term, in: segments, to: &all) }
            ends.append(Int32(truncatingIfNeeded: all.count))
        }
    }

    /// Whether each group that the match has is among `groups`, whole.
    let isWhole: Bool

    /// How many keys that must not be there a step may have: each document is compared with each.
    private static let excludedLimit = 16
    private static let growth = 4

    init(_ match: Match, _ lists: Lists) {
        let plan = Plan(match, lists)
        groups = plan.groups.map { _ in Keys() }
        isWhole = Set(plan.groups) == Set(match.groups + match.facts)
        guard var high = lists.newest, match.floor < match.ceiling else { return }
        if match.ceiling < .max { high = lists.segment(of: match.ceiling - 1) }
        let low = match.floor > .min ? lists.segment(of: match.floor) : 0
        var width = plan.width
        while high >= low {
            var first = max(low, high + 1 - width)
            // A list is looked into as a whole, once: its documents are read whether they lie in the step or not.
            let alignment = width >= plan.alignment ? plan.alignment : plan.grain
            first = max(low, first / alignment * alignment)
            let segments = first...high
            ceilings.append(high == lists.newest ? match.ceiling : min(match.ceiling, lists.firsts[high + 1]))
            floors.append(max(lists.firsts[first], match.floor == .min ? .min : match.floor + 1))
            for (index, terms) in plan.groups.enumerated() { groups[index].add(terms, lists, in: segments) }
            excluded.add(plan.excluded, lists, in: segments)
            high = first - 1
            // What the first step lacks is little where it was nearly wide enough.
            if ceilings.count > 1 { width = min(width * Self.growth, max(plan.width, plan.widest)) }
        }
    }

    private struct Plan {
        /// The rarest first.
        var groups: [[Int32]]
        let excluded: [Int32]
        /// In segments.
        let width: Int
        let widest: Int
        let alignment: Int
        /// Of how many segments the shortest lists are.
        let grain: Int

        /// What it takes to look into one list, at one document and at one key while walking along the lists, and to begin a step,
        /// in microseconds. Only their ratios matter.
        private static let costs = (list: 4.0, document: 5.0, key: 0.0024, step: 20.0)
        /// How many groups a scan of the index takes at most, besides of facts.
        private static let groupLimit = 6

        init(_ match: Match, _ lists: Lists) {
            func density(_ group: [Int32]) -> Double { group.reduce(0) { $0 + lists.density(of: $1) } }
            func finest(_ group: [Int32]) -> Int { group.reduce(Lists.whole) { min($0, lists.shift(of: $1)) } }
            /// As if what is rarer than a group were half as likely with it as by itself.
            func chance(_ group: [Int32]) -> Double {
                min(1, (density(group) / Double(SegmentStore.size)).squareRoot())
            }
            let facts = match.facts.sorted { density($0) < density($1) }
            func segments(for words: [[Int32]]) -> Double {
                let all = (words + facts).sorted { density($0) < density($1) }
                // What is looked for together often stands together; a first step that is too narrow costs less than one too wide.
                let expected = all.dropFirst().reduce(all.first.map(density) ?? Double(SegmentStore.size)) {
                    $0 * chance($1).squareRoot()
                }
                return Double(match.limit) * 1.25 / max(expected, 0.000_1)
            }
            // Of the many words that somebody may have begun, the frequent ones are enough where they fill the step many times: the
            // list of a rare one is as long as all steps, and all of it would be looked at in each.
            let first = max(1, segments(for: match.groups))
            let words = match.groups.map { group in
                let fine = group.filter { Double(1 << lists.shift(of: $0)) <= first * 2 }
                let isEnough = density(fine) * Double(lists.firsts.count) > Double(match.limit * 8)
                return group.count > 4 && isEnough ? fine : group
            }.sorted { density($0) < density($1) }
            let rarest = (words + facts).min { density($0) < density($1) }.map(finest) ?? 0
            excluded = match.excluded
            let needed = segments(for: words)
            // A group is looked for by its keys where that takes less than looking at the documents it would leave out.
            let reach = min(needed, Double(lists.firsts.count))
            groups = Array(words.prefix(1))
            var left = reach * (words.first.map(density) ?? 0)
            for group in words.dropFirst() where groups.count < Self.groupLimit {
                let looks = group.reduce(0.0) { $0 + max(1, reach / Double(1 << lists.shift(of: $1))) }
                let saved = left * (1 - chance(group))
                guard saved * Self.costs.document > looks * Self.costs.list else { continue }
                groups.append(group)
                left -= saved
            }
            groups = (groups + facts).sorted { density($0) < density($1) }
            grain = 1 << (groups.joined().map(lists.shift).min() ?? 0)
            let isOne = groups.count < 2 && excluded.isEmpty
            // Of one group alone all documents are looked at, and where a list goes on in the next step, there once more.
            var widest =
                isOne ? 1 << 20 : Self.widest(groups.map { $0.map(lists.shift) }, groups.first.map(density) ?? 0)
            if !excluded.isEmpty { widest = min(widest, Walk.excludedLimit << finest(excluded) / excluded.count) }
            self.widest = max(1, widest)
            // As much of a list that is not cut is looked at for a part of its documents as for all of them.
            let least = isOne && rarest == Lists.whole ? Double(1 << rarest) : needed.rounded(.up)
            width = max(1, Int(min(least, Double(self.widest))))
            alignment = isOne ? 1 << rarest : 1 << (Int.bitWidth - 1 - self.widest.leadingZeroBitCount)
        }

        /// At how many segments steps cost least in all. PostgreSQL compares every document that a scan of the index comes across with
        /// all keys of the step, so that a step that is twice as wide costs four times as much; many steps cost what each begins with.
        ///
        /// - Parameters:
        ///   - shifts: of the terms of each group.
        ///   - density: of the rarest group.
        private static func widest(_ shifts: [[Int]], _ density: Double) -> Int {
            let shifts = shifts.joined()
            let keys = shifts.reduce(0.0) { $0 + 1 / Double(1 << $1) }
            let step = costs.step + costs.list * Double(shifts.count)
            let width = (step / max(2 * density * keys * costs.key, 1e-9)).squareRoot()
            // What is narrower than the shortest lists looks into each of them more than once.
            return max(Int(min(width, 1_048_576)), 1 << (shifts.min() ?? 0))
        }
    }
}
