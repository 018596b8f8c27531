// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/push/preferences: somebody says what they want to be told by push, all of it.

import Domain
import Postgres
import Web

enum SavePushPreferences {
    /// Apps, and devices, for which something else is said than for the account.
    private static let mostExceptions = 20

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let scope = try DeviceScope(request)
        let wishes = try wishes(request.parameters(), within: scope)
        if let zone = wishes.compactMap(\.timeZone).first {
            guard try await PreferenceStore.knows(zone: zone, in: dependencies.database) else {
                throw Problem.invalid("quiet_hours[time_zone]", "invalid")
            }
        }
        let kept = try await dependencies.database.transaction { transaction in
            // Two who save at once: one after the other.
            LockStore.take(claiming: [scope.account.rawValue], in: transaction)
            PreferenceStore.clear(scope, in: transaction)
            try PreferenceStore.keep(wishes, within: scope, in: transaction)
            return try await PreferenceStore.wishes(within: scope, in: transaction)
        }
        return .json(PushPreferences(wishes: kept))
    }

    /// Throws a 403 for what the app has no say in: the account's wishes, and those of other apps.
    private static func wishes(_ parameters: Parameters, within scope: DeviceScope) throws -> [PushWishes] {
        if scope.app != nil {
            guard try parameters.nested("kinds") == nil, try parameters.nested("quiet_hours") == nil,
                try parameters.string("preview") == nil
            else { throw Problem.forbidden }
        }
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
            guard scope.app == nil || scope.app == id else { throw Problem.forbidden }
            return try wishes(.app(id), members)
        }
        let devices = try exceptions("devices", parameters) { members in
            let id: DeviceID? = try members.id("device_id")
            guard let id else { throw Problem.invalid("devices", "invalid") }
            return try wishes(.device(id), members)
        }
        return (scope.app == nil ? [own] : []) + apps + devices
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
