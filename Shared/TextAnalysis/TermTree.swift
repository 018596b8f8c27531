// SPDX-License-Identifier: Apache-2.0
// Finds many words in a text at once.

/// An automaton of Aho and Corasick (1975) over scalars: a text is walked once, whatever and however many the words are. A place in
/// the text has at most as many occurrences that end there as there are lengths of words.
public struct TermTree: Sendable {
    /// One place where a word was found, in scalars of the text.
    public struct Occurrence: Hashable, Sendable {
        /// Of the word, in the order in which the words were given.
        public let word: Int
        public let range: Range<Int>
    }

    private struct State {
        /// Where the search goes on when no edge fits: the longest end of what was read that begins a word.
        var fallback = 0
        /// The next state on the way of fallbacks at which a word ends; 0 for none.
        var shorter = 0
        var word: Int?
        var length = 0
    }

    private struct Edge: Hashable {
        let state: Int
        let scalar: UInt32
    }

    private var states = [State()]
    private var edges: [Edge: Int] = [:]

    /// - Parameter words: in the form in which they are looked for. Of equal ones only the first is found; empty ones never are.
    public init(_ words: [[UInt32]]) {
        var order: [(state: Int, parent: Int, scalar: UInt32)] = []
        for (index, word) in words.enumerated() where !word.isEmpty {
            var state = 0
            for scalar in word {
                let edge = Edge(state: state, scalar: scalar)
                if let next = edges[edge] {
                    state = next
                } else {
                    states.append(State(length: states[state].length + 1))
                    edges[edge] = states.count - 1
                    order.append((states.count - 1, state, scalar))
                    state = states.count - 1
                }
            }
            if states[state].word == nil { states[state].word = index }
        }
        // Those nearer to the root first: what a state falls back to is shorter.
        for entry in order.sorted(by: { states[$0.state].length < states[$1.state].length }) {
            let fallback = entry.parent == 0 ? 0 : step(from: states[entry.parent].fallback, by: entry.scalar)
            states[entry.state].fallback = fallback
            states[entry.state].shorter = states[fallback].word == nil ? states[fallback].shorter : fallback
        }
    }

    public var isEmpty: Bool { edges.isEmpty }

    /// Calls `found` for each occurrence, in the order of their ends and the longer first, until it returns false.
    public func search(_ text: [UInt32], _ found: (Occurrence) -> Bool) {
        var state = 0
        for (place, scalar) in text.enumerated() {
            state = step(from: state, by: scalar)
            var ending = states[state].word == nil ? states[state].shorter : state
            while ending != 0 {
                if let word = states[ending].word {
                    let end = place + 1
                    guard found(Occurrence(word: word, range: end - states[ending].length..<end)) else { return }
                }
                ending = states[ending].shorter
            }
        }
    }

    private func step(from start: Int, by scalar: UInt32) -> Int {
        var state = start
        while true {
            if let next = edges[Edge(state: state, scalar: scalar)] { return next }
            if state == 0 { return 0 }
            state = states[state].fallback
        }
    }
}
