// SPDX-License-Identifier: Apache-2.0
// Every route of posts against every kind of token.

import Domain
import Foundation
import HTTPTypes
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct GraphAccessTests {
    @Test func everyRouteRefusesWhoMayNot() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            for route in Routes.all {
                let path = route.path.split(separator: "/").map { $0.hasPrefix(":") ? "1" : String($0) }
                    .joined(separator: "/")
                let nobody = try await world.code(route.method, "/" + path, nil)
                let app = try await world.code(route.method, "/" + path, try GraphWorld.principal(nil))
                // A scope that is nobody's whole: it opens no route that asks for another.
                let other = try GraphWorld.principal(a, scopes: "push")
                let wrong = try await world.code(route.method, "/" + path, other)
                switch route.access {
                case .account(let scope), .moderator(let scope):
                    #expect(nobody == 401, "\(route.method) \(route.path)")
                    #expect(app == 401 || app == 403 || app == 422, "\(route.method) \(route.path)")
                    if scope != nil { #expect(wrong == 403, "\(route.method) \(route.path)") }
                case .app(let scope):
                    #expect(nobody == 401, "\(route.method) \(route.path)")
                    if scope != nil { #expect(wrong == 403, "\(route.method) \(route.path)") }
                default:
                    #expect(nobody < 500, "\(route.method) \(route.path)")
                }
            }
        }
    }

    /// An expired principal is none: the verifier gives nothing for it.
    @Test func anExpiredPrincipalIsNobody() async throws {
        let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
        let signer = try #require(PrincipalSigner(privateKey: key))
        let account = Principal.Account(id: AccountID(1), username: try #require(Username("a")))
        let value = try signer.sign(try GraphWorld.principal(account))
        let during = PrincipalVerifier(publicKey: signer.publicKey, now: { GraphWorld.start })
        #expect(during?.principal(value)?.account?.id == AccountID(1))
        let after = GraphWorld.start + .seconds(301)
        let late = PrincipalVerifier(publicKey: signer.publicKey, now: { after })
        #expect(late != nil)
        #expect(late?.principal(value) == nil)
    }

    @Test func namesOfScopesAreKnown() {
        for route in Routes.all {
            if case .account(let scope?) = route.access { #expect(Scope(scope.text) != nil, "\(scope)") }
            if case .moderator(let scope?) = route.access { #expect(Scope(scope.text) != nil, "\(scope)") }
            if case .app(let scope?) = route.access { #expect(Scope(scope.text) != nil, "\(scope)") }
        }
    }

    @Test func aRouteIsThereOnce() {
        let lines = Routes.all.map { "\($0.method) \($0.path)" }
        #expect(Set(lines).count == lines.count)
    }

    @Test func whatMadangDoesNotHaveIsEmpty() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            for route in Routes.emptyLists {
                let path = route.path.replacingOccurrences(of: ":id", with: "\(a.id)")
                let answer = try await world.get(path, as: a)
                #expect(answer.code == 200, "\(path)")
                #expect(answer.text == "[]", "\(path)")
            }
        }
    }
}

extension GraphWorld {
    func code(_ method: HTTPRequest.Method, _ path: String, _ principal: Principal?) async throws -> Int {
        await responder.respond(to: Request(method: method, path: path, principal: principal)).code
    }
}
