// SPDX-License-Identifier: Apache-2.0
// Uploads, and the files made of them.

import Domain
import HTTPTypes

/// Uploads, and the files made of them.
public enum MediaEndpoint: String, EndpointGroup {
    case uploadMedia, uploadMediaV1, showMedia, updateMedia, deleteMedia, describeResumable, startResumable,
        showResumable, continueResumable, endResumable, openFile, closedFile, openCover, takeForm, claimUploads

    public static var service: ServiceName? { .media }

    public var endpoint: Endpoint {
        switch self {
        case .uploadMedia:
            .post("/api/v2/media", .account("write:media"), body: .upload, answer: "Media")
        case .uploadMediaV1:
            .post("/api/v1/media", .account("write:media"), body: .upload, answer: "Media")
        case .showMedia: .get("/api/v1/media/:id", .account("write:media"), answer: "Media")
        case .updateMedia: .put("/api/v1/media/:id", .account("write:media"), answer: "Media")
        case .deleteMedia: .delete("/api/v1/media/:id", .account("write:media"), answer: "any")
        case .describeResumable: Endpoint(.options, "/api/v1/media/resumable", .anyone, rate: .free)
        case .startResumable: .post("/api/v1/media/resumable", .account("write:media"))
        case .showResumable: .get("/api/v1/media/resumable/:id", .account("write:media"))
        case .continueResumable: .patch("/api/v1/media/resumable/:id", .account("write:media"), body: .upload)
        case .endResumable: .delete("/api/v1/media/resumable/:id", .account("write:media"))
        case .openFile: .get("/media/o/:code/:name", .anyone, rate: .free)
        case .closedFile: .get("/media/x/:until/:code/:name", .anyone, rate: .free)
        case .openCover: .get("/media/c/:code/:address", .anyone, rate: .free)
        case .takeForm: .post("/internal/forms", .app(nil), body: .upload)
        case .claimUploads: .post("/internal/claims", .internal)
        }
    }
}
