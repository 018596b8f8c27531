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
        case .context: Context.run
        case .postHistory: PostHistory.run
        case .postSource: PostSource.run
        case .favouritedBy: FavouritedBy.run
        case .boostedBy: BoostedBy.run
        case .favourite: Favourite.run
        case .unfavourite: Unfavourite.run
        case .boost: Boost.run
        case .unboost: Unboost.run
        case .bookmark: Bookmark.run
        case .unbookmark: Unbookmark.run
        case .muteConversation: MuteConversation.run
        case .unmuteConversation: UnmuteConversation.run
        case .pinPost, .unpinPost: { _, _ in throw Post.Rejection.notOffered("pin") }
        }
    }
}
