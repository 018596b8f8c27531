// SPDX-License-Identifier: Apache-2.0
// The queue `media.exports`: what services hand over for archives.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Reacts to a batch as a whole: each part is kept once, and an archive of which everything is there is to be written.
enum ExportParts {
    /// Who hands over a part, in the order in which an archive has them.
    static let services = Catalogue.exportPieces.map { service(of: $0) }

    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.exports",
            prefetch: 32,
            prepare: { arrivals, transaction in
                try await keep(arrivals.events.compactMap { $0 as? any ExportPiece }, dependencies, in: transaction)
            },
            Reaction.noted(Catalogue.exportPieces)
        )
    }

    /// What nobody waits for any more is passed over.
    private static func keep(_ pieces: [any ExportPiece], _ dependencies: Dependencies, in transaction: Transaction)
        async throws
    {
        let named = Set(pieces.map(\.exportID)).sorted()
        guard !named.isEmpty else { return }
        let waiting = try await ExportStore.gathering(named, in: transaction)
        let parts = try pieces.filter { waiting.contains($0.exportID) }.map { try part($0) }
        guard !parts.isEmpty else { return }
        ExportPartStore.keep(parts, in: transaction)
        ExportStore.settle(
            waiting,
            services: services.count,
            bytes: dependencies.exports.bytes,
            in: transaction
        )
    }

    private static func part(_ piece: any ExportPiece) throws -> ExportPartRow {
        guard let content = Base64.decoded(piece.content) else { throw Unacceptable("its content is no Base64") }
        guard piece.number >= 0, isPath(piece.file) else { throw Unacceptable("it is no part of a file") }
        return ExportPartRow(
            export: piece.exportID,
            service: service(of: type(of: piece)),
            number: piece.number,
            file: piece.file,
            about: piece.about.map { String(decoding: $0.json, as: UTF8.self) } ?? "",
            content: content,
            isLast: piece.isLast
        )
    }

    /// Names of folders and of a file that lead nowhere else, whatever unpacks them.
    private static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 200
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.first != UInt8(ascii: ".")
                    && part.utf8.allSatisfy { byte in
                        (97...122).contains(byte) || (48...57).contains(byte) || "._-".utf8.contains(byte)
                    }
            }
    }

    private static func service(of type: any ExportPiece.Type) -> String { String(type.name.prefix { $0 != "." }) }
}

extension ExportWords {
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("en", en)
            json.member("ko", ko)
            json.member("ja", ja)
        }
    }
}
