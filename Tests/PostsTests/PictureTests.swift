// SPDX-License-Identifier: Apache-2.0
// Pictures of profiles: whose they may be, when they are shown, and when they go.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Support
import Testing
import Web

@testable import PostsService

@Suite struct PictureTests {
    private static let path = "/api/v1/accounts/update_credentials"

    /// A file that media made for a purpose.
    private static func processed(_ id: MediaID, of owner: Person, _ cut: String, version: Int64 = 2) -> MediaProcessed
    {
        MediaProcessed(
            mediaID: id,
            ownerID: owner.id,
            type: .image,
            original: RenditionSnapshot(url: "\(id).jpg", width: 900, height: 900),
            mimeType: "image/jpeg",
            bytes: 1234,
            subjectVersion: version,
            renditions: [
                "original.jpg": RenditionSnapshot(url: "\(id).jpg", width: 900, height: 900),
                "\(cut).webp": RenditionSnapshot(url: "\(id)-\(cut).webp", width: 400, height: 400),
                "\(cut).jpg": RenditionSnapshot(url: "\(id)-\(cut).jpg", width: 400, height: 400),
            ]
        )
    }

    private static func file(_ world: GraphWorld, of owner: Person, _ cut: String) async throws -> MediaID {
        let id: MediaID = try world.dependencies.ids.next()
        try await world.hear(processed(id, of: owner, cut))
        return id
    }

    private static func edit(_ form: String, as person: Person, _ world: GraphWorld) async throws -> Answer {
        try await world.send(.patch, path, as: person, type: "application/x-www-form-urlencoded", body: form)
    }

    private static func shown(_ person: Person, _ world: GraphWorld) async throws -> [String: Any] {
        try await world.get("/api/v1/accounts/\(person.id)").object
    }

    /// What was told of a profile last.
    private static func told(_ world: GraphWorld) async throws -> AccountSnapshot {
        let messages = try await recordedEvents(in: world.database).filter {
            try TestEvent($0).type == "posts.ProfileUpdated.v1"
        }
        let message = try #require(messages.last)
        return try JSONDecoder().decode(Envelope<ProfileUpdated>.self, from: Data(message)).data.account
    }

    private static let standard = "https://madang.example/assets/avatar.png"

    @Test func aProfileShowsWhatWasCutForIt() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let (avatar, header) = (
                try await Self.file(world, of: ann, "square"), try await Self.file(world, of: ann, "header")
            )
            let answer = try await Self.edit("avatar=\(avatar)&header=\(header)&display_name=Ann", as: ann, world)
            #expect(answer.code == 200, "\(answer.text)")
            for account in [try answer.object, try await Self.shown(ann, world)] {
                let square = "https://madang.example/o/\(avatar)-square.jpg"
                #expect(account["avatar"] as? String == square && account["avatar_static"] as? String == square)
                let wide = "https://madang.example/o/\(header)-header.jpg"
                #expect(account["header"] as? String == wide && account["header_static"] as? String == wide)
                #expect(account["display_name"] as? String == "Ann")
            }
            let told = try await Self.told(world)
            #expect(told.extras?.avatar == PictureSnapshot(id: avatar, file: "\(avatar)-square.jpg"))
            #expect(told.extras?.header?.id == header)
            // Posts show their author so, and what else is set of a profile leaves its pictures.
            let status = try await world.status(try await world.write("hello", as: ann))
            #expect(
                (status["account"] as? [String: Any])?["avatar"] as? String
                    == "https://madang.example/o/\(avatar)-square.jpg"
            )
            #expect(try await Self.edit("indexable=true", as: ann, world).text.contains("\(avatar)-square.jpg"))
            #expect(try await Self.edit("avatar=&header=", as: ann, world).text.contains("\(avatar)-square.jpg"))
        }
    }

    @Test func whatPicturesShowIsSaid() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            func descriptions() async throws -> [String?] {
                let account = try await Self.shown(ann, world)
                return ["avatar_description", "header_description"].map { account[$0] as? String }
            }
            #expect(try await descriptions() == ["", ""])
            let avatar = try await Self.file(world, of: ann, "square")
            let answer = try await Self.edit(
                "avatar=\(avatar)&avatar_description=me%0Asmiling&header_description=a+yard",
                as: ann,
                world
            )
            #expect(try answer.object["avatar_description"] as? String == "me\nsmiling")
            #expect(try await descriptions() == ["me\nsmiling", "a yard"])
            #expect(try await Self.told(world).extras?.avatarDescription == "me\nsmiling")
            // Whoever sends a form without a new picture leaves what is said; another picture is another thing.
            _ = try await Self.edit("avatar=&display_name=Ann", as: ann, world)
            #expect(try await descriptions() == ["me\nsmiling", "a yard"])
            let next = try await Self.file(world, of: ann, "square")
            _ = try await Self.edit("avatar=\(next)", as: ann, world)
            #expect(try await descriptions() == ["", "a yard"])
            _ = try await Self.edit("header_description=", as: ann, world)
            #expect(try await descriptions() == ["", ""])
            _ = try await Self.edit("avatar_description=me", as: ann, world)
            _ = try await world.send(.delete, "/api/v1/profile/avatar", as: ann)
            #expect(try await descriptions() == ["", ""])
            #expect(
                try await Self.edit("avatar_description=\(String(repeating: "a", count: 151))", as: ann, world).code
                    == 422
            )
            let long = String(repeating: "가", count: 150)
            _ = try await Self.edit("avatar=\(next)&avatar_description=\(long)", as: ann, world)
            #expect(try await descriptions() == [long, ""])
            try await world.hear(
                MediaFailed(mediaID: next, ownerID: ann.id, reason: MediaFailed.deleted, subjectVersion: 9)
            )
            #expect(try await descriptions() == ["", ""])
        }
    }

    @Test func onlyOnesOwnPicturesOfThatKindAreTaken() async throws {
        try await GraphWorld.run { world in
            let (ann, bo) = (try await world.person("ann"), try await world.person("bo"))
            let others = try await Self.file(world, of: bo, "square")
            let wide = try await Self.file(world, of: ann, "header")
            let failed: MediaID = try world.dependencies.ids.next()
            try await world.hear(MediaFailed(mediaID: failed, ownerID: ann.id, reason: "damaged", subjectVersion: 1))
            for value in ["\(others)", "\(wide)", "\(failed)", "1", "x", "-1", "data:image/png;base64,AAAA"] {
                let answer = try await Self.edit("avatar=\(value)&display_name=No", as: ann, world)
                #expect(answer.code == 422 && answer.text.contains(#""name":"avatar""#), "\(value): \(answer.text)")
            }
            let account = try await Self.shown(ann, world)
            #expect(account["avatar"] as? String == Self.standard && account["display_name"] as? String == "")
            #expect(try await Self.told(world).id == bo.id, "nothing was told of it")
        }
    }

    @Test func thePictureBeforeStaysUntilTheNextIsReady() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let first = try await Self.file(world, of: ann, "square")
            _ = try await Self.edit("avatar=\(first)", as: ann, world)
            let next: MediaID = try world.dependencies.ids.next()
            let awaiting = try await Self.edit("avatar=\(next)", as: ann, world)
            #expect(awaiting.code == 200 && awaiting.text.contains("\(first)-square.jpg"))
            // Whoever else has it, it is not for this profile.
            let bo = try await world.person("bo")
            try await world.hear(Self.processed(next, of: bo, "square"))
            #expect(
                try await Self.shown(ann, world)["avatar"] as? String == "https://madang.example/o/\(first)-square.jpg"
            )
            let last: MediaID = try world.dependencies.ids.next()
            _ = try await Self.edit("avatar=\(last)", as: ann, world)
            try await world.hear(Self.processed(last, of: ann, "square"))
            #expect(
                try await Self.shown(ann, world)["avatar"] as? String == "https://madang.example/o/\(last)-square.jpg"
            )
            let told = try await Self.told(world)
            #expect(told.id == ann.id && told.extras?.avatar?.id == last)
            // Told again, it is nothing new.
            try await world.hear(Self.processed(last, of: ann, "square", version: 3))
            #expect(try await Self.told(world).version == told.version)
        }
    }

    @Test func aFileThatIsToldWhileSomebodyAsksIsShownAtOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id: MediaID = try world.dependencies.ids.next()
            async let answer = Self.edit("avatar=\(id)", as: ann, world)
            try await world.hear(Self.processed(id, of: ann, "square"))
            #expect(try await answer.code == 200)
            #expect(
                try await Self.shown(ann, world)["avatar"] as? String == "https://madang.example/o/\(id)-square.jpg"
            )
        }
    }

    @Test func whatGoesIsShownNoLonger() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let avatar = try await Self.file(world, of: ann, "square")
            let header = try await Self.file(world, of: ann, "header")
            _ = try await Self.edit("avatar=\(avatar)&header=\(header)", as: ann, world)
            try await world.hear(
                MediaFailed(mediaID: avatar, ownerID: ann.id, reason: MediaFailed.deleted, subjectVersion: 9)
            )
            let account = try await Self.shown(ann, world)
            #expect(account["avatar"] as? String == Self.standard)
            #expect(account["header"] as? String == "https://madang.example/o/\(header)-header.jpg")
            let gone = try await world.send(.delete, "/api/v1/profile/header", as: ann)
            #expect(gone.code == 200 && gone.text.contains(#""source""#) && !gone.text.contains("\(header)"))
            let told = try await Self.told(world)
            #expect(told.extras?.header == nil && told.extras?.avatar == nil)
            // There is nothing left to take away, and to tell.
            #expect(try await world.send(.delete, "/api/v1/profile/header", as: ann).code == 200)
            #expect(try await world.send(.delete, "/api/v1/profile/avatar", as: ann).code == 200)
            #expect(try await Self.told(world).version == told.version)
            #expect(try await world.send(.delete, "/api/v1/profile/avatar").code == 401)
            #expect(try await world.send(.delete, "/api/v1/profile/avatar", as: ann, scopes: "read").code == 403)
        }
    }

    @Test func picturesComeWithASignUp() async throws {
        try await GraphWorld.run { world in
            let (ann, bo) = (try world.stranger("ann"), try world.stranger("bo"))
            let (avatar, others): (MediaID, MediaID) = (
                try world.dependencies.ids.next(), try await Self.file(world, of: bo, "square")
            )
            func signUp(_ person: Person, _ pictures: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/internal/accounts",
                    type: "application/json",
                    body: #"{"id":"\#(person.id)","username":"\#(person.username)",\#(pictures)}"#,
                    headers: [.internalSecret: GraphWorld.secret]
                )
            }
            #expect(try await signUp(ann, #""avatar":"\#(avatar)""#).code == 200)
            #expect(try await Self.shown(ann, world)["avatar"] as? String == Self.standard)
            try await world.hear(Self.processed(avatar, of: ann, "square"))
            #expect(
                try await Self.shown(ann, world)["avatar"] as? String == "https://madang.example/o/\(avatar)-square.jpg"
            )
            // Whatever was sent along, the account is there.
            let eve = try world.stranger("eve")
            #expect(try await signUp(eve, #""header":"\#(others)""#).code == 422)
            #expect(try await Self.shown(eve, world)["header"] as? String == "https://madang.example/assets/header.png")
        }
    }

    @Test func oneThatIsAwaitedAndTakenAwayDoesNotCome() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let (never, failing): (MediaID, MediaID) = (
                try world.dependencies.ids.next(), try world.dependencies.ids.next()
            )
            _ = try await Self.edit("avatar=\(never)", as: ann, world)
            #expect(try await world.send(.delete, "/api/v1/profile/avatar", as: ann).code == 200)
            try await world.hear(Self.processed(never, of: ann, "square"))
            _ = try await Self.edit("avatar=\(failing)", as: ann, world)
            try await world.hear(MediaFailed(mediaID: failing, ownerID: ann.id, reason: "damaged", subjectVersion: 1))
            #expect(try await Self.shown(ann, world)["avatar"] as? String == Self.standard)
        }
    }
}
