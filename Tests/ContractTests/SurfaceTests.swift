// SPDX-License-Identifier: Apache-2.0
// What is written down as the surface, what services answer, what the gateway lets through and what is documented are one.

import Foundation
import HTTPTypes
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite struct SurfaceTests {
    @Test func theGatewayLetsThroughWhatIsNotInternal() {
        let open = Surface.all.filter { $0.service != nil && !$0.endpoint.isInternal }
        let forwarded = PublicSurface.all.filter { if case .service = $0.destination { true } else { false } }
        #expect(Set(open.map { "\($0.endpoint.method) \($0.endpoint.path)" }) == Set(forwarded.map(SurfaceTests.line)))
        for line in Surface.all {
            #expect((line.endpoint.access == .internal) <= line.endpoint.isInternal, "\(line.name) would be public")
        }
        for route in PublicSurface.all {
            #expect(!route.path.hasPrefix("/internal") && !route.path.hasPrefix("/metrics"))
        }
    }

    /// Whatever its parts are called, a path with a method stands once; so does a name within its group.
    @Test func everyLineStandsOnce() {
        let places = Surface.all.map { line in
            "\(line.endpoint.method) "
                + line.endpoint.path.split(separator: "/").map { $0.hasPrefix(":") ? ":" : $0 }.joined(separator: "/")
        }
        #expect(Set(places).count == places.count)
        #expect(Set(Surface.groups.map { "\($0)" }).count == Surface.groups.count)
    }

    @Test func theOpenAPIDocumentIsThatOfTheSurface() throws {
        let file = repositoryRoot.appendingPathComponent("deploy/docs/openapi.json")
        let shapes = try JSON(file: repositoryRoot.appendingPathComponent("Tests/Fixtures/shapes.json"))
        let document = try OpenAPI.document(types: shapes["types"])
        if isWriting { try document.document().write(to: file) }
        #expect(try JSON(file: file) == document, "deploy/dev fixtures writes it")
    }

    private static func line(_ route: PublicRoute) -> String { "\(route.method.rawValue) \(route.path)" }
}

extension Bool {
    /// Whether the right side holds wherever the left one does.
    fileprivate static func <= (left: Bool, right: Bool) -> Bool { !left || right }
}
