// SPDX-License-Identifier: Apache-2.0
// What a service hands over for an archive.

package import Domain
internal import Events
internal import Foundation
internal import Logging
package import Outbox
package import Postgres
internal import ServiceKit

/// Asks a service for somebody's part, has it handed over, and puts the pieces together.
///
/// - Returns: the files, by their paths.
package func exportedFiles(
    _ part: ExportPart,
    of service: String,
    for account: AccountID,
    in database: Database
) async throws -> [String: String] {
    struct Message: Decodable {
        struct Piece: Decodable {
            let number: Int64
            let file: String
            let content: String
            let is_last: Bool
        }
        let data: Piece
    }
    let asked = Envelope(
        id: EventID.new(),
        time: .now(),
        traceparent: nil,
        data: ExportAsked(exportID: ExportID(1), accountID: account)
    )
    _ = try await EventQueue.exports(of: service, part).apply(Array(JSONEncoder().encode(asked)), in: database)
    let exporting = Exporting(
        service: service,
        part: part,
        database: database,
        metrics: Metrics(),
        logger: Logger(label: "exports") { _ in SwiftLogNoOpLogHandler() }
    )
    var pieces: [Message.Piece] = []
    while try await exporting.step() {
        for envelope in try await recordedEvents(in: database)
        where try TestEvent(envelope).type.contains("ExportPartTold") {
            pieces.append(try JSONDecoder().decode(Message.self, from: Data(envelope)).data)
        }
        // As the relay does.
        _ = try await database.query("DELETE FROM outbox")
    }
    var files: [String: [UInt8]] = [:]
    struct Odd: Error {}
    for (index, piece) in pieces.enumerated() {
        let text = piece.content.replacing("-", with: "+").replacing("_", with: "/")
        guard piece.number == Int64(index), piece.is_last == (index == pieces.count - 1),
            let bytes = Data(base64Encoded: text)
        else { throw Odd() }
        files[piece.file, default: []] += bytes
    }
    return files.mapValues { String(decoding: $0, as: UTF8.self) }
}
