// SPDX-License-Identifier: Apache-2.0
// An Engine.IO endpoint: from a request on any event loop to the session that it belongs to.

public import NIOCore
public import NIOHTTP1
import Synchronization

/// The hubs of an endpoint, one for each event loop.
public final class EngineServer: Sendable {
    public let settings: EngineSettings
    private let hubs: [NIOLoopBound<EngineHub>]
    private static let numbers = Atomic(0)

    /// - Parameter hubs: by their index.
    public init(_ settings: EngineSettings, hubs: [NIOLoopBound<EngineHub>]) {
        self.settings = settings
        self.hubs = hubs
    }

    /// A number for a request or a WebSocket.
    static func newNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    func hub(of sid: String) -> NIOLoopBound<EngineHub>? {
        guard let index = EngineID.hub(of: sid), hubs.indices.contains(index) else { return nil }
        return hubs[index]
    }

    /// The hub of the event loop on which this is called.
    func hubHere() -> NIOLoopBound<EngineHub>? { hubs.first { $0.eventLoop.inEventLoop } }

    /// Prepares for a WebSocket; `completion` comes on the calling event loop.
    public func admit(
        _ head: HTTPRequestHead,
        _ request: SocketIORequest,
        completion: @escaping (Result<EngineWebSocket, EngineRefusal>) -> Void
    ) {
        do throws(EngineRefusal) {
            switch try EngineWish(method: head.method, query: request.query, isUpgrade: true) {
            case .openWebSocket:
                guard let hub = hubHere() else { throw .badRequest }
                completion(.success(EngineWebSocket(hub: hub, target: .new(request))))
            case .upgrade(let sid):
                guard let hub = hub(of: sid), let here = hubHere() else { throw .unknownSession }
                let link = EngineServer.newNumber()
                let waiting = NIOLoopBound(completion, eventLoop: here.eventLoop)
                hub.run { value in
                    let isFree = value.line(sid)?.attach(link)
                    waiting.run { completion in
                        guard let isFree else { return completion(.failure(.unknownSession)) }
                        let target: EngineWebSocket.Target = isFree ? .upgrade(sid: sid, link: link) : .taken
                        completion(.success(EngineWebSocket(hub: hub, target: target)))
                    }
                }
            default: throw .badRequest
            }
        } catch {
            completion(.failure(error))
        }
    }
}
