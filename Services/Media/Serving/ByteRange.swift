// SPDX-License-Identifier: Apache-2.0
// The part of a file that a `Range` asks for (RFC 9110, section 14).

/// What of a file is to be sent.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// There is nothing where the client wants something.
    case none

    /// What is not understood is as if it were not there; so are several ranges at a time.
    init(_ field: String?, of size: Int) {
        self = .whole
        guard let field, field.utf8.count <= 64, field.hasPrefix("bytes=") else { return }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = ByteRange.number(parts[0]), let last = ByteRange.number(parts[1]) else {
            return
        }
        switch (first, last) {
        case (nil, nil): return
        case (nil, .some(let count)): self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .none
        case (.some(let first), nil): self = first < size ? .part(first..<size) : .none
        case (.some(let first), .some(let last)):
            guard first <= last else { return }
            self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .none
        }
    }

    /// Nil for what is no number, and nil in it for nothing at all.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return .some(Int(text))
    }
}
