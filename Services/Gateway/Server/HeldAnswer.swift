// SPDX-License-Identifier: Apache-2.0
// The answer to a sign-up, which waits until others can find the account.

import NIOCore
import NIOHTTP1

/// A service's answer that came before it may be passed on.
final class HeldAnswer {
    let head: HTTPResponseHead
    var body: [ByteBuffer] = []
    var isWhole = false

    init(_ head: HTTPResponseHead) { self.head = head }
}
