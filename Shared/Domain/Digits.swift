// SPDX-License-Identifier: Apache-2.0
// Numbers as decimal digits of ASCII, written in place.

extension OutputSpan where Element == UInt8 {
    /// Appends a number in decimal: up to 20 bytes.
    ///
    /// - Parameter least: digits that it has at least, up to 20, with zeros before the others.
    public mutating func append(decimal value: Int64, least: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.endIndex
            while rest >= 10 {
                let pair = 2 * Int(rest % 100)
                rest /= 100
                first -= 2
                digits[first] = pairs.utf8Start[pair]
                digits[first + 1] = pairs.utf8Start[pair + 1]
            }
            if rest > 0 || first == digits.endIndex {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
            }
            while first > digits.endIndex - least {
                first -= 1
                digits[first] = UInt8(ascii: "0")
            }
            append(UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends bytes that there is room for.
    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        precondition(bytes.count <= freeCapacity)
        withUnsafeMutableBufferPointer { buffer, count in
            guard let end = buffer.baseAddress?.advanced(by: count) else { return }
            end.initialize(from: start, count: bytes.count)
            count += bytes.count
        }
    }
}

/// The numbers from 00 to 99.
private let pairs: StaticString = """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """

extension String {
    /// What `body` writes in ASCII into up to so many bytes.
    init(ascii capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        self = String(decoding: [UInt8](capacity: capacity, initializingWith: body), as: UTF8.self)
    }
}
