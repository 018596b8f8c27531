// SPDX-License-Identifier: Apache-2.0
// The start of the test executable: every test is a Swift Testing test, so nothing needs to be discovered.

import Testing

/// Runs the tests when `swift test` asks for Swift Testing's, and none when it asks for XCTest's.
@main struct TestRunner {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.contains("--dump-tests-json") {
            print(#"{"name":"All tests","tests":[{"name":"madang","tests":[]}]}"#)
            return
        }
        if let option = arguments.firstIndex(of: "--testing-library"),
            arguments.indices.contains(option + 1), arguments[option + 1] == "xctest"
        {
            return
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
