// SPDX-License-Identifier: Apache-2.0
// The host that public protocol suites and client libraries are run against.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

do {
    if CommandLine.arguments.contains("--help") {
        print(HostOptions.usage)
    } else {
        try await ConformanceHost.serve(HostOptions(CommandLine.arguments.dropFirst()))
    }
} catch {
    print("\(error)\n\(HostOptions.usage)")
    exit(1)
}
