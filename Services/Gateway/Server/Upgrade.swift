// SPDX-License-Identifier: Apache-2.0
// Answers after which the channel speaks another protocol.

import NIOCore

extension ClientConnection {
    /// Agrees to another protocol.
    ///
    /// - Parameter answer: the whole head with status 101.
    func upgrade(_ exchange: Exchange, answer: String, to successor: some ChannelHandler) {
        exchange.status = 101
        writer.agreement(answer)
        hand(over: exchange, to: successor)
    }
}
