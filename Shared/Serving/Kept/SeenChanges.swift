// SPDX-License-Identifier: Apache-2.0
// What a process knows of what changed: a value, apart from any database.

/// Which look at the changes found what.
///
/// What was read after a look began holds, at a later look, if none of its subjects was found to have changed in between.
struct SeenChanges: Sendable {
    /// A look by its number; they rise.
    typealias Look = Int

    /// The newest look; 0 where there was none.
    private(set) var newest: Look = 0
    /// What was read after an older look may have changed.
    private var oldest: Look = 1
    /// The newest look that found anything.
    private var last: Look = 0
    /// The newest look that found a subject changed.
    private var found: [Int64: Look] = [:]
    private let capacity: Int

    /// The subject that stands for everything.
    static let everything: Int64 = 0

    /// - Parameter capacity: how many subjects are known before it starts again.
    init(capacity: Int = 100_000) { self.capacity = capacity }

    /// Notes a look.
    mutating func note(_ subjects: [Int64]) {
        newest += 1
        guard !subjects.isEmpty else { return }
        last = newest
        guard !subjects.contains(Self.everything), found.count + subjects.count <= capacity else {
            return restart(at: newest)
        }
        for subject in subjects { found[subject] = newest }
    }

    /// Notes a look that cannot tell what changed before it.
    mutating func noteAnew() {
        newest += 1
        restart(at: newest)
    }

    private mutating func restart(at look: Look) {
        oldest = look
        found.removeAll(keepingCapacity: true)
    }

    /// Whether anything may have changed after a look.
    func hasChanges(since look: Look) -> Bool { look < oldest || last > look }

    /// Whether subjects are what they were after a look.
    func hold(_ subjects: [Int64], since look: Look) -> Bool {
        guard hasChanges(since: look) else { return true }
        guard look >= oldest else { return false }
        return subjects.allSatisfy { found[$0].map { $0 <= look } ?? true }
    }
}
