// SPDX-License-Identifier: Apache-2.0
// A long history of a small world, the same for the same seed.

import Domain
import Support

extension World {
    /// People who do everything they can do, and take most of it back.
    static func random(steps: Int, seed: UInt64) -> World {
        var world = World()
        var dice = TestSeed(seed)
        var done: Set<String> = []
        var nextPost: Int64 = 1000

        func toggled(_ key: String) -> Bool {
            if done.remove(key) != nil { return true }
            done.insert(key)
            return false
        }

        for _ in 0..<steps {
            let actor = AccountID(Int64.random(in: 1...6, using: &dice))
            let target = AccountID(Int64.random(in: 1...6, using: &dice))
            let post = world.posts.keys.sorted().randomElement(using: &dice)
            switch Int.random(in: 0..<20, using: &dice) {
            case 0...3:
                nextPost += 1
                let named = Bool.random(using: &dice) ? [target] : []
                let visibility = Visibility.allCases.randomElement(using: &dice) ?? .public
                world.post(
                    PostID(nextPost),
                    by: actor,
                    mentioning: named,
                    answering: Bool.random(using: &dice) ? post : nil,
                    visibility: visibility
                )
                if Bool.random(using: &dice) { world.announce("status", PostID(nextPost), to: [actor, target]) }
            case 4...5:
                guard let post else { continue }
                world.edit(post, "Edited \(nextPost)", mentioning: Bool.random(using: &dice) ? [target] : [])
                if Bool.random(using: &dice) { world.announce("update", post, to: [actor, target]) }
            case 6...8:
                guard let post else { continue }
                if toggled("like \(actor) \(post)") {
                    world.unlike(post, by: actor)
                } else {
                    world.like(post, by: actor)
                }
            case 9...11:
                guard let post else { continue }
                if toggled("boost \(actor) \(post)") {
                    world.unboost(post, by: actor)
                } else {
                    world.boost(post, by: actor)
                }
            case 12: if let post, Int.random(in: 0..<3, using: &dice) == 0 { world.delete(post) }
            case 13: world.changeProfile(actor)
            case 14 where actor != target:
                if toggled("follow \(actor) \(target)") {
                    world.unfollow(target, by: actor)
                } else {
                    world.follow(target, by: actor)
                }
            case 15 where actor != target:
                if toggled("request \(actor) \(target)") {
                    world.closeRequest(to: target, by: actor)
                } else {
                    world.requestToFollow(target, by: actor)
                }
            case 16...17 where actor != target:
                if toggled("block \(actor) \(target)") {
                    world.unblock(target, by: actor)
                } else {
                    world.block(target, by: actor)
                }
            case 18...19 where actor != target:
                if toggled("mute \(actor) \(target)") {
                    world.unmute(target, by: actor)
                } else {
                    world.mute(
                        target,
                        by: actor,
                        notifications: Int.random(in: 0..<4, using: &dice) > 0,
                        expires: Bool.random(using: &dice) ? world.now + .seconds(20) : nil
                    )
                }
            default: continue
            }
        }
        return world
    }
}
