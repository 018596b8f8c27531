// SPDX-License-Identifier: Apache-2.0
// Somebody's shelf: its books, what the reading of them comes to, and its way from one device to another.

import Domain

/// Somebody's own shelf.
public enum ShelfEndpoint: String, EndpointGroup {
    case listShelf, getShelfBook, editShelfBook, shelfBookRecords, shelfStatistics, shelfChanges, sendShelfChanges,
        exportShelf, importShelf

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listShelf: .get("/api/v1/shelf", .account("read:library"), answer: "[ShelfBook]")
        case .getShelfBook: .get("/api/v1/shelf/books/:id", .account("read:library"), answer: "ShelfBook")
        case .editShelfBook: .put("/api/v1/shelf/books/:id", .account("write:library"), answer: "ShelfBook")
        case .shelfBookRecords:
            .get("/api/v1/shelf/books/:id/records", .account("read:library"), answer: "[ReadingRecord]")
        case .shelfStatistics:
            .get(
                "/api/v1/shelf/statistics",
                .account("read:library"),
                isCostly: true,
                answer: "ReadingStatistics"
            )
        case .shelfChanges:
            .get("/api/v1/shelf/changes", .account("read:library"), isCostly: true, answer: "ShelfChanges")
        case .sendShelfChanges:
            .post("/api/v1/shelf/changes", .account("write:library"), answer: "ShelfOutcomes")
        case .exportShelf:
            .get("/api/v1/shelf/export", .account("read:library"), isCostly: true, answer: "any")
        case .importShelf: .post("/api/v1/shelf/import", .account("write:library"), answer: "ImportReport")
        }
    }
}
