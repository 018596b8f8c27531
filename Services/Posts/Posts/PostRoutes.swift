// SPDX-License-Identifier: Apache-2.0
// Single posts and what people do with them.

import Surface
import Web

extension Routes {
    static let posts: [Route<Dependencies>] = Route.all(PostEndpoint.self, run)

    private static func run(_ endpoint: PostEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .createPost: CreatePost.run
        case .postsByIDs: PostsByIDs.run
        case .getPost: GetPost.run
        case .editPost: EditPost.run
        case .deletePost: DeletePost.run
        case .context: GetThread.run
        case .postHistory: PostHistory.run
        case .postSource: PostSource.run
        case .favouritedBy: FavouritedBy.run
        case .boostedBy: BoostedBy.run
        case .favourite: FavouritePost.run
        case .unfavourite: UnfavouritePost.run
        case .boost: BoostPost.run
        case .unboost: UnboostPost.run
        case .bookmark: BookmarkPost.run
        case .unbookmark: UnbookmarkPost.run
        case .muteConversation: MuteConversation.run
        case .unmuteConversation: UnmuteConversation.run
        case .pinPost: PinPost.run
        case .unpinPost: UnpinPost.run
        }
    }
}
