// SPDX-License-Identifier: Apache-2.0
// The table of contents of chat.

import Web

/// Every route that chat answers.
enum Routes {
    static let all: [Route<Dependencies>] = playgrounds + channels + directChannels + messages + reading + calls
}
