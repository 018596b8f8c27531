// SPDX-License-Identifier: Apache-2.0
// The executable `media`, and with the argument `worker` one that opens a single file and ends.

import Foundation
import MediaService
import MediaWork
import MediaWorker

if CommandLine.arguments.dropFirst().first == "worker" { MediaWorker.main() }
let workers = WorkerProcess()
exit(await MediaService.main { try await workers.run($0) })
