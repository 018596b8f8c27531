// SPDX-License-Identifier: Apache-2.0
// The executable `notifications`.

import Foundation
import NotificationsService

exit(await NotificationsService.main())
