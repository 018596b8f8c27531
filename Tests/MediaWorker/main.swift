// SPDX-License-Identifier: Apache-2.0
// The executable `media-worker-host`: a worker and nothing else; or one that tries what a worker may not.

import MediaWorker

if CommandLine.arguments.contains("try") {
    Attempts.run()
} else {
    MediaWorker.main()
}
