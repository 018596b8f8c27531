// SPDX-License-Identifier: Apache-2.0
// Uploads in forms, from the first byte to the end of what was made of them.

import Domain
import Events
import Foundation
import HTTPTypes
import MediaWork
import Support
import Testing
import Web

@testable import MediaService

@Suite struct UploadTests {
    @Test func aFileBecomesReadyAndIsToldOf() async throws {
        try await MediaWorld.run { world in
            let taken = try await world.upload("a picture", fields: [("description", "A cat"), ("focus", "-0.5,2")])
            #expect(taken.status == .accepted)
            let id = try attachment(taken).id
            #expect(try attachment(taken).url == nil)
            let waiting = try await world.send(.get, "/api/v1/media/\(id)")
            #expect(waiting.status == .partialContent && waiting.text.contains(#""url":null"#))
            try await world.workAll()
            let answer = try await world.send(.get, "/api/v1/media/\(id)")
            let shown = try attachment(answer)
            #expect(answer.status == .ok && shown.type == "image" && shown.description == "A cat")
            #expect(answer.text.contains(#""focus":{"x":-0.5,"y":1.0}"#), "\(answer.text)")
            #expect(answer.text.contains(#""original":{"width":1000,"height":500,"size":"1000x500","aspect":2.0}"#))
            let told = try #require(try await world.told().first)
            #expect(told.mediaID.description == id && told.ownerID == MediaWorld.minji.id && told.colour == "#336699")
            #expect(told.original.url.hasSuffix(".jpg"), "what every client shows, not WebP")
            #expect(told.preview?.width == 640)
            #expect(Set(told.renditions?.keys.map { $0 } ?? []) == ["original.webp", "original.jpg", "medium.jpg"])
            #expect(world.files.count == 3 && world.incoming == [] && world.workplaces == [])
            #expect(world.files.contains(told.original.url))
            let file = try #require(shown.url?.dropFirst("https://madang.example".count))
            let served = try await world.send(.get, String(file), as: nil)
            #expect(String(decoding: try await served.bytes(), as: UTF8.self) == "original of a picture")
        }
    }

    @Test func aFileThatCannotBeShownFailsWithItsReason() async throws {
        try await MediaWorld.run { world in
            for reason in ["unsupported", "damaged", "too_large", "empty"] {
                let id = try attachment(try await world.upload("refuse \(reason)")).id
                try await world.workAll()
                let answer = try await world.send(.get, "/api/v1/media/\(id)")
                #expect(answer.status == .unprocessableContent, "\(reason)")
            }
            let reasons = try await world.events().map(\.text)
            #expect(reasons.count == 4 && reasons.allSatisfy { $0.contains("MediaFailed") })
            #expect(reasons.last?.contains(#""reason":"empty""#) == true)
            #expect(world.files == [] && world.incoming == [] && world.workplaces == [])
        }
    }

    @Test func anUploadIsItsOwnersAlone() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ready("mine")
            for method in [HTTPRequest.Method.get, .put, .delete] {
                let other = try await world.send(method, "/api/v1/media/\(id)", as: MediaWorld.haruto)
                let none = try await world.send(method, "/api/v1/media/12345", as: MediaWorld.haruto)
                #expect(other.status == .notFound && other.body == none.body, "\(method)")
                #expect(try await world.send(method, "/api/v1/media/\(id)", as: nil).status == .unauthorized)
            }
            #expect(try await world.upload("x", as: nil).status == .unauthorized)
        }
    }

    @Test func whatItShowsCanBeSaidLater() async throws {
        try await MediaWorld.run { world in
            let early = try attachment(try await world.upload("early")).id
            let first = try await world.send(.put, "/api/v1/media/\(early)", form: "description=First")
            #expect(first.status == .partialContent)
            try await world.workAll()
            #expect(try await world.told().map(\.description) == ["First"])
            let second = try await world.send(.put, "/api/v1/media/\(early)", form: "description=Second&focus=0,0.25")
            #expect(second.status == .ok)
            #expect(try attachment(second).description == "Second")
            let told = try await world.told()
            #expect(told.map(\.description) == ["First", "Second"])
            #expect(told[0].subjectVersion < told[1].subjectVersion && told[1].focus == FocusSnapshot(x: 0, y: 0.25))
            // Nothing new is nothing to tell.
            _ = try await world.send(.put, "/api/v1/media/\(early)", form: "description=Second")
            #expect(try await world.told().count == 2)
            for bad in [
                "focus=1", "focus=a,b", "focus=nan,0", "focus=0,inf",
                "description=" + String(repeating: "x", count: 801),
            ] {
                let answer = try await world.send(.put, "/api/v1/media/\(early)", form: bad)
                #expect(answer.status == .unprocessableContent, "\(bad.prefix(20))")
            }
            #expect(try await world.send(.put, "/api/v1/media/\(early)", form: "description=%00").status == .badRequest)
        }
    }

    @Test func aFileThatNothingShowsCanBeTakenBack() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ready("a picture")
            let waiting = try attachment(try await world.upload("another")).id
            #expect(try await world.send(.delete, "/api/v1/media/\(waiting)").status == .ok)
            #expect(try await world.send(.delete, "/api/v1/media/\(id)").status == .ok)
            for id in ["\(id)", waiting] {
                #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .notFound)
            }
            #expect(try await !world.work() && world.incoming == [])
        }
    }

    @Test func sameBytesAreKeptOnceAndGoWithTheLast() async throws {
        try await MediaWorld.run { world in
            let first = try await world.ready("the same")
            let second = try await world.ready("the same", as: MediaWorld.haruto)
            #expect(world.files.count == 3)
            func collect() async throws { _ = try await Leftovers.run(world.dependencies) }
            _ = try await world.send(.delete, "/api/v1/media/\(first)")
            world.clock.advance(.seconds(3601))
            try await collect()
            #expect(world.files.count == 3)
            _ = try await world.send(.delete, "/api/v1/media/\(second)", as: MediaWorld.haruto)
            try await collect()
            #expect(world.files.count == 3, "they stay for an hour")
            world.clock.advance(.seconds(3601))
            _ = try await world.ready("the same")
            try await collect()
            #expect(world.files.count == 3, "somebody made them again")
        }
        try await MediaWorld.run { world in
            let only = try await world.ready("alone")
            _ = try await world.send(.delete, "/api/v1/media/\(only)")
            world.clock.advance(.seconds(3601))
            _ = try await Leftovers.run(world.dependencies)
            #expect(world.files == [])
        }
    }

    // MARK: What is refused

    private static let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"

    @Test(arguments: [
        ("multipart/form-data", "", 400),
        ("multipart/form-data; boundary=\(String(repeating: "b", count: 71))", "", 400),
        ("application/json", "{}", 415), ("", "", 415),
        ("multipart/form-data; boundary=b", "", 400),
        ("multipart/form-data; boundary=b", "--b--\r\n", 422),
        ("multipart/form-data; boundary=b", "--b\r\n\(disposition)abc", 400),
        ("multipart/form-data; boundary=b", "--b\r\n\(disposition)\r\n--b--", 422),
        ("multipart/form-data; boundary=b", "--b\r\n\(disposition)a\r\n--b\r\n\(disposition)b\r\n--b--", 422),
        ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data\r\n\r\na\r\n--b--", 400),
        (
            "multipart/form-data; boundary=b",
            "--b\r\n\(disposition)a\r\n--b\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n\0\r\n--b--",
            400
        ),
        (
            "multipart/form-data; boundary=b",
            "--b\r\n\(disposition)GIF89a\r\n--b\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nhack\r\n--b--",
            422
        ),
        ("multipart/form-data; boundary=b", "--b\r\n\(String(repeating: "x", count: 9000))", 400),
    ])
    func badFormsLeaveNothing(type: String, body: String, status: Int) async throws {
        try await MediaWorld.run { world in
            let answer = try await world.send(
                .post,
                "/api/v2/media",
                headers: [.contentType: type],
                upload: UploadBody(Array(body.utf8))
            )
            #expect(answer.status.code == status, "\(answer.text)")
            #expect(world.incoming == [])
            #expect(try await !world.work())
        }
    }

    @Test(arguments: ["<html>", "<svg xmlns=", "%PDF-1.7", "#EXTM3U", "MZ", "\0\0"])
    func whatIsNoPictureIsRefusedAtOnce(beginning: String) async throws {
        try await MediaWorld.run { world in
            let answer = try await world.upload("a.jpg", signature: beginning)
            #expect(answer.status == .unprocessableContent && answer.text.contains("media-unsupported"))
            #expect(world.incoming == [])
            #expect(try await !world.work())
        }
    }

    @Test func whatIsTooLargeIsRefused() async throws {
        var limits = Limits()
        limits.sizes = MediaLimits(image: 1000, video: 2000)
        try await MediaWorld.run(limits: limits) { world in
            #expect(try await world.upload(String(repeating: "x", count: 2001)).status == .contentTooLarge)
            let field = ("description", String(repeating: "x", count: 20_000))
            #expect(try await world.upload("x", fields: [field]).status == .contentTooLarge)
            let picture = try await world.upload(String(repeating: "x", count: 1500))
            #expect(picture.status == .contentTooLarge, "for a picture")
            let film = try await world.upload(String(repeating: "x", count: 1500), signature: "OggS")
            #expect(film.status == .accepted)
            #expect(world.incoming.count == 1)
        }
    }

    @Test func nobodyKeepsMoreThanTheirShare() async throws {
        var limits = Limits()
        limits.quota = 1500
        limits.pending = 2
        try await MediaWorld.run(limits: limits) { world in
            let first = try await world.ready(String(repeating: "x", count: 400))
            let full = try await world.upload(String(repeating: "x", count: 300))
            #expect(full.status == .unprocessableContent && full.text.contains(#""code":"quota""#), "\(full.text)")
            #expect(world.incoming == [])
            #expect(try await world.upload("x", as: MediaWorld.haruto).status == .accepted)
            _ = try await world.send(.delete, "/api/v1/media/\(first)")
            #expect(try await world.upload("x").status == .accepted)
            #expect(try await world.upload("x").status == .accepted)
            #expect(try await world.upload("x").status == .tooManyRequests, "two are on their way")
        }
    }
}
