// SPDX-License-Identifier: Apache-2.0
// The table of who is there, shared by all event loops of this process.

import Domain
import Events
import Synchronization

final class PresenceBoard: Sendable {
    /// Somebody came or went, to be told to those who share one of `rooms`.
    typealias Announcement = @Sendable (_ account: AccountID, _ isOnline: Bool, _ rooms: Set<Presence.Room>) -> Void

    private struct State {
        var presence: Presence
        var announce: Announcement?
    }

    private let state: Mutex<State>
    private let publisher: LivePublisher

    init(gatewayID: String, publisher: LivePublisher) {
        state = Mutex(State(presence: Presence(gatewayID: gatewayID, version: 0)))
        self.publisher = publisher
    }

    /// - Parameter announce: called on any thread, in the order in which things happened; must not wait.
    func attach(_ announce: @escaping Announcement) { state.withLock { $0.announce = announce } }

    func connected(_ account: AccountID, _ place: Presence.Place) { apply { $0.connected(account, place) } }
    func moved(_ account: AccountID, _ place: Presence.Place) { apply { $0.moved(account, place) } }
    func disconnected(_ account: AccountID, now: Milliseconds) { apply { $0.disconnected(account, now: now) } }
    func heard(_ event: PresenceChanged, now: Milliseconds) { apply { $0.heard(event, now: now) } }
    func linked(now: Milliseconds) { apply { $0.linked(now: now) } }
    func tick(now: Milliseconds) { apply { $0.tick(now: now) } }
    func stop() { apply { $0.stop() } }

    /// Who of those who share `rooms` is there.
    func online(in rooms: Set<Presence.Room>, without account: AccountID) -> Set<AccountID> {
        state.withLock { $0.presence.online(in: rooms, without: account) }
    }

    var onlineCount: Int { state.withLock { $0.presence.onlineCount } }

    /// What follows is handed on under the lock: others must hear it in the order of its versions.
    private func apply(_ change: (inout Presence) -> [Presence.Action]) {
        state.withLock { state in
            for action in change(&state.presence) {
                switch action {
                case .publish(let event): publisher.offer(event)
                case .announce(let account, let isOnline, let rooms): state.announce?(account, isOnline, rooms)
                }
            }
        }
    }
}
