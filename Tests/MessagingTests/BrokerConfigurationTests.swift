// SPDX-License-Identifier: Apache-2.0
// Addresses of brokers.

import Messaging
import Testing

@Suite struct BrokerConfigurationTests {
    private func parse(_ uri: String) -> BrokerConfiguration? { BrokerConfiguration(uri: uri, connectionName: "test") }

    @Test func `reads every part`() throws {
        let broker = try #require(parse("amqp://po%40sts:s%3Aec%2Fret@broker.example:5673/my%2Fhost"))
        #expect(broker.user == "po@sts")
        #expect(broker.password == "s:ec/ret")
        #expect(broker.host == "broker.example")
        #expect(broker.port == 5673)
        #expect(broker.virtualHost == "my/host")
    }

    @Test func `has defaults`() throws {
        let broker = try #require(parse("amqp://localhost"))
        #expect(broker.port == 5672)
        #expect(broker.virtualHost == "/")
        #expect(broker.user == "guest")
        #expect(parse("amqp://u:p@[::1]:5")?.host == "::1")
    }

    @Test(arguments: [
        "", "localhost", "amqps://localhost", "amqp://", "amqp://localhost:", "amqp://localhost:0", "amqp://a:70000",
        "amqp://a:b:c", "amqp://a/%zz", "amqp://a/%00", "amqp://a/%ff", "amqp://a/", "amqp://:p@a", "amqp://[::1",
        "amqp://a/%2",
    ])
    func `refuses what is none`(_ uri: String) { #expect(parse(uri) == nil) }
}
