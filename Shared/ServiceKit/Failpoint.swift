// SPDX-License-Identifier: Apache-2.0
// Named moments at which a drill may kill the process.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment that matters when a process dies, such as the one between commit and acknowledgement.
///
/// Does nothing unless `MADANG_FAILPOINTS` names a file; when that file holds `<process>:<name>`, it is removed and the
/// process kills itself as SIGKILL would. With `<process>:<name>:<subject>` it stays, so that the process dies of this
/// subject whenever it comes to it.
public enum Failpoint {
    private static let path = getenv("MADANG_FAILPOINTS").map { String(cString: $0) }
    private static let process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""

    public static func reach(_ name: StaticString) {
        guard let path else { return }
        die(if: "\(process):\(name)", isNamedIn: path)
    }

    public static func reach(_ name: StaticString, with subject: String) {
        guard let path else { return }
        die(if: "\(process):\(name):\(subject)", isNamedIn: path, staying: true)
    }

    private static func die(if moment: String, isNamedIn path: String, staying: Bool = false) {
        guard let file = fopen(path, "r") else { return }
        var line = [CChar](repeating: 0, count: 128)
        let read = fread(&line, 1, line.count - 1, file)
        fclose(file)
        let wanted = String(decoding: line[..<read].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard wanted.split(whereSeparator: \.isWhitespace).first.map(String.init) == moment else { return }
        if !staying { unlink(path) }
        kill(getpid(), SIGKILL)
    }
}
