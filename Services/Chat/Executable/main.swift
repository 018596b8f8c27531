// SPDX-License-Identifier: Apache-2.0
// The executable `chat`.

import ChatService
import Foundation

exit(await ChatService.main())
