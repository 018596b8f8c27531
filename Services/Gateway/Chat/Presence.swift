// SPDX-License-Identifier: Apache-2.0
// Who is connected, at this gateway and at the others.

import Domain
import Events

/// The table of who is there, and what is to be told of it.
///
/// Each gateway tells the others who came and who left, everybody every `period`, and nobody when it stops. Whoever is
/// silent for `expiry` is taken to be gone with all its people. A person who is gone everywhere is shown as gone only
/// after `grace`, so that a reconnection goes unnoticed. Pure: time comes from outside.
struct Presence {
    /// A playground or direct channel: whoever shares one may know.
    typealias Room = Int64

    enum Action: Equatable {
        case publish(PresenceChanged)
        /// To those who share one of `rooms`.
        case announce(AccountID, isOnline: Bool, rooms: Set<Room>)
    }

    struct Place: Equatable {
        var playgrounds: [PlaygroundID] = []
        var directs: [ChannelID] = []

        var rooms: Set<Room> { Set(playgrounds.map(\.rawValue) + directs.map(\.rawValue)) }
    }

    static let period: Milliseconds = 10_000
    static let expiry: Milliseconds = 30_000
    static let grace: Milliseconds = 2000
    /// How often to ask others for what we lack.
    static let patience: Milliseconds = 2000
    /// Where more people than this are online, single ones are no longer announced to all.
    static let crowd = 1000
    /// Places in one message.
    static let page = 500

    private struct Local {
        var connections: Int
        var place: Place
    }

    private struct Gateway {
        var heard: Milliseconds
        var version: Int64
        var people: [AccountID: Set<Room>?] = [:]
    }

    private struct Shown {
        var rooms: Set<Room>
        /// When it is to be shown as gone; nil while it is there.
        var endsAt: Milliseconds?
    }

    let gatewayID: String
    private var version: Int64
    private var local: [AccountID: Local] = [:]
    private var gateways: [String: Gateway] = [:]
    private var shown: [AccountID: Shown] = [:]
    private var byRoom: [Room: Set<AccountID>] = [:]
    private var ending: Set<AccountID> = []
    private var lastWhole: Milliseconds?
    private var lastAsked: Milliseconds?

    /// - Parameter version: rises from one start of a process to the next.
    init(gatewayID: String, version: Int64) {
        self.gatewayID = gatewayID
        self.version = version
    }

    var onlineCount: Int { shown.count }

    func isOnline(_ account: AccountID) -> Bool { shown[account] != nil }

    /// Who is there of those who share one of these rooms, without `account` itself.
    func online(in rooms: Set<Room>, without account: AccountID) -> Set<AccountID> {
        var found: Set<AccountID> = []
        for room in rooms {
            guard let people = byRoom[room], people.count <= Presence.crowd else { continue }
            found.formUnion(people)
        }
        found.remove(account)
        return found
    }

    // MARK: This gateway

    mutating func connected(_ account: AccountID, _ place: Place) -> [Action] {
        if let known = local[account] {
            local[account] = Local(connections: known.connections + 1, place: place)
            return known.place == place ? [] : publish([account]) + show(account)
        }
        local[account] = Local(connections: 1, place: place)
        return publish([account]) + show(account)
    }

    /// The account came into playgrounds or channels, or left some.
    mutating func moved(_ account: AccountID, _ place: Place) -> [Action] {
        guard let known = local[account], known.place != place else { return [] }
        local[account]?.place = place
        return publish([account]) + show(account)
    }

    mutating func disconnected(_ account: AccountID, now: Milliseconds) -> [Action] {
        guard let known = local[account] else { return [] }
        if known.connections > 1 {
            local[account]?.connections = known.connections - 1
            return []
        }
        local[account] = nil
        version += 1
        let event = PresenceChanged(
            gatewayID: gatewayID,
            connected: [],
            disconnected: [account],
            isWhole: false,
            subjectVersion: version
        )
        hideIfGone(account, now: now)
        return [.publish(event)]
    }

    /// This gateway stops: nobody is here any more.
    mutating func stop() -> [Action] {
        local = [:]
        return [.publish(whole())]
    }

    // MARK: The others

    mutating func heard(_ event: PresenceChanged, now: Milliseconds) -> [Action] {
        guard event.gatewayID != gatewayID else { return [] }
        var gateway = gateways[event.gatewayID] ?? Gateway(heard: now, version: .min)
        guard event.subjectVersion > gateway.version else { return [] }
        gateway.version = event.subjectVersion
        gateway.heard = now
        var touched: Set<AccountID> = []
        if event.isWhole {
            let all = Set(event.connected)
            touched = Set(gateway.people.keys.filter { !all.contains($0) })
            gateway.people = gateway.people.filter { all.contains($0.key) }
        }
        for account in event.disconnected where gateway.people.removeValue(forKey: account) != nil {
            touched.insert(account)
        }
        for account in event.connected where gateway.people[account] == nil {
            gateway.people.updateValue(nil, forKey: account)
            touched.insert(account)
        }
        for place in event.places ?? [] where gateway.people[place.accountID] != nil {
            let rooms = Set(place.playgroundIDs.map(\.rawValue) + place.directIDs.map(\.rawValue))
            gateway.people[place.accountID] = .some(rooms)
            touched.insert(place.accountID)
        }
        let lacks = gateway.people.values.contains { $0 == nil }
        gateways[event.gatewayID] = gateway
        var actions: [Action] = []
        for account in touched.sorted() {
            if isConnected(account) { actions += show(account) } else { hideIfGone(account, now: now) }
        }
        if event.asks == true { actions += tellPlaces() }
        if lacks { actions += ask(now: now) }
        return actions
    }

    /// The broker is back: others may have missed us, and we them.
    mutating func linked(now: Milliseconds) -> [Action] {
        lastAsked = now
        lastWhole = now
        return tellPlaces() + [.publish(whole(asks: true))]
    }

    mutating func tick(now: Milliseconds) -> [Action] {
        var actions: [Action] = []
        for (id, gateway) in gateways where now - gateway.heard > Presence.expiry {
            gateways[id] = nil
            for account in gateway.people.keys { hideIfGone(account, now: now) }
        }
        for account in ending.sorted() {
            guard let ends = shown[account]?.endsAt else {
                ending.remove(account)
                continue
            }
            guard now >= ends else { continue }
            ending.remove(account)
            actions += hide(account)
        }
        if let last = lastWhole, now - last < Presence.period { return actions }
        lastWhole = now
        actions.append(.publish(whole()))
        return actions
    }

    // MARK: What is shown

    private func isConnected(_ account: AccountID) -> Bool {
        local[account] != nil || gateways.values.contains { $0.people[account] != nil }
    }

    /// Where the account is known to belong, from whoever knows.
    private func rooms(of account: AccountID) -> Set<Room>? {
        if let place = local[account]?.place { return place.rooms }
        for gateway in gateways.values {
            if let known = gateway.people[account], let rooms = known { return rooms }
        }
        return nil
    }

    private mutating func show(_ account: AccountID) -> [Action] {
        // Without a place nobody could be told.
        guard let rooms = rooms(of: account) else { return [] }
        let before = shown[account]
        shown[account] = Shown(rooms: rooms, endsAt: nil)
        let known = before?.rooms ?? []
        for room in known.subtracting(rooms) { remove(account, from: room) }
        let new = rooms.subtracting(known)
        for room in new { byRoom[room, default: []].insert(account) }
        let quiet = new.filter { (byRoom[$0]?.count ?? 0) <= Presence.crowd }
        return before != nil && quiet.isEmpty ? [] : [.announce(account, isOnline: true, rooms: quiet)]
    }

    private mutating func hideIfGone(_ account: AccountID, now: Milliseconds) {
        guard !isConnected(account), shown[account] != nil, shown[account]?.endsAt == nil else { return }
        shown[account]?.endsAt = now + Presence.grace
        ending.insert(account)
    }

    private mutating func hide(_ account: AccountID) -> [Action] {
        guard let gone = shown.removeValue(forKey: account) else { return [] }
        let quiet = gone.rooms.filter { (byRoom[$0]?.count ?? 0) <= Presence.crowd }
        for room in gone.rooms { remove(account, from: room) }
        return [.announce(account, isOnline: false, rooms: quiet)]
    }

    private mutating func remove(_ account: AccountID, from room: Room) {
        byRoom[room]?.remove(account)
        if byRoom[room]?.isEmpty == true { byRoom[room] = nil }
    }

    // MARK: What is told

    private mutating func publish(_ accounts: [AccountID]) -> [Action] {
        version += 1
        return [
            .publish(
                PresenceChanged(
                    gatewayID: gatewayID,
                    connected: accounts,
                    disconnected: [],
                    isWhole: false,
                    places: accounts.map(place),
                    subjectVersion: version
                )
            )
        ]
    }

    private func place(_ account: AccountID) -> PresenceChanged.Place {
        let place = local[account]?.place ?? Place()
        return PresenceChanged.Place(
            accountID: account,
            playgroundIDs: place.playgrounds,
            directIDs: place.directs
        )
    }

    private mutating func whole(asks: Bool? = nil) -> PresenceChanged {
        version += 1
        return PresenceChanged(
            gatewayID: gatewayID,
            connected: local.keys.sorted(),
            disconnected: [],
            isWhole: true,
            asks: asks,
            subjectVersion: version
        )
    }

    private mutating func tellPlaces() -> [Action] {
        var rest = local.keys.sorted()[...]
        var actions: [Action] = []
        while !rest.isEmpty {
            actions += publish(Array(rest.prefix(Presence.page)))
            rest = rest.dropFirst(Presence.page)
        }
        return actions
    }

    private mutating func ask(now: Milliseconds) -> [Action] {
        if let last = lastAsked, now - last < Presence.patience { return [] }
        lastAsked = now
        return [.publish(whole(asks: true))]
    }
}
