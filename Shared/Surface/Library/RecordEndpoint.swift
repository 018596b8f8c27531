// SPDX-License-Identifier: Apache-2.0
// Records of reading.

import Domain

/// Records of reading: one's own, and what others show of theirs.
public enum RecordEndpoint: String, EndpointGroup {
    case listRecords, createRecord, getOwnRecord, putRecord, deleteRecord, favouriteRecord, unfavouriteRecord,
        favouriteRecords, noteProgress, earlierTexts, shareRecord, accountRecords, getRecord

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listRecords: .get("/api/v1/shelf/records", .account("read:library"), answer: "[ReadingRecord]")
        case .createRecord: .post("/api/v1/shelf/records", .account("write:library"), answer: "WholeRecord")
        case .getOwnRecord: .get("/api/v1/shelf/records/:id", .account("read:library"), answer: "WholeRecord")
        case .putRecord: .put("/api/v1/shelf/records/:id", .account("write:library"), answer: "WholeRecord")
        case .deleteRecord: .delete("/api/v1/shelf/records/:id", .account("write:library"), answer: "any")
        case .favouriteRecord:
            .post("/api/v1/shelf/records/:id/favourite", .account("write:library"), answer: "WholeRecord")
        case .unfavouriteRecord:
            .post("/api/v1/shelf/records/:id/unfavourite", .account("write:library"), answer: "WholeRecord")
        case .favouriteRecords: .get("/api/v1/shelf/favourites", .account("read:library"), answer: "[ReadingRecord]")
        case .noteProgress:
            .post("/api/v1/shelf/records/:id/progress", .account("write:library"), answer: "WholeRecord")
        case .earlierTexts: .get("/api/v1/shelf/records/:id/texts", .account("read:library"), answer: "[EarlierText]")
        case .shareRecord:
            .post("/api/v1/shelf/records/:id/share", .account("write:statuses"), isKeyed: true, answer: "Status")
        case .accountRecords: .get("/api/v1/accounts/:id/records", .anyone, answer: "[ReadingRecord]")
        case .getRecord: .get("/api/v1/records/:id", .anyone, answer: "ReadingRecord")
        }
    }
}
