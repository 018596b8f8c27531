// SPDX-License-Identifier: Apache-2.0
// What many clients saw who asked one thing after the other, and what it cost.

import Domain
import Foundation
import Glibc
import Postgres

/// Times in milliseconds.
struct Measured: CustomStringConvertible {
    private var times: [Double] = []
    private var found = 0
    private var seconds = 0.0
    /// Of this process, the analysis and the ranking among it, and of PostgreSQL's.
    private var busy = (here: 0.0, postgres: 0.0)

    /// - Parameter ask: the question of this number; whether anything was found.
    static func asking(
        _ database: Database,
        clients: Int,
        seconds: Int,
        _ ask: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> Measured {
        let clock = ContinuousClock()
        let before = try await busy(database)
        let began = clock.now
        let end = began + .seconds(seconds)
        var measured = try await withThrowingTaskGroup(of: Measured.self) { group in
            for client in 0..<clients {
                group.addTask {
                    var own = Measured()
                    var number = client * 7919
                    while clock.now < end {
                        let start = clock.now
                        if try await ask(number) { own.found += 1 }
                        own.times.append((clock.now - start) / .milliseconds(1))
                        number += 1
                    }
                    return own
                }
            }
            return try await group.reduce(into: Measured()) { all, own in
                all.times += own.times
                all.found += own.found
            }
        }
        measured.times.sort()
        measured.seconds = (clock.now - began) / .seconds(1)
        let after = try await busy(database)
        let questions = Double(max(1, measured.times.count))
        measured.busy = (
            (after.here - before.here) * 1000 / questions, (after.postgres - before.postgres) * 1000 / questions
        )
        return measured
    }

    private func part(_ hundredths: Int) -> Double {
        times.isEmpty ? 0 : times[min(times.count - 1, times.count * hundredths / 100)]
    }

    var description: String {
        """
        p50 \(hundredths(part(50))) ms, p95 \(hundredths(part(95))) ms, p99 \(hundredths(part(99))) ms, most \
        \(hundredths(times.last ?? 0)) ms, \(Int(Double(times.count) / seconds))/s, CPU \(hundredths(busy.here)) ms here and \
        \(hundredths(busy.postgres)) ms of PostgreSQL, \(found * 100 / max(1, times.count)) % found something
        """
    }

    /// Processor time so far, in seconds: of this process, and of the sessions of PostgreSQL that it has.
    static func busy(_ database: Database) async throws -> (here: Double, postgres: Double) {
        (processorTime(), processorTime(of: try await servers(of: database)))
    }

    private static func servers(of database: Database) async throws -> [Int] {
        try await database.query(
            "SELECT pid FROM pg_stat_activity WHERE application_name = current_setting('application_name')"
        ).all { try $0.next() }
    }

    /// Seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds, of processes on this machine.
    private static func processorTime(of processes: [Int]) -> Double {
        let ticks = processes.reduce(0) { sum, process in
            guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let name = line.lastIndex(of: ")")
            else { return sum }
            // User's and system's are the 14th and 15th; the 3rd comes behind the name.
            let fields = line[name...].split(separator: " ").dropFirst()
            return sum + fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Int($1) ?? 0) }
        }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

func hundredths(_ number: Double) -> String {
    let whole = Int((number * 100).rounded())
    return "\(whole / 100).\(whole % 100 / 10)\(whole % 10)"
}
