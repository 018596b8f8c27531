// SPDX-License-Identifier: Apache-2.0
// The executable `media-worker-host`: a worker and nothing else.

import MediaWorker

MediaWorker.main()
