// SPDX-License-Identifier: Apache-2.0
// The dialects that this gateway speaks, as lines of the public surface.

import Domain
import Surface

struct Dialects: Sendable {
    private let all: [any Dialect]
    private(set) var lines: [WorkLine] = []
    private(set) var surface: [PublicRoute] = []

    init(_ all: [any Dialect]) {
        self.all = all
        for dialect in all {
            for route in dialect.routes {
                let destination: Destination
                switch route.destination {
                case .own(let endpoint): destination = PublicSurface.destination(endpoint)
                case .work(let work, let needsAccount):
                    destination = .dialect(lines.count)
                    let asker = WorkLine.Asker.lodger(dialect, needsAccount: needsAccount)
                    lines.append(
                        WorkLine(
                            path: route.path,
                            asker: asker,
                            takesRefreshTokens: route.takesRefreshTokens,
                            run: work
                        )
                    )
                }
                surface.append(
                    PublicRoute(
                        method: route.method,
                        path: route.path,
                        destination: destination,
                        rate: route.rate,
                        form: route.files.isEmpty ? nil : FormRule(fields: route.files, access: .account(nil))
                    )
                )
            }
        }
    }

    func owner(of path: String) -> (any Dialect)? { all.first { $0.owns(path) } }

    /// The dialect whose Socket.IO namespace it is, and the channel of which that tells.
    func room(_ namespace: String) -> (dialect: any Dialect, channel: ChannelID)? {
        for dialect in all {
            if let channel = dialect.channel(ofNamespace: namespace) { return (dialect, channel) }
        }
        return nil
    }
}
