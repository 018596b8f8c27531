// SPDX-License-Identifier: Apache-2.0
// What open connections are asked about again: whose rooms they are in, and whether their token is still good.

import Domain
import ServiceKit

extension ChatRegistry {
    func refresh(_ account: ChatAccount) {
        account.refreshAt = nil
        guard let socket = account.sockets.values.first(where: { $0.phase == .open }) else { return }
        withPrincipal(of: socket) { [weak self] principal in
            guard let self, self.accounts[account.id] === account else { return }
            guard let principal else {
                account.refreshAt = self.loop.monotonic + 2000
                return
            }
            self.load(account, as: principal) { _ in }
        }
    }

    func verify(_ socket: ChatSocket) {
        socket.verifyAt = loop.monotonic + 600_000
        loop.authenticator.ask(socket.token) { [weak self, weak socket] verdict in
            guard let self, let socket, socket.phase != .ended else { return }
            switch verdict {
            case .valid(let principal) where principal.scopes.allows("read:chat"):
                socket.principal = principal
                socket.verifyAt = self.loop.verification(of: principal)
            case .valid, .invalid: self.end(socket, .unauthorized)
            case .unavailable:
                socket.verifyAt = self.loop.monotonic + 2000 + Milliseconds(self.loop.nextRandom() % 3000)
            }
        }
    }
}
