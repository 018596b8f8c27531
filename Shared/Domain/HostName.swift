// SPDX-License-Identifier: Apache-2.0
// Names of hosts in the one form in which they are compared.

/// A domain in lower-case ASCII: labels of other letters as RFC 5891 has them (`xn--…`), without a dot at the end and without a port.
public struct HostName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Nil for what is no domain of two labels or more, such as an address of a network.
    public init?(_ host: some StringProtocol) {
        guard host.utf8.count <= 1024 else { return nil }
        var host = host.lowercased()[...]
        if let port = host.lastIndex(of: ":") { host = host[..<port] }
        if host.last.map(HostName.isDot) == true { host.removeLast() }
        var labels: [String] = []
        for label in host.split(omittingEmptySubsequences: false, whereSeparator: HostName.isDot) {
            guard let ascii = Punycode.label(label), HostName.isLabel(ascii) else { return nil }
            labels.append(ascii)
        }
        guard labels.count > 1, labels.last?.utf8.allSatisfy({ (48...57).contains($0) }) == false else { return nil }
        text = labels.joined(separator: ".")
        guard text.utf8.count <= 253 else { return nil }
    }

    /// The name itself and those that it is a part of: `a.b.example`, `b.example`, `example`.
    public var wholes: [String] {
        [text] + text.indices.filter { text[$0] == "." }.map { String(text[text.index(after: $0)...]) }
    }

    public var description: String { text }

    /// RFC 3490, section 3.1, takes these for dots.
    private static func isDot(_ character: Character) -> Bool { ".\u{3002}\u{FF0E}\u{FF61}".contains(character) }

    private static func isLabel(_ label: String) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
    }
}

/// Labels of domains in ASCII (RFC 3492).
enum Punycode {
    private static let base = 36
    private static let least = 1
    private static let most = 26
    private static let skew = 38
    private static let damp = 700

    /// Nil for a label that is too long.
    static func label(_ label: Substring) -> String? {
        if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
        let scalars = label.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= 63 else { return nil }
        return "xn--" + encoded(scalars)
    }

    private static func encoded(_ scalars: [Int]) -> String {
        var output = scalars.filter { $0 < 0x80 }.compactMap { UInt8(exactly: $0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (lowest, delta, bias, handled) = (0x80, 0, 72, basic)
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= lowest }).min() else { break }
            delta += (next - lowest) * (handled + 1)
            lowest = next
            for scalar in scalars {
                if scalar < lowest { delta += 1 }
                guard scalar == lowest else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            lowest += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, step) = (delta, base)
        while true {
            let threshold = step <= bias ? least : step >= bias + most ? most : step - bias
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - least) * most / 2 {
            delta /= base - least
            steps += base
        }
        return steps + (base - least + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value < 26 ? 97 + value : 22 + value) }
}
