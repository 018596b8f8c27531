// SPDX-License-Identifier: Apache-2.0
// The executable `posts`.

import Foundation
import PostsService

exit(await PostsService.main())
