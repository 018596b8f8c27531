// SPDX-License-Identifier: Apache-2.0
// The answer to a sign-up, which waits until others can find the account.

import NIOCore
import NIOHTTP1
import Views
import Web

/// A service's answer that came before it may be passed on.
final class HeldAnswer {
    let head: HTTPResponseHead
    var body: [ByteBuffer] = []
    var isWhole = false

    init(_ head: HTTPResponseHead) { self.head = head }
}

/// An account that auth says it has made.
struct NewAccount {
    let id: String
    let username: String

    /// Nil for an answer that tells of none.
    init?(_ headers: HTTPHeaders) {
        guard let value = headers.first(name: "x-madang-registered") else { return nil }
        let parts = value.split(separator: " ")
        guard parts.count == 2 else { return nil }
        id = String(parts[0])
        username = String(parts[1])
    }

    /// As `PostsCall.makeAccount` takes it.
    var json: [UInt8] {
        var json = JSONWriter(capacity: 96)
        json.object { json in
            json.member("id", id)
            json.member("username", username)
        }
        return json.bytes
    }
}
