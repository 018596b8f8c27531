// SPDX-License-Identifier: Apache-2.0
// The picture of a card: fetched, made anew, and kept as every file is.

import Domain
import Events
import Foundation
import MediaWork
import Outbound
import Web

/// A picture in its place that nothing shows yet.
struct KeptPicture: Sendable {
    let id: MediaID
    let file: StoredFile
    let rendition: RenditionSnapshot
    let blurhash: String?
}

enum CardPicture {
    /// Bytes of a picture as it comes.
    private static let largest = 8 << 20

    /// Nil where there is none, whyever: the card shows no picture then.
    static func fetch(_ url: String, _ dependencies: Dependencies) async -> KeptPicture? {
        guard let answer = try? await FetchLink.ask(url, for: "image/*", bytes: largest, dependencies),
            answer.status == 200,
            !answer.isCut, !answer.body.isEmpty
        else { return nil }
        return try? await dependencies.working(on: answer.body) { input, directory in
            let order = WorkOrder(input: input, directory: directory, purpose: .card)
            guard case .made(let made) = try await dependencies.makeRenditions(order) else { throw NoPicture() }
            return try await keep(made, in: directory, dependencies)
        }
    }

    private static func keep(_ made: Made, in directory: String, _ dependencies: Dependencies) async throws
        -> KeptPicture
    {
        guard made.kind == .image,
            let one = made.renditions.first(where: { $0.name == "medium" && $0.mime != "image/webp" }),
            let width = one.width, let height = one.height, !one.file.contains("/"), !one.file.hasPrefix(".")
        else { throw NoPicture() }
        let path = "\(directory)/\(one.file)"
        let name = try await dependencies.storage.name(ofFile: path, suffix: EndJob.suffix(of: one.file))
        guard StoredFileName.isOne(name) else { throw NoPicture() }
        let file = StoredFile(name: name, bytes: one.bytes)
        try await FileStore.announce([file], at: dependencies.now(), in: dependencies.database)
        try await dependencies.storage.put(path, as: name)
        return KeptPicture(
            id: try dependencies.ids.next(),
            file: file,
            rendition: RenditionSnapshot(url: name, width: width, height: height),
            blurhash: made.blurhash
        )
    }

    private struct NoPicture: Error {}
}
