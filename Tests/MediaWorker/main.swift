// SPDX-License-Identifier: Apache-2.0
// The executable `media-worker-host`: a worker and nothing else; or one that tries what a worker may not.

import CConfinement
import MediaWorker

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "try": Attempts.run(Array(arguments.dropFirst()))
case "fork-server" where arguments.count > 1:
    confinement_serve_forks()
    Attempts.run(Array(arguments.dropFirst()))
case "fork-server": MediaWorker.serveForks()
default: MediaWorker.main()
}
