// SPDX-License-Identifier: Apache-2.0
// What may be posted.

import Domain
import Events
import Views
import Web

/// The rules of posts, apart from any storage.
enum Post {
    /// What somebody wants to post, known to be allowed.
    struct Draft: Hashable, Sendable {
        let text: String
        let spoilerText: String
        /// Nil for the account's own setting.
        let sensitive: Bool?
        /// Nil for the account's own setting.
        let visibility: Visibility?
        /// Nil for the account's own setting.
        let language: String?
        let inReplyToID: PostID?
        var mediaIDs: [MediaID] = []
        /// Of the reading whose book the post shows.
        var recordID: RecordID?
    }

    /// What an author wants to change of a post; nil leaves a part as it is.
    struct Revision: Hashable, Sendable {
        let text: String?
        let spoilerText: String?
        let sensitive: Bool?
        let language: String?
        let mediaIDs: [MediaID]?
        let attributes: [MediaAttributes]
    }

    /// Why something cannot be posted.
    enum Rejection: Error, Hashable {
        case empty
        case tooLong(Int)
        case tooLarge(Int, Int)
        case unreadable(String)
        case unknownVisibility
        case unknownLanguage
        case notOffered(String)
        case tooManyFiles(Int)
        case mixedFiles
        case fileNotFound
        case fileNotReady
        case fileFailed
        case longDescription(Int)
        case badFocus
    }
}

extension Post.Draft {
    /// - Parameters:
    ///   - visibility: where none is named; nil for the account's own setting.
    ///   - usual: what is posted where nothing is said.
    init(
        _ parameters: Parameters,
        limits: Limits,
        visibility usualVisibility: Visibility? = nil,
        text usual: String = ""
    ) throws {
        try Post.refuseWhatIsNotOffered(parameters)
        var text = try Post.text(parameters, "status") ?? usual
        var spoilerText = try Post.text(parameters, "spoiler_text") ?? ""
        mediaIDs = try parameters.mediaIDs(most: limits.media) ?? []
        if text.isBlank, mediaIDs.isEmpty {
            text = spoilerText
            spoilerText = ""
        }
        try Post.check(text: text, spoilerText: spoilerText, hasFiles: !mediaIDs.isEmpty, limits: limits)
        self.text = text
        self.spoilerText = spoilerText
        sensitive = spoilerText.isEmpty ? try parameters.boolean("sensitive") : true
        visibility = try Post.visibility(parameters) ?? usualVisibility
        language = try Post.language(parameters)
        inReplyToID = try parameters.id("in_reply_to_id")
    }

    /// The same bytes for the same wish, so that a repeated request is told from another one with its key.
    var fingerprint: [UInt8] {
        var json = JSONWriter()
        json.array { json in
            json.string(text)
            json.string(spoilerText)
            json.string(sensitive.map(String.init) ?? "")
            json.string(visibility?.rawValue ?? "")
            json.string(language ?? "")
            json.string(inReplyToID?.description ?? "")
            for id in mediaIDs { json.string(id.description) }
            if let recordID { json.string("record \(recordID)") }
        }
        return json.bytes
    }
}

extension Post.Revision {
    init(_ parameters: Parameters, limits: Limits) throws {
        try Post.refuseWhatIsNotOffered(parameters)
        text = try Post.text(parameters, "status")
        spoilerText = try Post.text(parameters, "spoiler_text")
        sensitive = try parameters.boolean("sensitive")
        language = try Post.language(parameters)
        mediaIDs = try parameters.mediaIDs(most: limits.media)
        attributes = try parameters.mediaAttributes(limits: limits)
    }
}

extension Post {
    /// Throws unless a post may consist of this.
    static func check(text: String, spoilerText: String, hasFiles: Bool, limits: Limits) throws {
        guard hasFiles || !text.isBlank else { throw Rejection.empty }
        // The cheap bounds first: counting characters costs more than reading bytes.
        let scalars = text.unicodeScalars.count + spoilerText.unicodeScalars.count
        guard scalars <= limits.postScalars, written(text) + written(spoilerText) <= limits.postBytes else {
            throw Rejection.tooLarge(limits.postScalars, limits.postBytes)
        }
        guard PostText.length(of: text) + spoilerText.count <= limits.post else { throw Rejection.tooLong(limits.post) }
    }

    /// Bytes in JSON, as events carry a text.
    private static func written(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }

    /// A visibility by its name; the empty name is none.
    static func visibility(_ parameters: Parameters) throws -> Visibility? {
        guard let name = try parameters.string("visibility"), !name.isEmpty else { return nil }
        guard let visibility = Visibility(rawValue: name) else { throw Rejection.unknownVisibility }
        return visibility
    }

    fileprivate static func text(_ parameters: Parameters, _ name: String) throws -> String? {
        guard let text = try parameters.string(name) else { return nil }
        guard !text.utf8.contains(0) else { throw Rejection.unreadable(name) }
        return text
    }

    fileprivate static func language(_ parameters: Parameters) throws -> String? {
        guard let code = try parameters.string("language"), !code.isEmpty else { return nil }
        guard let code = LanguageCode(code) else { throw Rejection.unknownLanguage }
        return code.text
    }

    /// Refusing is kinder than posting without a poll or at once.
    fileprivate static func refuseWhatIsNotOffered(_ parameters: Parameters) throws {
        if try parameters.nested("poll") != nil { throw Rejection.notOffered("poll") }
        for name in ["scheduled_at", "quoted_status_id"] where try parameters.string(name)?.isEmpty == false {
            throw Rejection.notOffered(name)
        }
    }
}

extension Post.Rejection: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .empty:
            Problem.invalid(
                "status",
                "blank",
                [
                    .english: "A post needs text.",
                    .korean: "게시물에는 글이 있어야 합니다.",
                    .japanese: "投稿には本文が必要です。",
                ]
            )
        case .tooLong(let most):
            Problem.invalid(
                "status",
                "too_long",
                [
                    .english: "A post has at most \(most) characters.",
                    .korean: "게시물은 최대 \(most)자입니다.",
                    .japanese: "投稿は\(most)文字までです。",
                ]
            )
        case .tooLarge(let scalars, let bytes):
            Problem.invalid(
                "status",
                "too_long",
                [
                    .english: "A post has at most \(scalars) code points and \(bytes) bytes, links included.",
                    .korean: "게시물은 링크를 포함해 최대 코드 포인트 \(scalars)개, \(bytes)바이트입니다.",
                    .japanese: "投稿はリンクを含めて\(scalars)コードポイント、\(bytes)バイトまでです。",
                ]
            )
        case .unreadable(let name): Problem.invalid(name, "invalid")
        case .unknownVisibility:
            Problem.invalid(
                "visibility",
                "inclusion",
                [
                    .english: "The visibility is public, unlisted, private or direct.",
                    .korean: "공개 범위는 public, unlisted, private, direct 중 하나입니다.",
                    .japanese: "公開範囲は public、unlisted、private、direct のいずれかです。",
                ]
            )
        case .unknownLanguage:
            Problem.invalid(
                "language",
                "inclusion",
                [
                    .english: "The language is an ISO 639 code such as en, ko or ja.",
                    .korean: "언어는 en, ko, ja 같은 ISO 639 코드입니다.",
                    .japanese: "言語は en、ko、ja などの ISO 639 コードです。",
                ]
            )
        case .tooManyFiles(let most):
            Problem.invalid(
                "media_ids",
                "too_many",
                [
                    .english: "Cannot attach more than \(most) files.",
                    .korean: "파일은 최대 \(most)개까지 첨부할 수 있습니다.",
                    .japanese: "添付できるファイルは\(most)個までです。",
                ]
            )
        case .mixedFiles:
            Problem.invalid(
                "media_ids",
                "invalid",
                [
                    .english: "Cannot attach a video to a post that already contains images.",
                    .korean: "이미지가 있는 게시물에는 동영상을 첨부할 수 없습니다.",
                    .japanese: "画像のある投稿に動画を添付することはできません。",
                ]
            )
        case .fileNotFound:
            Problem.invalid(
                "media_ids",
                "not_found",
                [
                    .english: "A file was not found or is already attached to another post.",
                    .korean: "파일을 찾을 수 없거나 이미 다른 게시물에 첨부되어 있습니다.",
                    .japanese: "ファイルが見つからないか、すでに別の投稿に添付されています。",
                ]
            )
        case .fileNotReady:
            Problem.invalid(
                "media_ids",
                "not_ready",
                [
                    .english: "Cannot attach files that have not finished processing. Try again in a moment!",
                    .korean: "처리가 끝나지 않은 파일은 첨부할 수 없습니다. 잠시 후 다시 시도하세요!",
                    .japanese: "処理が終わっていないファイルは添付できません。しばらくしてからもう一度お試しください。",
                ]
            )
        case .fileFailed:
            Problem.invalid(
                "media_ids",
                "invalid",
                [
                    .english: "A file could not be processed and cannot be attached.",
                    .korean: "처리하지 못한 파일은 첨부할 수 없습니다.",
                    .japanese: "処理できなかったファイルは添付できません。",
                ]
            )
        case .longDescription(let most):
            Problem.invalid(
                "media_attributes",
                "too_long",
                [
                    .english: "A description has at most \(most) characters.",
                    .korean: "설명은 최대 \(most)자입니다.",
                    .japanese: "説明は\(most)文字までです。",
                ]
            )
        case .badFocus:
            Problem.invalid(
                "media_attributes",
                "invalid",
                [
                    .english: "A focus is two numbers from -1 to 1, such as 0.5,-0.2.",
                    .korean: "초점은 0.5,-0.2처럼 -1에서 1 사이의 두 숫자입니다.",
                    .japanese: "焦点は 0.5,-0.2 のような -1 から 1 までの2つの数です。",
                ]
            )
        case .notOffered(let name):
            Problem.invalid(
                name,
                "not_offered",
                [
                    .english: "This server does not offer \(name) yet.",
                    .korean: "이 서버는 아직 \(name)을(를) 제공하지 않습니다.",
                    .japanese: "このサーバーはまだ \(name) に対応していません。",
                ]
            )
        }
    }
}

extension Problem {
    fileprivate static func invalid(_ field: String, _ code: String, _ detail: [Language: String]) -> Problem {
        var problem = Problem.invalid(field, code)
        problem.detail = detail
        return problem
    }
}

extension String {
    /// Whether there is nothing to read.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
