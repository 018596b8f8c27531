// SPDX-License-Identifier: Apache-2.0
// What the gateway answers itself.

import Domain
import NIOCore
import NIOHTTP1
import ServiceKit
import Synchronization
import Views
import Web

enum LocalRoute: Sendable, Hashable {
    case page(LocalPages.Name)
    case health, ready, robots, nodeInfoLinks, nodeInfo, asset, metrics
    case instanceV1, instanceV2, emptyList, emptyObject, rules, activity, extendedDescription, privacyPolicy
}

extension ClientConnection {
    private static let json = "application/json; charset=utf-8"

    func answer(_ route: LocalRoute, to exchange: Exchange) {
        let brief = "Cache-Control: public, max-age=300\r\n"
        switch route {
        case .page(let name): show(name, to: exchange)
        case .health: text("OK", to: exchange)
        case .ready:
            let isStopping = dependencies.isStopping.load(ordering: .acquiring)
            let json = JSONWriter.object { json in
                json.member("ready", !isStopping)
                json.member("live", dependencies.isLinked.load(ordering: .acquiring))
            }
            answer(
                isStopping ? .serviceUnavailable : .ok,
                type: ClientConnection.json,
                body: ByteBuffer(bytes: json),
                fields: "Cache-Control: no-store\r\n",
                to: exchange
            )
        case .robots: text("User-agent: *\nDisallow: /api/\nDisallow: /oauth/\nDisallow: /auth/\n", to: exchange)
        case .metrics:
            answer(
                .ok,
                type: "text/plain; version=0.0.4; charset=utf-8",
                body: ByteBuffer(string: dependencies.metrics.exposition()),
                to: exchange
            )
        case .asset: asset(exchange)
        case .emptyList:
            answer(.ok, type: ClientConnection.json, body: ByteBuffer(string: "[]"), fields: brief, to: exchange)
        case .emptyObject:
            answer(.ok, type: ClientConnection.json, body: ByteBuffer(string: "{}"), fields: brief, to: exchange)
        case .instanceV1: instance(exchange) { $0.v1() }
        case .instanceV2: instance(exchange) { $0.v2() }
        case .rules: instance(exchange) { $0.rules() }
        case .activity: instance(exchange) { $0.activity() }
        case .nodeInfo: instance(exchange) { $0.nodeInfo() }
        case .nodeInfoLinks: instance(exchange) { $0.nodeInfoLinks() }
        case .extendedDescription: instance(exchange) { $0.extendedDescription() }
        case .privacyPolicy:
            let language = language(of: exchange)
            instance(exchange, fields: "Vary: Accept-Language\r\n") { $0.privacyPolicy(language) }
        }
    }

    private func text(_ text: String, to exchange: Exchange) {
        answer(
            .ok,
            type: "text/plain; charset=utf-8",
            body: ByteBuffer(string: text),
            fields: "Cache-Control: no-store\r\n",
            to: exchange
        )
    }

    private func asset(_ exchange: Exchange) {
        let name = exchange.target.path.split(separator: "/").last.map(String.init) ?? ""
        guard let file = Assets.files[name] else { return answer(.notFound, to: exchange) }
        answer(
            .ok,
            type: "image/png",
            body: file,
            fields:
                "Cache-Control: public, max-age=31536000, immutable\r\nCross-Origin-Resource-Policy: cross-origin\r\n",
            to: exchange
        )
    }

    private func instance(
        _ exchange: Exchange,
        fields: String = "",
        _ write: @escaping (InstanceView) -> [UInt8]
    ) {
        loop.statistics.read(now: loop.monotonic) { [weak self] statistics in
            guard let self, self.isOpen(exchange) else { return }
            self.loop.documents.read(now: self.loop.monotonic) { [weak self] published in
                guard let self, self.isOpen(exchange) else { return }
                let view = InstanceView(
                    config: self.dependencies.config,
                    statistics: statistics,
                    published: published,
                    now: self.dependencies.now()
                )
                let body = ByteBuffer(bytes: write(view))
                self.answer(.ok, type: ClientConnection.json, body: body, fields: fields, to: exchange)
            }
        }
    }
}
