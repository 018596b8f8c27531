// SPDX-License-Identifier: Apache-2.0
// The executable `search`.

import Foundation
import SearchService

exit(await SearchService.main())
