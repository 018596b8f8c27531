// SPDX-License-Identifier: Apache-2.0
// The gateway's process, and whose apps it serves besides our own.

import BuddyBuddy
import GatewayService
import Giphy
import Glibc

exit(await GatewayService.main(speaking: [GiphyDialect(), BuddyBuddyDialect()]))
