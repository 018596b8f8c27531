// SPDX-License-Identifier: Apache-2.0
// Queries a second against pgbench's tables, to be compared with `pgbench -M prepared -S -c N` in the same run.

import Glibc
import Logging
import Postgres

/// `benchmark-postgres CONNINFO [CONNECTIONS] [SECONDS] [TASKS]`.
@main struct Benchmark {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let connection = arguments.first else {
            print("usage: benchmark-postgres CONNINFO [CONNECTIONS] [SECONDS] [TASKS]")
            exit(64)
        }
        let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
        func number(_ index: Int, _ usual: Int) -> Int {
            numbers.dropFirst(index).first.flatMap { $0 > 0 ? $0 : nil } ?? usual
        }
        do {
            try await measure(connection, connections: number(0, 4), seconds: number(1, 5), tasks: number(2, 64))
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    static func measure(_ connection: String, connections: Int, seconds: Int, tasks: Int) async throws {
        var configuration = DatabaseConfiguration(
            connection: connection,
            schema: "public",
            applicationName: "benchmark-postgres"
        )
        configuration.pipelined = connections
        configuration.exclusive = 1
        let database = Database(configuration, logger: Logger(label: "benchmark"))
        guard let row = try await database.query("SELECT count(*) FROM pgbench_accounts").first else { return }
        var columns = row.columns
        let accounts: Int = try columns.next()
        let clock = ContinuousClock()
        let cpu = cpuSeconds()
        let start = clock.now
        let end = start + .seconds(seconds)
        let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    var latencies: [Double] = []
                    var before = clock.now
                    // A generator in the process, like pgbench's: the system's costs a system call for each query.
                    var keys = KeySequence(state: .random(in: 0 ... .max), count: accounts)
                    while before < end {
                        let key = keys.next()
                        let rows = try await database.query("SELECT abalance FROM pgbench_accounts WHERE aid = \(key)")
                        for row in rows {
                            var columns = row.columns
                            _ = try columns.next(Int32.self)
                        }
                        let after = clock.now
                        latencies.append((after - before) / .microseconds(1))
                        before = after
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }.sorted()
        let elapsed = (clock.now - start) / .seconds(1)
        let used = cpuSeconds() - cpu
        guard let p50 = latencies.dropFirst(latencies.count / 2).first,
            let p99 = latencies.dropFirst(latencies.count * 99 / 100).first
        else { return }
        print(
            "queries_per_second=\(Int(Double(latencies.count) / elapsed)) connections=\(connections) tasks=\(tasks)",
            "p50_us=\(Int(p50)) p99_us=\(Int(p99))",
            "client_cpu_us=\((used / Double(latencies.count) * 10_000_000).rounded() / 10)"
        )
    }

    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}

/// Keys from 1 to `count` in no particular order, by a linear congruential generator (Knuth's MMIX constants).
private struct KeySequence {
    var state: UInt64
    let count: Int

    mutating func next() -> Int32 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int32(truncatingIfNeeded: (state >> 33) % UInt64(max(1, count))) + 1
    }
}
