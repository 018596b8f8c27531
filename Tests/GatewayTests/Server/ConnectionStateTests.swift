// SPDX-License-Identifier: Apache-2.0
// The state of a client's connection: what happens on the left, what it says to do on the right. No sockets.

import NIOHTTP1
import Testing

@testable import GatewayService

@Suite struct ConnectionStateTests {
    /// What happens to a connection.
    enum Event {
        case begins(HTTPMethod, BodyFraming, closes: Bool = false, old: Bool = false)
        case body(Int)
        case takesUpload
        case end(more: Bool = false)
        case refuses
        case accepts
        case collects(Int)
        case queues
        case leavesQueue
        case sends
        case entersSession
        case releases
        case fails(UpstreamFailure, stale: Bool)
        case answerStarts(AnswerLength, stopping: Bool = false)
        case answerEnds
        case next(more: Bool = false)
        case lingers
        case written
        case handsOver
        case leaves
        case writable(Bool)
        case reads(more: Bool = false, upstream: Bool = true)
        case held
        case resumed
        case tick
        case takesParts
        /// Time goes by.
        case after(Milliseconds)
    }

    struct Row {
        let event: Event
        /// As text, so that one column holds the answers of all events; empty for those that answer nothing.
        let says: String
        let line: Int

        init(_ event: Event, _ says: String = "", line: Int = #line) {
            self.event = event
            self.says = says
            self.line = line
        }
    }

    static let limits: GatewayLimits = {
        var limits = GatewayLimits()
        limits.body = 200_000
        return limits
    }()

    /// Feeds the rows to one connection and compares what it says.
    private func walk(
        refused: Bool = false,
        _ rows: [Row],
        then phase: (ConnectionState.Phase) -> Bool = { _ in true },
        line: Int = #line
    ) {
        let limits = ConnectionStateTests.limits
        var now = Milliseconds(1000)
        var state = ConnectionState(now: now, isRefused: refused)
        for row in rows {
            let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: row.line, column: 1)
            #expect(tell(&state, row.event, &now, limits) == row.says, sourceLocation: place)
        }
        let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(phase(state.phase), "\(state.phase)", sourceLocation: place)
    }

    private func head(_ method: HTTPMethod, closes: Bool, old: Bool) -> HTTPRequestHead {
        var head = HTTPRequestHead(version: old ? .http1_0 : .http1_1, method: method, uri: "/")
        if closes { head.headers.add(name: "connection", value: "close") }
        if old, !closes { head.headers.add(name: "connection", value: "keep-alive") }
        return head
    }

    private func tell(
        _ state: inout ConnectionState,
        _ event: Event,
        _ now: inout Milliseconds,
        _ limits: GatewayLimits
    ) -> String {
        switch event {
        case .begins(let method, let framing, let closes, let old):
            state.began(ExchangeState(head(method, closes: closes, old: old), framing: framing, now: now))
        case .takesUpload: state.takesUpload()
        case .body(let count): return "\(state.bodyCame(count, most: limits.body))"
        case .end(let more): return "\(state.endCame(now: now, mayBeSending: more, patience: limits.stalledWrite))"
        case .refuses:
            let unknown = ExchangeState(head(.GET, closes: false, old: false), framing: .chunked, now: now)
            return "\(state.refuses(with: unknown))"
        case .accepts: state.accepts()
        case .collects(let most): return "\(state.collects(most: most))"
        case .queues: state.queues(now: now)
        case .leavesQueue: return "\(state.leavesQueue())"
        case .sends: return "\(state.sends())"
        case .entersSession: state.entersSession()
        case .releases: state.releases()
        case .fails(let failure, let stale): return "\(state.fails(failure, mayBeStale: stale))"
        case .answerStarts(let length, let stopping):
            let framing = state.answerStarts(length, isStopping: stopping)
            return "\(framing.field)" + (framing.keepsAlive ? "" : " close")
                + (framing.namesKeptConnection ? " keep-alive" : "")
        case .answerEnds: state.answerEnds()
        case .next(let more): return "\(state.next(now: now, mayBeSending: more, patience: limits.stalledWrite))"
        case .lingers: return "\(state.lingers(now: now, limits))"
        case .written: return "\(state.written(now: now, limits))"
        case .handsOver: state.handsOver()
        case .leaves: return "\(state.leaves())"
        case .writable(let isWritable): state.writabilityChanged(isWritable, now: now)
        case .reads(let more, let upstream):
            let most = limits.unacceptedBody
            return "\(state.mayRead(hasMore: more, upstreamIsWritable: upstream, unaccepted: most))"
        case .held: state.holdsRead(now: now)
        case .resumed: return "\(state.resumesRead(now: now))"
        case .tick: return "\(state.tick(now: now, limits))"
        case .takesParts: return "\(state.takesParts)"
        case .after(let time): now += time
        }
        return ""
    }

    // MARK: Reading

    @Test func onePlainRequestAfterTheOther() {
        walk([
            Row(.takesParts, "true"), Row(.reads(), "true"),
            Row(.begins(.GET, .none)), Row(.accepts), Row(.sends, "true"),
            Row(.end(), "endSending"), Row(.takesParts, "false"),
            // The next request may come, and waits for its turn; what follows it does not.
            Row(.reads(), "true"), Row(.reads(more: true), "false"),
            Row(.answerStarts(.known(3)), "length(3)"), Row(.answerEnds), Row(.next(), "takeNextRequest"),
            Row(.takesParts, "true"), Row(.reads(), "true"), Row(.reads(more: true), "false"),
            Row(.begins(.GET, .none)), Row(.end(), "none"),
        ])
    }

    @Test func aBodyIsKeptUntilSomebodyHasIt() {
        walk([
            Row(.begins(.POST, .length(100_000))),
            // Before it is known who sends it, little is taken.
            Row(.body(16 * 1024 - 1), "keep"), Row(.reads(), "true"), Row(.body(1), "keep"), Row(.reads(), "false"),
            Row(.accepts), Row(.reads(), "true"), Row(.body(48 * 1024), "keep"), Row(.reads(), "false"),
            Row(.sends, "true"), Row(.reads(), "true"), Row(.reads(upstream: false), "false"),
            Row(.body(100_000 - 64 * 1024), "send"), Row(.end(), "endSending"),
        ])
    }

    @Test(arguments: [(99, "waits"), (100, "waits"), (101, "tooLong")])
    func whatWaitsForABodyGoesOnOnce(_ before: Int, _ says: String) {
        var rows = [Row(.begins(.POST, .chunked)), Row(.body(before), "keep"), Row(.collects(100), says)]
        if says == "waits" {
            rows += [Row(.body(1), before == 100 ? "goOn" : "keep")]
            rows += [Row(.end(), before == 100 ? "none" : "goOn")]
        } else {
            rows += [Row(.body(1), "keep"), Row(.end(), "none")]
        }
        walk(rows)
    }

    @Test func aRequestThatIsInNeedNotBeWaitedFor() {
        walk([Row(.begins(.GET, .none)), Row(.end(), "none"), Row(.collects(10), "whole")])
    }

    @Test func aSessionGetsTheBodyItself() {
        walk([
            Row(.begins(.POST, .chunked)), Row(.entersSession), Row(.body(70_000), "giveSession"),
            Row(.reads(), "true"), Row(.end(), "endSession"),
        ])
    }

    @Test func aBodyThatIsTooLongIsRefused() {
        walk([
            Row(.begins(.POST, .chunked)), Row(.accepts), Row(.sends, "true"), Row(.body(200_000), "send"),
            Row(.body(1), "refuse"), Row(.refuses, "answer"),
            Row(.answerStarts(.known(9)), "length(9) close"), Row(.answerEnds), Row(.next(), "linger"),
        ])
        // When an answer has begun nothing else can be said.
        walk([
            Row(.begins(.POST, .chunked)), Row(.sends, "true"), Row(.answerStarts(.unknown), "chunked close"),
            Row(.body(200_001), "refuse"), Row(.refuses, "close"),
        ])
    }

    @Test func whatCannotBeUnderstoodIsAnsweredOnceAndIsTheLast() {
        walk([
            Row(.refuses, "answer"), Row(.answerStarts(.known(1)), "length(1) close"), Row(.answerEnds),
            Row(.next(), "linger"), Row(.lingers, "true"), Row(.refuses, "none"), Row(.body(5), "drop"),
            Row(.end(), "none"), Row(.takesParts, "false"),
        ])
    }

    // MARK: Answering

    @Test(arguments: [
        (Event.answerStarts(.known(7)), "length(7)", "length(7) keep-alive"),
        (.answerStarts(.empty), "none", "none keep-alive"),
        (.answerStarts(.unknown), "chunked", "none close"),
        (.answerStarts(.untilClose), "none close", "none close"),
        (.answerStarts(.known(7), stopping: true), "length(7) close", "length(7) close"),
    ])
    func theHeadSaysWhereTheBodyEnds(_ event: Event, _ says: String, _ toOldClients: String) {
        walk([Row(.begins(.GET, .none)), Row(.end(), "none"), Row(event, says)])
        walk([Row(.begins(.GET, .none, old: true)), Row(.end(), "none"), Row(event, toOldClients)])
        walk([
            Row(.begins(.GET, .none, closes: true)), Row(.end(), "none"),
            Row(event, says.hasSuffix("close") ? says : says + " close"),
        ])
    }

    @Test func aLittleRestOfABodyIsReadAndDroppedALargeOneEndsTheConnection() {
        walk([
            Row(.begins(.POST, .length(64 * 1024))), Row(.answerStarts(.known(1)), "length(1)"), Row(.answerEnds),
            Row(.next(), "readOn"), Row(.reads(), "true"), Row(.body(64 * 1024), "drop"),
            Row(.end(), "next(\(ConnectionState.NextAction.takeNextRequest.name))"),
        ])
        walk([
            Row(.begins(.POST, .length(64 * 1024 + 1))), Row(.answerStarts(.known(1)), "length(1) close"),
            Row(.answerEnds), Row(.next(), "linger"),
        ])
        walk([
            Row(.begins(.POST, .length(10))), Row(.answerStarts(.known(1)), "length(1)"), Row(.answerEnds),
            Row(.next(), "readOn"), Row(.body(200_001), "linger"),
        ])
    }

    @Test func theLastAnswerIsWrittenBeforeTheEnd() {
        let answered = [
            Row(.begins(.GET, .none, closes: true)), Row(.end(), "none"),
            Row(.answerStarts(.known(1)), "length(1) close"), Row(.answerEnds),
        ]
        walk(answered + [Row(.next(), "finish"), Row(.reads(), "true"), Row(.written, "close")])
        // A client that may still be sending is read until it has had time to see the answer.
        walk(
            answered + [Row(.next(more: true), "finish"), Row(.after(500)), Row(.written, "closeOutput")],
            then: { $0 == .lingering(until: 1500 + ConnectionStateTests.limits.linger) }
        )
        // Nobody waits for a client that does not take it.
        walk(answered + [Row(.next(), "finish"), Row(.after(20_001)), Row(.tick, "close")])
        walk(
            answered + [
                Row(.next(more: true), "finish"), Row(.written, "closeOutput"), Row(.after(2001)), Row(.tick, "close"),
            ]
        )
    }

    @Test func noOtherRequestBeginsWhileAnswersLieUnread() {
        walk([
            Row(.writable(false)), Row(.takesParts, "false"), Row(.reads(), "false"), Row(.after(20_001)),
            Row(.tick, "close"),
        ])
        walk([
            Row(.begins(.POST, .chunked)), Row(.writable(false)), Row(.takesParts, "true"), Row(.reads(), "true"),
            Row(.writable(true)), Row(.after(20_001)), Row(.tick, "answerTooSlow"),
        ])
    }

    // MARK: Services

    @Test(arguments: [
        (UpstreamFailure.closed, true, "sendAgain"), (.closed, false, "answer"), (.timedOut, true, "answer"),
        (.unreachable, true, "answer"), (.broken, true, "answer"),
    ])
    func aUsedConnectionThatWasClosedIsTriedOnceMore(_ failure: UpstreamFailure, _ stale: Bool, _ says: String) {
        var rows = [
            Row(.begins(.PUT, .length(10))), Row(.body(10), "keep"), Row(.end(), "none"), Row(.sends, "true"),
            Row(.fails(failure, stale: stale), says),
        ]
        if says == "sendAgain" { rows += [Row(.sends, "true"), Row(.fails(.closed, stale: true), "answer")] }
        walk(rows)
    }

    @Test func whatIsTooLongToBeKeptOrHalfAnsweredIsNotSentAgain() {
        walk([
            Row(.begins(.PUT, .chunked)), Row(.accepts), Row(.sends, "true"), Row(.body(64 * 1024 + 1), "send"),
            Row(.fails(.closed, stale: true), "answer"),
        ])
        walk([
            Row(.begins(.GET, .none)), Row(.end(), "none"), Row(.sends, "true"),
            Row(.answerStarts(.known(2)), "length(2)"), Row(.fails(.closed, stale: true), "close"),
        ])
        walk([Row(.fails(.closed, stale: true), "none")])
    }

    @Test func aServiceThatComesTooLateIsNotAsked() {
        walk([
            Row(.begins(.GET, .none)), Row(.accepts), Row(.answerStarts(.known(1)), "length(1)"), Row(.sends, "false"),
        ])
        walk([Row(.leaves, "false"), Row(.sends, "false")])
    }

    @Test func aTurnComesOrIsGivenUp() {
        let waiting = [Row(.begins(.GET, .none)), Row(.end(), "none"), Row(.accepts), Row(.queues)]
        walk(waiting + [Row(.after(3000)), Row(.tick, "none"), Row(.leavesQueue, "true"), Row(.leavesQueue, "false")])
        walk(
            waiting + [
                Row(.after(3001)), Row(.tick, "answerTooMany"), Row(.releases), Row(.tick, "none"),
                Row(.leavesQueue, "false"),
            ]
        )
        walk(waiting + [Row(.answerStarts(.known(1)), "length(1)"), Row(.leavesQueue, "false")])
    }

    // MARK: Time

    @Test func aRequestMustComeInTime() {
        walk([Row(.after(15_000)), Row(.tick, "rest"), Row(.after(1)), Row(.tick, "close")])
        walk(refused: true, [Row(.after(2001)), Row(.tick, "close")])
        walk([
            Row(.begins(.GET, .none)), Row(.end(), "none"), Row(.after(60_000)), Row(.tick, "none"),
            Row(.answerStarts(.empty), "none"), Row(.answerEnds), Row(.next(), "takeNextRequest"),
            Row(.after(30_000)), Row(.tick, "rest"), Row(.after(1)), Row(.tick, "close"),
        ])
    }

    @Test func aBodyMustComeAtItsRate() {
        let begun = [Row(.begins(.POST, .chunked)), Row(.accepts), Row(.body(25_000), "keep")]
        walk(begun + [Row(.after(20_001)), Row(.tick, "none"), Row(.after(5000)), Row(.tick, "answerTooSlow")])
        // To a service it must come faster.
        walk(begun + [Row(.sends, "true"), Row(.after(20_001)), Row(.tick, "answerTooSlow")])
        walk(
            begun + [
                Row(.sends, "true"), Row(.answerStarts(.known(1)), "length(1) close"), Row(.after(20_001)),
                Row(.tick, "close"),
            ]
        )
    }

    @Test func aFileMayComeMoreSlowly() {
        let begun = [
            Row(.begins(.POST, .chunked)), Row(.takesUpload), Row(.accepts), Row(.sends, "true"),
            Row(.body(180_000), "send"), Row(.after(20_001)), Row(.tick, "none"),
        ]
        walk(begun + [Row(.after(1900)), Row(.tick, "none"), Row(.after(200)), Row(.tick, "answerTooSlow")])
    }

    @Test func timeInWhichTheClientWasNotLetDoesNotCount() {
        walk([
            Row(.begins(.POST, .chunked)), Row(.held), Row(.after(60_000)), Row(.tick, "none"),
            Row(.resumed, "true"), Row(.resumed, "false"), Row(.after(20_000)), Row(.tick, "none"), Row(.after(1)),
            Row(.tick, "answerTooSlow"),
        ])
    }

    // MARK: The end

    @Test func whoLeavesBehindAnUnansweredRequestIsCounted() {
        walk([Row(.leaves, "false")], then: { $0 == .gone })
        walk([Row(.begins(.GET, .none)), Row(.leaves, "true"), Row(.leaves, "false")])
        walk([
            Row(.begins(.GET, .none)), Row(.answerStarts(.known(1)), "length(1)"), Row(.leaves, "true"),
        ])
        walk([
            Row(.begins(.POST, .length(9))), Row(.answerStarts(.known(1)), "length(1)"), Row(.answerEnds),
            Row(.leaves, "false"), Row(.next(), "none"),
        ])
    }

    @Test func afterTheEndNothingBegins() {
        let ends: [[Row]] = [
            [Row(.lingers, "true")],
            [Row(.begins(.GET, .none)), Row(.handsOver)],
            [Row(.leaves, "false")],
        ]
        for end in ends {
            walk(
                end + [
                    Row(.takesParts, "false"), Row(.reads(), "true"), Row(.lingers, "false"), Row(.refuses, "none"),
                    Row(.body(1), "drop"), Row(.end(), "none"), Row(.sends, "false"), Row(.tick, "none"),
                    Row(.next(), "none"),
                ]
            )
        }
    }

    @Test func whoHasNoPlaceIsToldWithTheFirstRequestAndThatIsTheLast() {
        walk(
            refused: true,
            [
                Row(.begins(.GET, .none)), Row(.answerStarts(.known(1)), "length(1) close"), Row(.answerEnds),
                Row(.end(), "next(\(ConnectionState.NextAction.finish.name))"), Row(.written, "close"),
            ]
        )
    }
}

extension ConnectionState.NextAction {
    /// As it stands within another case's text.
    fileprivate var name: String { String(reflecting: self) }
}
