// SPDX-License-Identifier: Apache-2.0
// Parts of an answer.

import Foundation
import Support
import Web

extension JSON {
    init(bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSON.self, from: Data(bytes)) }

    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }

    subscript(index: Int) -> JSON? { elements.indices.contains(index) ? elements[index] : nil }
}

extension Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
}
