// SPDX-License-Identifier: Apache-2.0
// What connections say at the same time, in few calls to chat.

import Calls
import Domain
import NIOCore
import NIOHTTP1
import Surface

/// Brings what several connections say to chat together: what comes while a call is under way goes into the next one, so that each
/// message costs less the more there are, and one that nobody is before goes at once, by itself.
final class MessageBatches {
    typealias Answer = (status: Int, body: ByteBuffer)?

    /// One message of one connection, which says nothing more until it is answered.
    struct Said {
        let principal: KnownPrincipal
        let channel: ChannelID
        let body: ByteBuffer
        /// Of a call for it alone, as are the fields.
        let path: String
        let fields: [(String, String?)]
        let language: String?
        /// Whether saying it twice is no different from saying it once.
        let isRepeatable: Bool
        let completion: (Answer) -> Void
    }

    /// What waits in one of the lanes that channels share.
    fileprivate struct Lane {
        var waiting = CircularBuffer<Said>()
        var calls = 0
        /// When the newest call began.
        var began: Milliseconds = 0
    }

    /// Octets of the messages of one call, which chat takes with room to spare.
    fileprivate static let mostOctets = 256 << 10
    /// Where a call takes longer, those that wait do not wait for it.
    private static let patience: Milliseconds = 1000
    private static let mostCalls = 4

    private unowned let registry: ChatRegistry
    private var lanes = [Lane](repeating: Lane(), count: BatchQuestion.lanes)

    init(_ registry: ChatRegistry) { self.registry = registry }

    func say(_ said: Said) {
        let lane = lane(of: said.channel.rawValue, among: lanes.count)
        lanes[lane].waiting.append(said)
        sendNext(lane)
    }

    func tick() {
        for lane in lanes.indices { sendNext(lane) }
    }

    private func sendNext(_ lane: Int) {
        let now = registry.loop.monotonic
        let isFree = lanes[lane].calls == 0
        let isSlow = now - lanes[lane].began > MessageBatches.patience && lanes[lane].calls < MessageBatches.mostCalls
        guard isFree || isSlow else { return }
        let batch = lanes[lane].take()
        guard let first = batch.first else { return }
        lanes[lane].calls += 1
        lanes[lane].began = now
        let proceed = { [weak self] in
            guard let self else { return }
            lanes[lane].calls -= 1
            sendNext(lane)
        }
        guard batch.count > 1 else { return ask(first, then: proceed) }
        ask(batch, then: proceed)
    }

    private func ask(_ said: Said, then proceed: @escaping () -> Void) {
        registry.ask(
            .POST,
            said.path,
            as: said.principal,
            fields: said.fields,
            body: said.body,
            repeats: said.isRepeatable
        ) { answer in
            said.completion(answer)
            proceed()
        }
    }

    private func ask(_ batch: [Said], then proceed: @escaping () -> Void) {
        let messages = batch.map { said in
            let statement = said.principal.statement(for: .chat)
            return SaidMessage(said.body, in: said.channel, as: statement, language: said.language)
        }
        let repeats = batch.allSatisfy(\.isRepeatable)
        registry.ask(
            .POST,
            ChatCall.sendBatch.path,
            body: ByteBuffer(bytes: BatchQuestion.json(messages)),
            repeats: repeats
        ) { answer in
            if let answer, (400..<500).contains(answer.status) {
                // Nothing was stored: chat of a release before does not know the call, or one of them cannot be understood.
                for said in batch { self.ask(said) {} }
            } else if answer == nil, !repeats {
                // Nobody knows what was stored. For the sake of the others the call was not repeated.
                for said in batch { said.isRepeatable ? self.ask(said) {} : said.completion(nil) }
            } else {
                let answers = answer.flatMap { $0.status == 200 ? MessagesAnswer.answers($0.body) : nil } ?? []
                for (index, said) in batch.enumerated() {
                    said.completion(answers.count == batch.count ? answers[index] : nil)
                }
            }
            proceed()
        }
    }
}

extension MessageBatches.Lane {
    /// Takes what goes into one call, in its order.
    fileprivate mutating func take() -> [MessageBatches.Said] {
        var (taken, octets): ([MessageBatches.Said], Int) = ([], 0)
        while taken.count < BatchQuestion.most, let next = waiting.first {
            octets += next.body.readableBytes
            guard taken.isEmpty || octets <= MessageBatches.mostOctets else { break }
            taken.append(waiting.removeFirst())
        }
        return taken
    }
}
