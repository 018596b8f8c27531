// SPDX-License-Identifier: Apache-2.0
// A picture that does not move, and what is cut from it.

import CVips
import Glibc
import MediaWork

/// Makes the renditions of a picture.
struct Still {
    /// What Mastodon keeps of a picture, 3840x2160.
    static let mostPixels = 8_294_400
    /// Longer sides are beyond what browsers of telephones show.
    static let longestSide = 8_192
    /// A card is no wider in any client.
    static let longestSideOfCard = 800

    let order: WorkOrder
    let content: Content
    let header: Vips.Header

    func made() throws -> Made {
        guard header.width * header.height <= order.limits.pixels else { throw WorkReport.Refusal.tooLarge }
        let pixels = Double(header.width) * Double(header.height)
        let ratio = min(
            1,
            (Double(Self.mostPixels) / pixels).squareRoot(),
            Double(order.purpose == .card ? Self.longestSideOfCard : Self.longestSide)
                / Double(max(header.width, header.height))
        )
        // The longer side decides; the shorter one follows from the proportions.
        let longer = max(1, Int(Double(max(header.width, header.height)) * ratio))
        let shrunk = try Picture {
            madang_vips_shrunk(order.input, &$0, Int32(longer), Int32(longer), header.hasProfile ? 1 : 0)
        }
        let picture = try shrunk.points().withoutNeedlessTransparency()

        var files = Renditions(in: order.directory)
        if order.purpose == .card {
            try files.add(picture, as: "medium", .still)
        } else {
            try files.add(picture, as: "original", .webp, .still)
            let large = try picture.within(1280, 1280)
            try files.add(large, as: "large", .webp)
            try files.addPreviews(of: large)
        }
        switch order.purpose {
        // A GIF is an animation, if only of one frame.
        case .attachment, .card, .page, .gif: break
        case .avatar:
            let square = try cropped(picture, to: 400, 400)
            try files.add(square, as: "square", .webp, .still)
            try files.add(square.within(120, 120), as: "square_small", .webp, .still)
        case .header:
            try files.add(cropped(picture, to: 1500, 500), as: "header", .webp, .still)
        }
        let look = try Look(of: picture)
        return Made(
            kind: .image,
            mime: content.mime,
            width: picture.width,
            height: picture.height,
            blurhash: look.blurhash,
            colour: look.colour,
            renditions: files.made
        )
    }

    /// The largest part of these proportions, with the focus as near to its middle as it can be, never enlarged.
    private func cropped(_ picture: Picture, to width: Int, _ height: Int) throws -> Picture {
        let scale = min(Double(picture.width) / Double(width), Double(picture.height) / Double(height))
        let wide = min(picture.width, max(1, Int((Double(width) * scale).rounded())))
        let high = min(picture.height, max(1, Int((Double(height) * scale).rounded())))
        let focus = order.focus ?? WorkOrder.Focus(x: 0, y: 0)
        let part = try picture.area(
            Self.start(of: wide, in: picture.width, around: focus.x),
            Self.start(of: high, in: picture.height, around: -focus.y),
            wide,
            high
        )
        return try scale > 1 ? part.sized(width, height) : part.points()
    }

    private static func start(of part: Int, in whole: Int, around focus: Double) -> Int {
        let place = focus.isFinite ? min(1, max(-1, focus)) : 0
        let middle = (place / 2 + 0.5) * Double(whole)
        return min(whole - part, max(0, Int(middle - Double(part) / 2)))
    }
}
