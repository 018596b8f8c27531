// SPDX-License-Identifier: Apache-2.0
// Every event's frozen form, its documentation and its way to a queue.

import Events
import Foundation
import Support
import Testing

/// `deploy/dev fixtures` writes fixtures that are missing and the AsyncAPI document; it never changes a fixture.
@Suite struct EventContractTests {
    private static let types = Catalogue.all.map { $0.type }
    private let fixtures = repositoryRoot.appendingPathComponent("Tests/Fixtures/events")
    private let asyncAPI = repositoryRoot.appendingPathComponent("deploy/docs/asyncapi.json")

    @Test func `the catalogue has a sample of each event, and each type once`() {
        #expect(Samples.full.map { type(of: $0).type } == EventContractTests.types)
        #expect(Set(EventContractTests.types).count == EventContractTests.types.count)
        for event in Catalogue.all {
            #expect(event.name.split(separator: ".").count == 2)
            #expect(event.version >= 1)
        }
    }

    @Test(arguments: Samples.full.indices)
    func `a frozen event decodes for ever`(_ index: Int) throws {
        let event = Samples.full[index]
        let kind = type(of: event)
        let file = fixtures.appendingPathComponent("\(kind.type).json")
        if isWriting, !FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
            try event.enveloped().document().write(to: file)
        }
        let fixture = try JSON(file: file)
        #expect(try kind.roundTrip(fixture).contains(fixture))
        #expect(try kind.roundTrip(fixture.withUnknownMembers).contains(fixture))
        #expect(fixture["type"] == .string(kind.type))
        #expect(fixture["data"] != nil)
    }

    @Test(arguments: Samples.bare.indices)
    func `an event without its optional fields decodes`(_ index: Int) throws {
        let bare = try Samples.bare[index].enveloped()
        #expect(try type(of: Samples.bare[index]).roundTrip(bare) == bare)
    }

    @Test func `no fixture is without its event`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: fixtures.path)
        #expect(Set(files) == Set(EventContractTests.types.map { "\($0).json" }))
    }

    @Test func `the AsyncAPI document is that of the catalogue`() throws {
        let document = try AsyncAPI.document()
        if isWriting {
            try FileManager.default.createDirectory(
                at: asyncAPI.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try document.document().write(to: asyncAPI)
        }
        #expect(try JSON(file: asyncAPI) == document, "deploy/dev fixtures writes it")
    }

    /// The tests of the services write the queues beside it when somebody writes fixtures.
    @Test(.disabled(if: isWriting)) func `every event for services reaches a queue, or nobody needs it yet`() throws {
        let keys = Set(try Topology().keys.values.flatMap { $0 })
        let told = Set(Catalogue.all.filter { $0.audience == .services }.map { $0.type })
        let unneeded = Set(Catalogue.unneeded.map { $0.type })
        #expect(unneeded.subtracting(told) == [], "nobody tells these")
        #expect(unneeded.intersection(keys) == [], "Catalogue.unneeded lists what a queue receives")
        #expect(told.subtracting(unneeded).subtracting(keys) == [], "no queue receives these, unlisted in unneeded")
        #expect(keys.subtracting(told) == [], "bound, but nobody tells these")
    }
}
