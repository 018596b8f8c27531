// SPDX-License-Identifier: Apache-2.0
// The exchanges of Socket.IO v5, as its specification and its public test suite describe them.

import NIOCore
import Testing

@testable import SocketIO

/// A connection whose namespaces are accepted as a test says; its actions as text.
struct SocketWorld {
    var session: SocketSession

    init(_ settings: SocketIOSettings = SocketIOSettings(), connected namespaces: String...) {
        session = SocketSession(settings, now: 0)
        for namespace in namespaces {
            _ = text(namespace == "/" ? "0" : "0\(namespace),")
            _ = session.accept(namespace)
        }
    }

    mutating func text(_ text: String) -> String { tell(session.receive(text: ByteBuffer(string: text))) }
    mutating func binary(_ bytes: UInt8...) -> String { tell(session.receive(binary: ByteBuffer(bytes: bytes))) }

    private func tell(_ action: SocketSession.Action?) -> String {
        switch action {
        case nil: return "nothing"
        case .connecting(let namespace, let auth):
            return "connecting \(namespace) \(auth.map { String(buffer: $0) } ?? "-")"
        case .refuse(let namespace, let message): return "refuse \(namespace) \(message)"
        case .left(let namespace): return "left \(namespace)"
        case .violation: return "violation"
        case .event(let namespace, let event):
            let arguments = event.arguments.map { String(buffer: $0) }.joined(separator: ";")
            let attachments = event.attachments.map { "\(Array($0.readableBytesView))" }.joined()
            let id = event.acknowledgement.map { " #\($0.id)" } ?? ""
            return "\(namespace) \(event.name) \(arguments) \(attachments)\(id)"
        }
    }
}

@Suite struct SocketSessionTests {
    // MARK: CONNECT

    @Test func connectsToNamespaces() {
        var world = SocketWorld()
        #expect(world.text("0") == "connecting / -")
        #expect(world.text(#"0/admin,{"token":"123"}"#) == #"connecting /admin {"token":"123"}"#)
        #expect(world.text("0/custom") == "connecting /custom -")
        let answers = [
            world.session.accept("/"), world.session.accept("/"), world.session.refuse("/admin", now: 0),
            world.session.accept("/admin"),
        ]
        #expect(answers == [true, false, true, false])
    }

    @Test(arguments: [
        "abc", "", "9", "2", "4{}", "42", #"2["foo"]"#, "1", "0[]", #"0"x""#, "0{", "05", #"0{"a":1}x"#, "0/ns,[1]",
        "7", "-", "0{\"a\":\u{1}}", #"51-["x",{"_placeholder":true,"num":0}]"#,
    ])
    func whatIsNoConnectEndsTheConnection(_ text: String) {
        var world = SocketWorld()
        #expect(world.text(text) == "violation")
        #expect(world.text("0") == "nothing")
    }

    @Test func aNamespaceIsConnectedOnce() {
        var world = SocketWorld(connected: "/")
        #expect(world.text("0") == "violation")
        var waiting = SocketWorld()
        _ = waiting.text("0")
        #expect(waiting.text(#"2["x"]"#) == "violation")
    }

    @Test func namespacesHaveALimit() {
        var settings = SocketIOSettings()
        settings.namespaces = 3
        var world = SocketWorld(settings, connected: "/", "/a", "/b")
        #expect(world.text("0/c") == "refuse /c Too many namespaces")
        #expect(world.text("1/b") == "left /b")
        #expect(world.text("0/c") == "connecting /c -")
        #expect(world.text("0/" + String(repeating: "x", count: 300)) == "violation")
    }

    @Test func aConnectionNeedsANamespace() {
        var world = SocketWorld()
        #expect(world.session.connectBy == 45_000)
        _ = world.text("0")
        #expect(world.session.connectBy == 45_000)
        _ = world.session.accept("/")
        #expect(world.session.connectBy == nil)
        _ = world.text("1")
        world.session.waitIfAlone(now: 1000)
        #expect(world.session.connectBy == 46_000)
    }

    // MARK: EVENT and ACK

    @Test func readsEvents() {
        var world = SocketWorld(connected: "/", "/admin")
        #expect(world.text(#"2["foo"]"#) == "/ foo  ")
        #expect(world.text(#"2/admin,13["bar", 1 ,"2",{"3":[true]}]"#) == #"/admin bar 1;"2";{"3":[true]}  #13"#)
        #expect(world.text(#"2["caf\u00e9 \"x\"",null]"#) == "/ café \"x\" null ")
        #expect(world.text(#"2[5,-0.5e+3]"#) == "/ 5 -0.5e+3 ")
        #expect(world.text("312[]") == "nothing")
        #expect(world.text(#"3/admin,13["bar"]"#) == "nothing")
    }

    @Test(arguments: [
        "2{}", "2[]", "2", #"2abc["message"]"#, #"2["a""#, #"2["a"]]"#, #"2["a",]"#, #"2["a",01]"#, #"2["a",nul]"#,
        #"2["a" "b"]"#, #"2[["a"]]"#, #"2[true]"#, #"2["connect"]"#, #"2["disconnect","x"]"#, #"2["a","\x"]"#,
        #"21234567890123456789["a"]"#, "3[]", "3{}", #"2/unknown,["a"]"#, #"2-1["a"]"#, "2[\"a\",\"\u{1}\"]", "1[]",
        #"2["a",{"b" 1}]"#, #"2["a",{1:2}]"#, #"2["a",1.]"#, #"2["a",--1]"#,
    ])
    func malformedPacketsEndTheConnection(_ text: String) {
        var world = SocketWorld(connected: "/")
        #expect(world.text(text) == "violation")
    }

    @Test func nestingHasALimit() {
        var world = SocketWorld(connected: "/")
        func nested(_ depth: Int) -> String {
            #"2["a","# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "]"
        }
        #expect(world.text(nested(64)).hasPrefix("/ a "))
        #expect(world.text(nested(65)) == "violation")
        var deep = SocketWorld(connected: "/")
        #expect(deep.text(#"2["a","# + String(repeating: #"{"a":"#, count: 100_000)) == "violation")
    }

    // MARK: Binary

    @Test func reconstructsBinaryPackets() {
        var world = SocketWorld(connected: "/", "/admin")
        let text = #"52-/admin,7["baz",{"_placeholder":true,"num":0},{"x":{"num":1,"_placeholder":true}}]"#
        #expect(world.text(text) == "nothing")
        #expect(world.binary(1, 2) == "nothing")
        #expect(
            world.binary(3, 4)
                == #"/admin baz {"_placeholder":true,"num":0};{"x":{"num":1,"_placeholder":true}} [1, 2][3, 4] #7"#
        )
        #expect(world.text(#"61-15["bar",{"_placeholder":true,"num":0}]"#) == "nothing")
        #expect(world.binary(1) == "nothing")
        #expect(world.text(#"2["foo"]"#) == "/ foo  ")
    }

    @Test(arguments: ["0", "0/new", #"2["foo"]"#, "1"])
    func nothingComesBetweenAttachments(_ text: String) {
        var world = SocketWorld(connected: "/")
        #expect(world.text(#"51-["baz",{"_placeholder":true,"num":0}]"#) == "nothing")
        #expect(world.text(text) == "violation")
    }

    @Test func binaryDataBelongsToAPacket() {
        var world = SocketWorld(connected: "/")
        #expect(world.binary(1) == "violation")
    }

    @Test(arguments: [
        #"51["a",{"_placeholder":true,"num":0}]"#, #"5-["a"]"#, #"50-["a"]"#, #"533-["a"]"#, #"599999999999999-["a"]"#,
        #"51-["a",{"_placeholder":true,"num":1}]"#, #"51-["a",{"_placeholder":true,"num":-1}]"#,
        #"51-["a",{"_placeholder":true}]"#, #"51-["a",{"_placeholder":true,"num":0.5}]"#, #"51-{}"#, #"61-["a"]"#,
    ])
    func badPlaceholdersEndTheConnection(_ text: String) {
        var world = SocketWorld(connected: "/")
        #expect(world.text(text) == "violation")
    }

    @Test func attachmentsAreNotHeldForWhoeverIsNotLetIn() {
        var world = SocketWorld()
        #expect(world.text("0") == "connecting / -")
        #expect(world.text(#"51-["x",{"_placeholder":true,"num":0}]"#) == "violation")
    }

    @Test func attachmentsHaveALimit() {
        var settings = SocketIOSettings()
        settings.engine.maxPayload = 1
        var world = SocketWorld(settings, connected: "/")
        #expect(world.text(#"52-["a"]"#) == "nothing")
        #expect(world.binary(1, 2, 3) == "nothing")
        #expect(world.binary(1, 2) == "violation")
    }

    // MARK: DISCONNECT

    @Test func leavesOneNamespaceAndKeepsTheOther() {
        var world = SocketWorld(connected: "/", "/custom")
        #expect(world.text("1/custom") == "left /custom")
        #expect(world.text(#"2["message","x"]"#) == #"/ message "x" "#)
        #expect(world.text("1") == "left /")
        #expect(world.text("0/custom,") == "connecting /custom -")
    }

    @Test func whatCrossesAnEndFromHereIsDropped() {
        var world = SocketWorld(connected: "/", "/a")
        world.session.end("/a", now: 0)
        #expect(world.text(#"2/a,["late"]"#) == "nothing")
        #expect(world.text("1/a,") == "nothing")
        #expect(world.text("0/a,") == "connecting /a -")
    }

    // MARK: To clients

    @Test func writesPacketsAsTheSpecificationDoes() {
        func texts(_ packet: SocketIOPacket) -> [String] {
            packet.messages.map { $0.isText ? String(buffer: $0.payload) : "\(Array($0.payload.readableBytesView))" }
        }
        #expect(texts(.connect(id: "x", namespace: "/")) == [#"40{"sid":"x"}"#])
        #expect(texts(.connect(id: "x", namespace: "/admin")) == [#"40/admin,{"sid":"x"}"#])
        #expect(texts(.refusal("Not \"so\"", data: nil, namespace: "/")) == [#"44{"message":"Not \"so\""}"#])
        #expect(
            texts(.refusal("no", data: ByteBuffer(string: "{}"), namespace: "/a")) == [
                #"44/a,{"message":"no","data":{}}"#
            ]
        )
        #expect(texts(.disconnect(namespace: "/admin")) == ["41/admin,"])
        #expect(texts(.event("foo", [])) == [#"42["foo"]"#])
        #expect(texts(.event("bar", json: "1".utf8, namespace: "/admin")) == [#"42/admin,["bar",1]"#])
        let place = ByteBuffer(string: #"{"_placeholder":true,"num":0}"#)
        #expect(
            texts(.event("baz", [place], attachments: [ByteBuffer(bytes: [1, 2])], namespace: "/admin"))
                == [#"451-/admin,["baz",{"_placeholder":true,"num":0}]"#, "[1, 2]"]
        )
        let id = SocketIOAcknowledgement(id: 13)
        #expect(
            texts(.acknowledgement(id, [ByteBuffer(string: "\"bar\"")], attachments: [], namespace: "/admin"))
                == [#"43/admin,13["bar"]"#]
        )
        #expect(texts(.acknowledgement(id, [], attachments: [], namespace: "/")) == ["4313[]"])
        #expect(
            texts(.acknowledgement(id, [place], attachments: [ByteBuffer(bytes: [5])], namespace: "/"))
                == [#"461-13[{"_placeholder":true,"num":0}]"#, "[5]"]
        )
    }
}
