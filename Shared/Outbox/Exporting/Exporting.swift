// SPDX-License-Identifier: Apache-2.0
// Hands over what a service has of somebody who asked for everything that is theirs.

import Domain
import Events
import Foundation
public import Logging
public import Postgres
public import ServiceKit
public import ServiceLifecycle
import Synchronization

/// What a service hands over, and what else it does on its queue of archives.
public struct ExportPart: Sendable {
    public let sections: [ExportSection]
    let reactions: [Reaction]

    public init(_ sections: [ExportSection], reactions: [Reaction] = []) {
        self.sections = sections
        self.reactions = reactions
    }
}

extension EventQueue {
    /// The queue from which a service learns who asked for an archive.
    public static func exports(of service: String, _ part: ExportPart) -> EventQueue {
        let asked = Reaction(to: ExportAsked.self) { envelope, transaction in
            ExportTaskStore.keep(envelope.data, in: transaction)
        }
        return EventQueue("\(service).exports", [asked] + part.reactions)
    }
}

/// Goes through what a service has of whoever asked, page by page, and tells it in pieces. Every copy of the process takes part.
/// A page, its pieces and how far that is are one transaction: nothing is told twice and nothing is left out, whenever the
/// process ends.
public struct Exporting: Service {
    /// Bytes of a piece: in Base64 and with its envelope it is an event.
    static let piece = 40_000
    /// How long somebody may wait for the part: longer than media does.
    static let patience = Duration.seconds(2 * 24 * 3600)
    /// Rows of the outbox beyond which nothing is handed over, so that other events are not held up.
    private static let outbox = 200
    private static let limit = 100
    private static let pause = Duration.milliseconds(500)
    private static let failures = 5

    let service: String
    let part: ExportPart
    let database: Database
    let metrics: Metrics
    let logger: Logger
    /// Rung when there may be something to do.
    private let bell: Bell?

    public init(
        service: String,
        part: ExportPart,
        database: Database,
        metrics: Metrics,
        logger: Logger,
        bell: Bell? = nil
    ) {
        self.service = service
        self.part = part
        self.database = database
        self.metrics = metrics
        self.logger = logger
        self.bell = bell
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            let underWay = Atomic(0)
            metrics.gauge("madang_export_tasks", help: "Archives for which a part is still to be handed over.") {
                Double(underWay.load(ordering: .relaxed))
            }
            await repeatedly(
                every: underWay.load(ordering: .relaxed) == 0 ? bell.idlePause : Exporting.pause,
                wokenBy: bell,
                orSaying: "nothing is handed over for now",
                to: logger
            ) {
                // Nearly always there is nothing, which one look says.
                let tasks = try await ExportTaskStore.countUnderWay(in: database)
                underWay.store(tasks, ordering: .relaxed)
                guard tasks > 0 else { return }
                while try await step() { try Task.checkCancellation() }
            }
        }
    }

    /// Hands over a page.
    ///
    /// - Returns: whether there was anything to hand over.
    public func step() async throws -> Bool {
        try await database.workOff(
            next: { try await ExportTaskStore.next(outbox: Exporting.outbox, in: $0) },
            work: { task, transaction in
                try await handOver(task, transaction)
                Failpoint.reach("export.told")
            }
        ) { task, error in
            logger.log(
                level: task.attempts + 1 >= Exporting.failures ? .error : .warning,
                "a step of an archive failed",
                metadata: ["export": "\(task.id)", "file": "\(task.file)", "error": "\(error)"]
            )
            try await ExportTaskStore.putOff(task.id, reason: "\(error)", in: database)
        }
    }

    private func handOver(_ task: ExportTask, _ transaction: Transaction) async throws {
        let sections = part.sections
        let turn = task.file.isEmpty ? 0 : sections.firstIndex { $0.file == task.file } ?? sections.count
        guard sections.indices.contains(turn) else { throw Unacceptable("there is no file \(task.file) any more") }
        let section = sections[turn]
        let isNew = task.rows < 0
        // One that was too much for its time may do with less.
        let limit = max(Exporting.limit >> min(task.attempts, 6), 1)
        let place = ExportPlace(of: task.account, after: task.position, limit: limit)
        let page = try await section.page(place, transaction)
        var bytes = Array((isNew ? section.opening : "").utf8)
        for (index, row) in page.rows.enumerated() {
            if index > 0 || task.rows > 0 { bytes += section.separator.utf8 }
            bytes += row.utf8
        }
        if page.last == nil { bytes += section.closing.utf8 }
        let isLast = page.last == nil && turn == sections.count - 1
        let pieces = stride(from: 0, to: max(bytes.count, 1), by: Exporting.piece)
        var number = task.number
        for start in pieces {
            let end = min(bytes.count, start + Exporting.piece)
            try tell(
                task,
                number: number,
                file: section.file,
                about: isNew && start == 0 ? section.about : nil,
                bytes[start..<end],
                isLast: isLast && end == bytes.count,
                transaction
            )
            number += 1
        }
        guard !isLast else {
            ExportTaskStore.end(task.id, in: transaction)
            logger.notice(
                "handed over a part of an archive",
                metadata: ["export": "\(task.id)", "pieces": "\(number)"]
            )
            return
        }
        let rows = max(task.rows, 0) + Int64(page.rows.count)
        let next: (String, [Int64], Int64) =
            if let last = page.last { (section.file, last, rows) } else { (sections[turn + 1].file, [], -1) }
        ExportTaskStore.advance(task.id, to: (next.0, next.1, next.2, number), in: transaction)
    }

    private func tell(
        _ task: ExportTask,
        number: Int64,
        file: String,
        about: ExportWords?,
        _ bytes: ArraySlice<UInt8>,
        isLast: Bool,
        _ transaction: Transaction
    ) throws {
        guard let type = Catalogue.exportPieces.first(where: { $0.name.hasPrefix("\(service).") }) else {
            throw Unacceptable("\(service) has no event for its part of an archive: ExportOwners")
        }
        try transaction.record(
            type.init(
                exportID: task.id,
                number: number,
                file: file,
                about: about,
                content: Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"),
                isLast: isLast
            )
        )
    }
}
