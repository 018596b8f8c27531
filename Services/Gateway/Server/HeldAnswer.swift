// SPDX-License-Identifier: Apache-2.0
// The answer to a sign-up, which waits until others can find the account.

import NIOCore

/// A service's answer that came before it may be passed on.
final class HeldAnswer {
    let head: ServiceAnswerHead
    var body: [ByteBuffer] = []
    var isWhole = false

    init(_ head: ServiceAnswerHead) { self.head = head }
}
