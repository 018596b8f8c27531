// SPDX-License-Identifier: Apache-2.0
// The measurements that every process shows of itself.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Adds CPU seconds, memory and start time under the names that Prometheus's own clients use.
func measureProcess(_ metrics: Metrics) {
    let start = Double(time(nil))
    metrics.gauge("process_start_time_seconds", help: "Start of the process, Unix time in seconds.") { start }
    metrics.total("process_cpu_seconds_total", help: "CPU time used.") {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
    metrics.gauge("process_resident_memory_bytes", help: "Resident memory.") {
        // The second field is the number of resident pages (proc(5)).
        let fields = String(decoding: readFile("/proc/self/statm", limit: 4096) ?? [], as: UTF8.self).split(
            separator: " "
        )
        return fields.count > 1 ? (Double(fields[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
