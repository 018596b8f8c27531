// SPDX-License-Identifier: Apache-2.0
// Every event of media at its limits fits the outbox.

import Domain
import Events
import Support
import Testing

@Suite struct EventSizeTests {
    private static func events() -> [any Event] {
        let address = String(repeating: "u", count: 2048)
        let rendition = RenditionSnapshot(url: address, width: .max, height: .max)
        return [
            MediaProcessed(
                mediaID: .largest,
                ownerID: .largest,
                type: .image,
                original: rendition,
                preview: rendition,
                mimeType: String(repeating: "m", count: 255),
                bytes: .max,
                blurhash: String(repeating: "b", count: 100),
                description: .wide(800),
                subjectVersion: .max,
                focus: FocusSnapshot(x: -1 / 3, y: -1 / 3),
                duration: 1e300
            ),
            MediaFailed(
                mediaID: .largest,
                ownerID: .largest,
                reason: String(repeating: "r", count: 1000),
                subjectVersion: .max
            ),
            LinkPreviewReady(
                linkID: .largest,
                url: address,
                card: CardSnapshot(
                    url: address,
                    title: .wide(300),
                    description: .wide(500),
                    authorName: .wide(100),
                    authorURL: address,
                    providerName: .wide(100),
                    providerURL: address,
                    image: rendition,
                    blurhash: String(repeating: "b", count: 100),
                    imageDescription: .wide(500),
                    language: "zzz",
                    publishedAt: .largest
                ),
                subjectVersion: .max
            ),
            ReportedThingTold<ThingKeepers.Media>.largest(text: .wide(800)),
            ExportAsked(exportID: .largest, accountID: .largest),
            ExportReady(exportID: .largest, accountID: .largest, expires: .largest),
        ]
    }

    @Test func `every event of media fits at its limits`() throws {
        try expectFitting(Self.events(), of: "media")
    }
}
