// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of media.

import Surface
import Web

/// Every endpoint of media, each with its command.
enum Routes {
    static let all: [Route<Dependencies>] = Route.all(MediaEndpoint.self, run) + GifRoutes.all + ExportRoutes.all

    private static func run(_ endpoint: MediaEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .uploadMedia: UploadMedia.run
        case .uploadMediaV1: UploadMedia.runV1
        case .showMedia: ShowMedia.run
        case .updateMedia: UpdateMedia.run
        case .deleteMedia: DeleteMedia.run
        case .describeResumable: DescribeResumable.run
        case .startResumable: StartResumable.run
        case .showResumable: ShowResumable.run
        case .continueResumable: ContinueResumable.run
        case .endResumable: EndResumable.run
        case .openFile: ServeFile.open
        case .closedFile: ServeFile.closed
        case .openCover: ShowCover.run
        case .takeForm: TakeForm.run
        case .claimUploads: ClaimUploads.run
        }
    }
}
