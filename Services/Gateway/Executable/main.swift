// SPDX-License-Identifier: Apache-2.0
// The gateway's process, and whose apps it serves besides our own.

import BuddyBuddy
import GatewayService
import Glibc

exit(await GatewayService.main(speaking: [BuddyBuddyDialect()]))
