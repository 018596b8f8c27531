// SPDX-License-Identifier: Apache-2.0
// What the gateway and the services tell each other is what either of them reads.

import Calls
import Domain
import Events
import JSON
import NIOCore
import Testing
import Views
import Web

@Suite struct CallBodyTests {
    private static let head = ChannelHead(ChannelID(1), lastSeq: 7, lastChange: 9)
    /// Each body with the JSON that a release before or after this one reads and writes too.
    private static func bodies() throws -> [(body: any CallBody, json: String)] {
        let mina = try #require(Username("mina"))
        let created = Timestamp(milliseconds: 1_767_225_600_000)
        let identity = Identity(id: AccountID(7), username: mina, email: "mina@example.com", created: created)
        var foundInChat = FoundInChat()
        (foundInChat.playground, foundInChat.name) = (PlaygroundID(1), "n")
        (foundInChat.playgrounds, foundInChat.channels) = ([PlaygroundID(2)], [ChannelID(3)])
        (foundInChat.members, foundInChat.messages) = ([AccountID(4)], [MessageID(5)])
        return [
            (TokenQuestion(token: "T", audiences: ["auth", "posts"]), #"{"token":"T","audiences":["auth","posts"]}"#),
            (
                KeptSignIn(email: "e", password: "p", deviceToken: "d"),
                #"{"email":"e","password":"p","device_token":"d"}"#
            ),
            (KeptSignIn(email: "e", password: "p", deviceToken: nil), #"{"email":"e","password":"p"}"#),
            (
                KeptSignUp(
                    KeptSignIn(email: "e", password: "p", deviceToken: "d"),
                    nickname: "미나",
                    language: .korean
                ),
                #"{"email":"e","password":"p","nickname":"미나","device_token":"d","locale":"ko"}"#
            ),
            (
                KeptSession(accessToken: "A", refreshToken: "R", sessionID: SessionID(9), account: identity),
                #"{"access_token":"A","refresh_token":"R","session_id":"9","account":{"id":"7","username":"mina","#
                    + #""email":"mina@example.com","created_at":"2026-01-01T00:00:00.000Z"}}"#
            ),
            (
                KeptIssuerSignIn(
                    issuer: "apple",
                    token: "T",
                    nonce: "n",
                    nickname: "미나",
                    deviceToken: "d",
                    code: "c",
                    language: .korean
                ),
                #"{"issuer":"apple","id_token":"T","nonce":"n","nickname":"미나","device_token":"d","#
                    + #""authorization_code":"c","locale":"ko"}"#
            ),
            (KeptRefresh(token: "R"), #"{"refresh_token":"R"}"#),
            (KeptAccess(token: "A", lifetime: .seconds(900)), #"{"access_token":"A","expires_in":900}"#),
            (IdentityQuestion(sessionID: SessionID(9)), #"{"session_id":"9"}"#),
            (EmailQuestion(email: "e"), #"{"email":"e"}"#),
            (Statistics(accounts: 3, posts: 5, activeMonth: 2), #"{"accounts":3,"posts":5,"active_month":2}"#),
            (NewAccount(Principal.Account(id: AccountID(7), username: mina)), #"{"id":"7","username":"mina"}"#),
            (
                MissedQuestion(
                    [KnownChannel(ChannelID(1), seq: 3, change: 4), KnownChannel(ChannelID(2), seq: 5, change: nil)],
                    limit: 50
                ),
                #"{"channels":[{"id":"1","seq":3,"change":4},{"id":"2","seq":5}],"limit":50}"#
            ),
            (PositionsQuestion([ChannelID(1), ChannelID(2)]), #"{"channel_ids":["1","2"]}"#),
            (FoundAccounts([AccountID(3), AccountID(1)], limit: 40), #"{"ids":["3","1"],"limit":40}"#),
            (
                FoundAccounts([], name: mina, isFollowed: true, limit: 5),
                #"{"ids":[],"name":"mina","followed":true,"limit":5}"#
            ),
            (
                foundInChat,
                #"{"playground_id":"1","name":"n","playgrounds":["2"],"channels":["3"],"members":["4"],"messages":["5"]}"#
            ),
        ]
    }

    @Test func `a body is read as it was written, by its frozen names`() throws {
        for (body, json) in try CallBodyTests.bodies() {
            #expect(String(decoding: body.json(), as: UTF8.self) == json)
            // A later release may add a member.
            let read = try type(of: body).init(Parameters(json: "\(json.dropLast()),\"later\":[1]}".utf8))
            #expect(String(decoding: read.json(), as: UTF8.self) == json)
        }
    }

    @Test func `a token's answer carries a statement for each service or one for all`() throws {
        let principal = Principal(
            account: nil,
            appID: AppID(1),
            appName: "app",
            sessionID: SessionID(9),
            scopes: ScopeSet(["read", "write:chat"]),
            expires: Timestamp(milliseconds: 5)
        )
        let each = TokenAnswer(principal, common: nil, own: [("auth", "S1"), ("posts", "S2")])
        let json = String(decoding: each.json(), as: UTF8.self)
        #expect(
            json == #"{"principals":{"auth":"S1","posts":"S2"},"expires":5,"session_id":"9","account_id":null,"#
                + #""username":null,"scopes":"read write:chat"}"#
        )
        let read = try #require(TokenAnswer(answer: ByteBuffer(string: json)))
        #expect(read.own.map(\.audience) == ["auth", "posts"] && read.own.map(\.statement) == ["S1", "S2"])
        #expect(read.sessionID == SessionID(9) && read.accountID == nil && read.expires.milliseconds == 5)
        let all = TokenAnswer(principal, common: "S", own: [])
        #expect(TokenAnswer(answer: ByteBuffer(bytes: all.json()))?.common == "S")
        #expect(TokenAnswer(answer: ByteBuffer(string: #"{"principal":"S"}"#)) == nil)
    }

    private struct Text: View {
        let seq: Int64
        func write(to json: inout JSONWriter) { json.object { $0.member("seq", seq) } }
    }

    @Test func `chat's answers are read without their messages being made anew`() throws {
        let head = CallBodyTests.head
        let rooms = RoomList(
            rooms: [RoomList.Room(head, type: .group, playgroundID: nil)],
            playgrounds: [PlaygroundID(3)]
        )
        let room = try #require(RoomList(answer: ByteBuffer(bytes: rooms.json())))
        #expect(room.rooms.map(\.head) == [head] && room.rooms.map(\.type) == [.group])
        #expect(room.playgrounds == [PlaygroundID(3)])

        let missed = MissedChannel(head, resync: true, messages: [Text(seq: 4)], changed: [Text(seq: 2), Text(seq: 3)])
        var json = JSONWriter()
        json.object { MissedAnswer.write([missed], to: &$0) }
        let channel = try #require(MissedAnswer.channels(ByteBuffer(bytes: json.bytes))?.first)
        #expect(channel.head == head && channel.resync)
        #expect(channel.messages.map { String(buffer: $0.bytes) } == [#"{"seq":4}"#])
        #expect(channel.changed.map(\.seq) == [2, 3])

        let gap = Gap(head, [Text(seq: 8)])
        #expect(Gap.messages(ByteBuffer(bytes: gap.json()))?.map(\.seq) == [8])
        #expect(Gap.messages(ByteBuffer(string: "{}")) == nil)
        #expect(Positions(answer: ByteBuffer(bytes: Positions([head]).json()))?.heads == [head])
    }

    @Test func `messages are asked for together and answered one by one`() throws {
        let said = [#"{"text":"a"}"#, #"{"text":"b","client_id":"c"}"#]
        let question = MessagesQuestion.json(said.map { ByteBuffer(string: $0) })
        #expect(String(decoding: question, as: UTF8.self) == #"{"messages":[\#(said.joined(separator: ","))]}"#)
        let read = try MessagesQuestion.messages(Parameters(json: question))
        #expect(try read.map { try $0.string("text") } == ["a", "b"])
        for number in [0, MessagesQuestion.most + 1] {
            let wrong = MessagesQuestion.json(Array(repeating: ByteBuffer(string: said[0]), count: number))
            #expect(throws: Problem.self) { try MessagesQuestion.messages(Parameters(json: wrong)) }
        }

        let problem = Problem.notFound.answer(language: .english, requestID: "r")
        let bodies = [(status: 201, body: Array(#"{"seq":3}"#.utf8)), (status: 404, body: problem.body)]
        let json = JSONWriter.object { MessagesAnswer.write(bodies, to: &$0) }
        let answers = try #require(MessagesAnswer.answers(ByteBuffer(bytes: json)))
        #expect(answers.map(\.status) == [201, 404])
        #expect(String(buffer: answers[0].body) == #"{"seq":3}"#)
        #expect(RawJSON(answers[1].body).member("code")?.text == "not-found")
        #expect(MessagesAnswer.answers(ByteBuffer(string: "{}")) == nil)
    }

    @Test func `a gap is asked for after a number or after a change`() {
        #expect(GapQuestion(.seq(3), limit: 20).query == "after_seq=3&limit=20")
        #expect(GapQuestion(.change(4), limit: 20).query == "after_change=4&limit=20")
    }

    @Test func `the account of a sign-up is read of its field`() {
        #expect(NewAccount(field: "7 mina")?.account.id == AccountID(7))
        #expect(NewAccount(field: "7") == nil && NewAccount(field: "x mina") == nil && NewAccount(field: nil) == nil)
    }
}
