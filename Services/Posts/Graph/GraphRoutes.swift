// SPDX-License-Identifier: Apache-2.0
// Who follows, blocks and mutes whom.

import Surface
import Web

extension Routes {
    static let graph: [Route<Dependencies>] = Route.all(GraphEndpoint.self, run)

    private static func run(_ endpoint: GraphEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .getRelationships: GetRelationships.run
        case .getFamiliarFollowers: GetFamiliarFollowers.run
        case .listFollowers: ListFollowers.run
        case .listFollowing: ListFollowing.run
        case .followAccount: FollowAccount.run
        case .unfollowAccount: UnfollowAccount.run
        case .removeFollower: RemoveFollower.run
        case .blockAccount: BlockAccount.run
        case .unblockAccount: UnblockAccount.run
        case .muteAccount: MuteAccount.run
        case .unmuteAccount: UnmuteAccount.run
        case .noteAccount: NoteAccount.run
        case .listBlocks: ListBlocks.run
        case .listMutes: ListMutes.run
        case .listFollowRequests: ListFollowRequests.run
        case .authorizeFollowRequest: AuthorizeFollowRequest.run
        case .rejectFollowRequest: RejectFollowRequest.run
        }
    }
}
