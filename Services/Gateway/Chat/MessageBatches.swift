// SPDX-License-Identifier: Apache-2.0
// What connections say at the same time, in few calls to chat.

import Calls
import Domain
import NIOCore
import NIOHTTP1
import Surface

/// Brings what several connections say to chat together: what comes while a call is under way goes into the next one, so that each
/// message costs less the more there are. One that nobody is before goes with those that the event loop reads in the same turn.
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

    /// Octets of the messages of one call, which chat takes with room to spare.
    private static let mostOctets = 256 << 10
    /// Where a call takes longer, those that wait do not wait for it.
    private static let patience: Milliseconds = 250
    private static let mostCalls = 4

    private unowned let registry: ChatRegistry
    private var waiting = CircularBuffer<Said>()
    private var calls = 0
    private var isGathering = false
    /// When the newest call began.
    private var began: Milliseconds = 0

    init(_ registry: ChatRegistry) { self.registry = registry }

    func say(_ said: Said) {
        waiting.append(said)
        sendSoon()
    }

    func tick() { sendNext() }

    private var mayCall: Bool {
        calls == 0
            || (calls < MessageBatches.mostCalls && registry.loop.monotonic - began > MessageBatches.patience)
    }

    /// At the end of the event loop's turn, with what it reads until then.
    private func sendSoon() {
        guard !isGathering, !waiting.isEmpty, mayCall else { return }
        isGathering = true
        registry.loop.eventLoop.assumeIsolated().execute { [weak self] in
            self?.isGathering = false
            self?.sendNext()
        }
    }

    private func sendNext() {
        guard mayCall else { return }
        let batch = takeBatch()
        guard let first = batch.first else { return }
        calls += 1
        began = registry.loop.monotonic
        let proceed = { [weak self] in
            guard let self else { return }
            calls -= 1
            sendSoon()
        }
        guard batch.count > 1 else { return ask(first, then: proceed) }
        ask(batch, then: proceed)
    }

    /// Takes what goes into one call, in its order.
    private func takeBatch() -> [Said] {
        var (taken, octets): ([Said], Int) = ([], 0)
        while taken.count < BatchQuestion.most, let next = waiting.first {
            octets += next.body.readableBytes
            guard taken.isEmpty || octets <= MessageBatches.mostOctets else { break }
            taken.append(waiting.removeFirst())
        }
        return taken
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
