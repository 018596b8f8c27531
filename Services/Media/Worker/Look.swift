// SPDX-License-Identifier: Apache-2.0
// What is shown until a picture has come.

import Glibc
import MediaWork

/// A blurhash and a colour.
struct Look {
    let blurhash: String
    let colour: String

    /// Enough points for what a few waves can tell.
    private static let side = 64

    init(of picture: Picture) throws {
        let small = try picture.within(Self.side, Self.side).opaque()
        (blurhash, colour) = try small.withPoints { points in
            (
                BlurHash.text(points, width: small.width, height: small.height),
                Colour.most(points)
            )
        }
    }
}

/// The colour that most of a picture has.
enum Colour {
    /// `#rrggbb` of the mean of those points that fall into the fullest of 512 boxes.
    static func most(_ points: UnsafeRawBufferPointer) -> String {
        var boxes = Array(repeating: (count: 0, red: 0, green: 0, blue: 0), count: 512)
        for point in stride(from: 0, to: points.count - 2, by: 3) {
            let (red, green, blue) = (Int(points[point]), Int(points[point + 1]), Int(points[point + 2]))
            let box = (red >> 5) * 64 + (green >> 5) * 8 + (blue >> 5)
            boxes[box].count += 1
            boxes[box].red += red
            boxes[box].green += green
            boxes[box].blue += blue
        }
        guard let fullest = boxes.max(by: { $0.count < $1.count }), fullest.count > 0 else { return "#000000" }
        let digits = Array("0123456789abcdef")
        return [fullest.red, fullest.green, fullest.blue].reduce(into: "#") { text, sum in
            let value = sum / fullest.count
            text.append(digits[value >> 4 & 15])
            text.append(digits[value & 15])
        }
    }
}

/// BlurHash (https://github.com/woltapp/blurhash/blob/master/Algorithm.md) of four by three components.
package enum BlurHash {
    private static let across = 4
    private static let down = 3
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
    )

    /// The text for points of three bytes each.
    package static func text(_ points: UnsafeRawBufferPointer, width: Int, height: Int) -> String {
        let waves = waves(points, width: width, height: height)
        let (mean, others) = (waves[0], waves.dropFirst())
        let largest = others.flatMap { [abs($0.x), abs($0.y), abs($0.z)] }.max() ?? 0
        let step = max(0, min(82, Int(largest * 166 - 0.5)))
        let unit = Double(step + 1) / 166
        var text = base83(across - 1 + (down - 1) * 9, 1) + base83(step, 1)
        text += base83(level(mean.x) << 16 | level(mean.y) << 8 | level(mean.z), 4)
        for wave in others {
            let parts = [wave.x, wave.y, wave.z].map { part in
                let root = (abs(part) / unit).squareRoot() * (part < 0 ? -1 : 1)
                return max(0, min(18, Int((root * 9 + 9.5).rounded(.down))))
            }
            text += base83(parts[0] * 361 + parts[1] * 19 + parts[2], 2)
        }
        return text
    }

    /// How much of each wave there is in each colour, in linear light.
    private static func waves(_ points: UnsafeRawBufferPointer, width: Int, height: Int) -> [SIMD3<Double>] {
        let light = (0...255).map { value in
            let value = Double(value) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func cosines(_ count: Int, _ length: Int) -> [[Double]] {
            (0..<count).map { wave in
                (0..<length).map { cos(.pi * Double(wave) * Double($0) / Double(length)) }
            }
        }
        let (horizontal, vertical) = (cosines(across, width), cosines(down, height))
        var sums = Array(repeating: SIMD3<Double>.zero, count: across * down)
        for y in 0..<height {
            for x in 0..<width {
                let at = (y * width + x) * 3
                let point = SIMD3(light[Int(points[at])], light[Int(points[at + 1])], light[Int(points[at + 2])])
                for wave in sums.indices {
                    sums[wave] += point * (horizontal[wave % across][x] * vertical[wave / across][y])
                }
            }
        }
        return sums.enumerated().map { $1 * (($0 == 0 ? 1 : 2) / Double(width * height)) }
    }

    private static func level(_ light: Double) -> Int {
        let light = max(0, min(1, light))
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return Int(value * 255 + 0.5)
    }

    private static func base83(_ value: Int, _ length: Int) -> String {
        var (value, text) = (value, "")
        for _ in 0..<length {
            text.insert(digits[value % 83], at: text.startIndex)
            value /= 83
        }
        return text
    }
}
