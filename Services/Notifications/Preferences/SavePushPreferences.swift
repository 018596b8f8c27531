// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/push/preferences: somebody says what they want to be told by push, all of it.

import Domain
import Postgres
import Web

enum SavePushPreferences {
    /// Apps, and devices, for which something else is said than for the account.
    private static let mostExceptions = 20

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let wishes = try wishes(request.parameters())
        if let zone = wishes.compactMap(\.timeZone).first {
            guard try await PreferenceStore.knows(zone: zone, in: dependencies.database) else {
                throw Problem.invalid("quiet_hours[time_zone]", "invalid")
            }
        }
        let kept = try await dependencies.database.transaction { transaction in
            // Two who save at once: one after the other.
            LockStore.claim(account.id.rawValue, in: transaction)
            PreferenceStore.clear(account.id, in: transaction)
            try PreferenceStore.keep(wishes, of: account.id, in: transaction)
            return try await PreferenceStore.wishes(of: account.id, in: transaction)
        }
        return .json(PushPreferences(wishes: kept))
    }

    private static func wishes(_ parameters: Parameters) throws -> [PushWishes] {
        var own = try wishes(.account, parameters)
        if let quiet = try parameters.nested("quiet_hours") {
            guard let start = try quiet.string("from").flatMap(QuietHours.minutes),
                let end = try quiet.string("to").flatMap(QuietHours.minutes)
            else { throw Problem.invalid("quiet_hours", "invalid") }
            own.quiet = QuietHours(start: start, end: end)
            own.timeZone = try quiet.timeZone("time_zone")
        }
        let apps = try exceptions("apps", parameters) { members in
            let id: AppID? = try members.id("app_id")
            guard let id else { throw Problem.invalid("apps", "invalid") }
            return try wishes(.app(id), members)
        }
        let devices = try exceptions("devices", parameters) { members in
            let id: DeviceID? = try members.id("device_id")
            guard let id else { throw Problem.invalid("devices", "invalid") }
            return try wishes(.device(id), members)
        }
        return [own] + apps + devices
    }

    private static func exceptions(
        _ name: String,
        _ parameters: Parameters,
        _ read: (Parameters) throws -> PushWishes
    ) throws -> [PushWishes] {
        let members = try parameters.list(name) ?? []
        guard members.count <= mostExceptions else { throw Problem.invalid(name, "too_many") }
        let all = try members.map(read)
        guard Set(all.map(\.scope.id)).count == all.count else { throw Problem.invalid(name, "taken") }
        return all
    }

    private static func wishes(_ scope: PushWishes.Scope, _ parameters: Parameters) throws -> PushWishes {
        var wishes = PushWishes(scope: scope)
        if let kinds = try parameters.nested("kinds") {
            for name in kinds.names {
                guard NotificationKind(rawValue: name) != nil else { throw Problem.invalid("kinds", "inclusion") }
                wishes.kinds[name] = try kinds.boolean(name)
            }
        }
        wishes.preview = try parameters.string("preview").map { text in
            guard let preview = Preview(rawValue: text) else { throw Problem.invalid("preview", "inclusion") }
            return preview
        }
        return wishes
    }
}
