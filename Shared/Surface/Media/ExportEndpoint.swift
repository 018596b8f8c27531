// SPDX-License-Identifier: Apache-2.0
// Archives of what is somebody's.

import Domain

/// Archives of what is somebody's. Apps that were let in get 403: no scope of theirs reads addresses, sign-ins and sessions, which are
/// in an archive too.
public enum ExportEndpoint: String, EndpointGroup {
    case askForExport, listExports, showExport, deleteExport

    public static var service: ServiceName? { .media }

    public var endpoint: Endpoint {
        switch self {
        case .askForExport: .post("/api/v1/exports", .account("read"), answer: "Export")
        case .listExports: .get("/api/v1/exports", .account("read"), answer: "[Export]")
        case .showExport: .get("/api/v1/exports/:id", .account("read"), answer: "Export")
        case .deleteExport: .delete("/api/v1/exports/:id", .account("read"), answer: "any")
        }
    }
}
