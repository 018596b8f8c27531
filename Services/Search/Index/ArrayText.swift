// SPDX-License-Identifier: Apache-2.0
// Several lists of numbers in one parameter: PostgreSQL has no array of arrays of different lengths.

extension Sequence where Element: BinaryInteger {
    /// As PostgreSQL reads an array from text: `{1,2}`.
    var arrayText: String {
        var text = "{"
        for number in self {
            if text.utf8.count > 1 { text += "," }
            text += String(number)
        }
        return text + "}"
    }
}
