// SPDX-License-Identifier: Apache-2.0
// What posts has of an account, and how it goes once the account is deleted.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Web

/// First everything ends as its owner would end it, so that others' counts are right and everybody is told; then what is left of it is
/// erased. Tombstones of posts and projects stay, for what hangs on them, and are nobody's: account 0.
enum EraseAccount {
    static func steps(_ dependencies: Dependencies) -> [ErasureStep] {
        ending(dependencies)
            + ErasedAccountStore.belongings.map(\.step)
            + [ErasureStep("reports about it") { try await ErasedAccountStore.deleteReports(about: $0, in: $1) }]
            + ErasedAccountStore.deeds.map(\.step)
            + emptying(dependencies)
            + ErasedAccountStore.naming.map(\.step)
            + [
                ErasureStep("answers to it") { try await ErasedAccountStore.forgetAnswered($0, in: $1) },
                ErasureStep("conversations with it") { try await ErasedAccountStore.leaveConversations($0, in: $1) },
            ]
            + ErasedAccountStore.Tombstones.allCases.map { tombstones in
                ErasureStep("tombstones of \(tombstones)") {
                    try await ErasedAccountStore.disown(tombstones, of: $0, at: dependencies.now(), in: $1)
                }
            }
            + [ErasedAccountStore.account.step]
    }

    // MARK: As its owner would

    private static func ending(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            ErasureStep("posts") { account, transaction in
                let posts = try await ErasedAccountStore.posts(of: account, boosts: false, limit: 20, in: transaction)
                for post in posts {
                    try await DeletePost.delete(post, by: account, dependencies, transaction)
                    MediaStore.release(from: post, except: [], at: dependencies.now(), in: transaction)
                }
                return posts.count
            },
            ErasureStep("boosts") { account, transaction in
                let boosts = try await ErasedAccountStore.posts(of: account, boosts: true, limit: 50, in: transaction)
                for boost in boosts { try await Boost.takeBack(of: boost, by: account, dependencies, transaction) }
                return boosts.count
            },
            ErasureStep("favourites") { account, transaction in
                let posts = try await ErasedAccountStore.favourites(of: account, limit: 100, in: transaction)
                let ends = posts.map { FavouriteEnd(entry: $0, viewer: account) }
                for removed in try await ReactionStore.delete(ends, in: transaction) {
                    try UnfavouritePost.tell(removed, in: transaction)
                }
                return posts.count
            },
        ]
            + ErasedAccountStore.Side.allCases.map { side in
                ErasureStep("\(side)") { account, transaction in
                    let follows = try await ErasedAccountStore.follows(side, of: account, limit: 20, in: transaction)
                    for follow in follows {
                        // Others' locks of the two come in the same order.
                        _ = try await PairStore.lock([follow], in: transaction)
                        try await follow.end(dependencies, in: transaction)
                        try await follow.endRequest(dependencies, in: transaction)
                    }
                    return follows.count
                }
            }
            + projects(dependencies)
    }

    private static func projects(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            ErasureStep("projects") { account, transaction in
                let projects = try await ErasedAccountStore.projects(ledBy: account, limit: 10, in: transaction)
                for id in projects {
                    guard let held = try await ProjectStore.hold(id, in: transaction) else { continue }
                    let change = ProjectChange(held, dependencies, transaction)
                    try DeleteProject.delete(change)
                }
                return projects.count
            },
            ErasureStep("memberships of projects") { account, transaction in
                let projects = try await ErasedAccountStore.projects(withMember: account, limit: 10, in: transaction)
                for id in projects {
                    if let held = try await ProjectStore.hold(id, in: transaction) {
                        var change = ProjectChange(held, dependencies, transaction)
                        try await change.remove(account)
                    } else {
                        ProjectMemberStore.delete(account, from: id, in: transaction)
                    }
                }
                return projects.count
            },
            ErasureStep("applications") { account, transaction in
                let applications = try await ErasedAccountStore.applications(of: account, limit: 10, in: transaction)
                for (id, project) in applications {
                    try await withdraw(id, of: account, from: project, dependencies, transaction)
                }
                return applications.count
            },
        ]
    }

    private static func withdraw(
        _ id: ApplicationID,
        of account: AccountID,
        from project: ProjectID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let held = try await ProjectStore.hold(project, in: transaction),
            let application = try await ApplicationStore.application(id, in: transaction)
        else { return ErasedAccountStore.delete(id, in: transaction) }
        let project = ProjectChange(held, dependencies, transaction)
        var change = ApplicationChange(application: application, project: project, actor: account)
        if application.state == .open, let actor = try await AccountStore.account(account, in: transaction) {
            change.decide(.withdrawn)
            try transaction.record(
                ApplicationWithdrawn(
                    actor: actor,
                    recipientID: change.project.project.leaderID,
                    project: change.project.project.brief,
                    application: change.application
                )
            )
        }
        ErasedAccountStore.delete(id, in: transaction)
        change.project.project.version += 1
        ApplicationStore.recount(
            change.application.projectID,
            version: change.project.project.version,
            in: transaction
        )
    }

    // MARK: What deletions left

    private static func emptying(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            ErasureStep("what posts held") { account, transaction in
                let posts = try await ErasedAccountStore.unerasedPosts(of: account, in: transaction)
                guard !posts.isEmpty else { return 0 }
                var count = try await ErasedAccountStore.withdraw(posts, in: transaction)
                count += try await ErasedAccountStore.endFanouts(of: posts, in: transaction)
                for rows in ErasureStore.remains {
                    count += try await rows.erase(from: posts, in: transaction)
                }
                // What takes several steps is emptied in the last.
                guard count == 0 else { return count }
                count += try await ErasureStore.deleteBoosts(posts, in: transaction)
                return count + (try await ErasureStore.empty(posts, at: dependencies.now(), in: transaction))
            },
            ErasureStep("what projects held") { account, transaction in
                let projects = try await ErasedAccountStore.unerasedProjects(of: account, in: transaction)
                guard !projects.isEmpty else { return 0 }
                var count = 0
                for rows in ProjectErasureStore.remains {
                    count += try await rows.erase(from: projects, in: transaction)
                }
                return count + (try await ProjectErasureStore.empty(projects, at: dependencies.now(), in: transaction))
            },
        ]
    }
}
