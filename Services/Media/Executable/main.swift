// SPDX-License-Identifier: Apache-2.0
// The executable `media`, with the argument `worker` one that opens a single file and ends, and with `fork-server` one that makes such.

import Foundation
import MediaService
import MediaWork
import MediaWorker

switch CommandLine.arguments.dropFirst().first {
case "worker": MediaWorker.main()
case "fork-server": MediaWorker.serveForks()
default: break
}
let workers = WorkerProcess(server: ForkServer())
exit(await MediaService.main { try await workers.run($0) })
