// SPDX-License-Identifier: Apache-2.0
// A provider that remembers what it was given, and answers as a test says.

import Domain
import Foundation
import HTTPTypes
import Logging
import ServiceKit
import Support
import Synchronization
import Testing
import Web

@testable import NotificationsService

final class RecordingSender: PushSender {
    private struct State {
        var pushes: [Push] = []
        var flying: Set<String> = []
        var hasMet = false
    }

    private let state = Mutex(State())
    private let answer: @Sendable (Push, Int) async -> PushOutcome

    /// - Parameter answer: to a push, by how many came before it.
    init(_ answer: @escaping @Sendable (Push, Int) async -> PushOutcome = { _, _ in .accepted(name: "taken") }) {
        self.answer = answer
    }

    var pushes: [Push] { state.withLock { $0.pushes } }
    /// Whether two were on their way to one device at once.
    var hasMet: Bool { state.withLock { $0.hasMet } }

    func send(_ push: Push) async -> PushOutcome {
        let address = "\(push.address)"
        let number = state.withLock { state in
            state.hasMet = state.hasMet || !state.flying.insert(address).inserted
            state.pushes.append(push)
            return state.pushes.count - 1
        }
        // Others have their turn meanwhile.
        for _ in 0..<20 { await Task.yield() }
        let outcome = await answer(push, number)
        state.withLock { _ = $0.flying.remove(address) }
        return outcome
    }
}

extension Push {
    var alert: PushAlert? { if case .alert(let alert) = content { alert } else { nil } }
    var badge: Int {
        switch content {
        case .alert(let alert): alert.badge
        case .badge(let number): number
        }
    }

    /// `favourite`, or `badge 3`.
    var summary: String { alert.map { $0.data["kind"] ?? "" } ?? "badge \(badge)" }
}

extension Stage {
    /// A little after what worlds tell.
    static let soon = Timestamp(rfc3339: "2026-01-02T03:20:00Z") ?? now

    /// Runs `body` on a stage where `sender` takes what is for every platform.
    static func push(
        _ sender: RecordingSender,
        _ body: @Sendable (Stage) async throws -> Void
    ) async throws {
        try await run(senders: [.apple: sender, .firebase: sender, .web: sender]) { stage in
            stage.clock.value = soon
            try await body(stage)
        }
    }

    /// What a process does.
    var worker: DeliveryWorker {
        DeliveryWorker(dependencies: dependencies, metrics: Metrics(), logger: Logger(label: "notifications-tests"))
    }

    /// Registers a device of Firebase; its id.
    @discardableResult
    func register(
        _ token: String,
        of account: AccountID,
        _ session: SessionID = 8,
        more: String = ""
    ) async throws -> DeviceID {
        let answer = try await respond(
            .post,
            "/api/v1/devices",
            form: "platform=firebase&token=\(token)\(more.isEmpty ? "" : "&" + more)",
            as: account,
            session: session
        )
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(DeviceID(try JSONDecoder().decode(ShownDevice.self, from: Data(answer.body)).id))
    }

    func devices(of account: AccountID) async throws -> [ShownDevice] {
        let answer = try await respond(.get, "/api/v1/devices", as: account)
        return try JSONDecoder().decode([ShownDevice].self, from: Data(answer.body))
    }

    /// What was sent to a device, oldest first.
    func log(_ device: DeviceID, of account: AccountID) async throws -> [ShownDelivery] {
        let answer = try await respond(.get, "/api/v1/devices/\(device)/deliveries", query: "limit=80", as: account)
        #expect(answer.status == .ok)
        return try JSONDecoder().decode([ShownDelivery].self, from: Data(answer.body)).reversed()
    }
}

struct ShownDevice: Decodable, Equatable {
    let id: String
    let platform: String
    let environment: String
    let topic: String?
    let language: String
    let time_zone: String
    let current: Bool
    let reached: Bool
}

struct ShownDelivery: Decodable, Equatable {
    let push_id: String
    let kind: String
    let state: String
    let attempts: Int
    let reason: String?
}
