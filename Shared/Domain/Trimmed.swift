// SPDX-License-Identifier: Apache-2.0
// Text without what surrounds it.

extension Substring {
    /// Without white space at both ends.
    public var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension String {
    /// Without white space at both ends.
    public var trimmed: String { String(self[...].trimmed) }
}
