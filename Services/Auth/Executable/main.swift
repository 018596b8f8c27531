// SPDX-License-Identifier: Apache-2.0
// The executable `auth`.

import AuthService
import Foundation

exit(await AuthService.main())
