// SPDX-License-Identifier: Apache-2.0
// The gateway's process.

import GatewayService

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(await GatewayService.main())
