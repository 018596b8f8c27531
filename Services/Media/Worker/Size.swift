// SPDX-License-Identifier: Apache-2.0

/// Width and height in points.
struct Size: Hashable {
    var width: Int
    var height: Int

    init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// In the same proportions, at most so large.
    func within(_ width: Int, _ height: Int) -> Size {
        scaled(min(1, Double(width) / Double(self.width), Double(height) / Double(self.height)))
    }

    func scaled(_ ratio: Double) -> Size {
        Size(max(1, Int((Double(width) * ratio).rounded())), max(1, Int((Double(height) * ratio).rounded())))
    }

    /// As films have it whose colours are kept at half the size.
    var even: Size { Size(max(2, width & ~1), max(2, height & ~1)) }
}
