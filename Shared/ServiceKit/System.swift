// SPDX-License-Identifier: Apache-2.0
// The few calls of the system that a start needs.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The content of a file of at most `limit` bytes; nil when it cannot be read or is longer.
public func readFile(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return readAll(descriptor, limit: limit)
}

/// What can be read until the end; nil on an error or when it is longer than `limit`.
func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0, content.count + count <= limit else { return nil }
        guard count > 0 else { return content }
        content.append(contentsOf: buffer[..<count])
    }
}

/// Writes everything, in one call where the system takes it so; errors are ignored, for there is nobody to tell.
@usableFromInline func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Writes a line to standard error.
public func complain(_ line: String) { writeAll(2, Array("\(line)\n".utf8)) }

/// Writes a line to standard output.
public func say(_ line: String) { writeAll(1, Array("\(line)\n".utf8)) }

/// The environment of the process.
func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
        let text = String(cString: entry)
        if let equals = text.firstIndex(of: "=") {
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        next = next.advanced(by: 1)
    }
    return variables
}

/// The status of the answer to a plain GET, over a connection of its own; nil when there is none within `seconds`.
func statusOfGet(_ path: String, host: String, port: Int, seconds: Int) -> Int? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { return nil }
    defer { freeaddrinfo(first) }
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let address = candidate?.pointee {
        candidate = address.ai_next
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { continue }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else { continue }
        writeAll(descriptor, Array("GET \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n".utf8))
        guard let answer = readAll(descriptor, limit: 1 << 16) else { return nil }
        let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
        return words.count >= 2 ? Int(words[1]) : nil
    }
    return nil
}

/// Who runs a command at the command line, as far as the system says: for the log.
public func operatorName() -> String {
    let environment = processEnvironment()
    for name in ["MADANG_OPERATOR", "SUDO_USER", "USER"] {
        if let value = environment[name], !value.isEmpty { return value }
    }
    return "uid \(getuid())"
}
