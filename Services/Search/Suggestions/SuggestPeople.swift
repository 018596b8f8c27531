// SPDX-License-Identifier: Apache-2.0
// GET /internal/suggestions: whom somebody might follow.

import Calls
import Domain
import Postgres
import Web

enum SuggestPeople {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let part = try Part(request.parameters(), default: 40, maximum: 80)
        let friends = try await SuggestionStore.friendsOfFriends(of: viewer, in: dependencies.bounded)
        let followed = try await SuggestionStore.mostFollowed(for: viewer, in: dependencies.bounded)
        let popular = Set(followed)
        let nearby = Set(friends)
        let people = friends.map { id in
            SuggestedPerson(
                id,
                sources: popular.contains(id) ? ["friends_of_friends", "most_followed"] : ["friends_of_friends"]
            )
        }
        let others = followed.filter { !nearby.contains($0) }.map { SuggestedPerson($0, sources: ["most_followed"]) }
        return .json(SuggestedPeople(part.of(people + others)))
    }
}
