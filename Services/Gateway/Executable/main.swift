// SPDX-License-Identifier: Apache-2.0
// The gateway's process, and whose apps it serves besides our own.

import BuddyBuddy
import GatewayService

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(await GatewayService.main(speaking: [BuddyBuddyDialect()]))
