// SPDX-License-Identifier: Apache-2.0
// Forms with files: media takes the files while they come, and the rest goes on with their ids.

import Domain
import HTTPTypes
import NIOCore
package import NIOHTTP1
import Surface
import Views
import Web

/// A form whose files media takes; what media answers is kept here.
final class FormOnItsWay {
    /// Octets of what media gives back: the fields in the form of a query, where a syllable takes nine.
    static let mostAnswer = 512 * 1024

    let fields: [FileField]
    let target: RequestTarget
    let type: String
    /// Who gets the rest of it; nil is the gateway itself.
    let service: ServiceName?
    let proceed: () -> Void
    var status = 0
    var retryAfter: String?
    var answer = ByteBuffer()

    init(_ fields: [FileField], type: String, service: ServiceName?, then proceed: @escaping () -> Void) {
        self.fields = fields
        let list = fields.map(\.description).joined(separator: ",")
        target = RequestTarget("\(MediaEndpoint.takeForm.path)?fields=\(list)") ?? .root
        self.type = type
        self.service = service
        self.proceed = proceed
    }
}

/// A form without its files.
struct RestOfForm {
    static let type = "application/x-www-form-urlencoded"

    /// Octets.
    let length: Int
    /// The uploads that stand in it, by their fields; of interest where they wait for an account.
    let uploads: [String: MediaID]

    init(_ form: FormOnItsWay) {
        length = form.answer.readableBytes
        let body = Array(form.answer.readableBytesView)
        let fields =
            form.service == .auth
            ? try? Request(method: .post, path: "/", headers: [.contentType: RestOfForm.type], body: body).parameters()
            : nil
        var uploads: [String: MediaID] = [:]
        for field in form.fields { uploads[field.name] = try? fields?.id(field.name) }
        self.uploads = uploads
    }
}

extension ClientConnection {
    /// Goes on at once with a body that brings no file, and with any other when media has its files.
    ///
    /// - Parameter isWhole: whether all of the body is there.
    func takeFiles(_ exchange: Exchange, isWhole: Bool, then proceed: @escaping () -> Void) {
        guard exchange.mayBringFiles, let rule = exchange.route?.form else { return proceed() }
        var start: [UInt8] = []
        for part in exchange.body.unsent { start += Array(part.readableBytesView) }
        guard let type = FormType.of(exchange.head.headers, start: start),
            !isWhole || FormType.hasFiles(start, type: type)
        else {
            exchange.mayBringFiles = false
            if exchange.service != nil, case .length(let length) = exchange.framing, length > limits.body {
                return refuse(.bodyTooLarge)
            }
            return proceed()
        }
        do {
            let principal = exchange.principal
            try rule.access.require(principal?.scopes, hasAccount: principal?.accountID != nil)
        } catch {
            return answer(error as? Problem ?? .forbidden, to: exchange)
        }
        exchange.form = FormOnItsWay(rule.fields, type: type, service: exchange.service, then: proceed)
        exchange.service = .media
        send(exchange)
    }

    /// Media has said what it has to say.
    func formEnds(_ form: FormOnItsWay, _ exchange: Exchange) {
        exchange.connection = nil
        exchange.form = nil
        exchange.service = form.service
        state.releases()
        guard form.status == 200 else {
            let refusal = ServiceAnswer(status: form.status, body: form.answer, retryAfter: form.retryAfter)
            // A dialect says it in its own words.
            if exchange.dialect != nil { return answer(Problem(refusal), to: exchange) }
            return tell(ServiceRefusal(refusal).answer, to: exchange)
        }
        // It answers before the end only to refuse.
        guard state.isRead else { return answer(Problem(.broken, of: .media), to: exchange) }
        exchange.rest = RestOfForm(form)
        exchange.body.replace(with: form.answer)
        form.proceed()
        flush()
    }
}

/// What a form with files says of itself.
package enum FormType {
    /// The type of a form in parts; nil for another body. Some apps name no type, or one without a boundary: the first line
    /// of the body has it.
    package static func of(_ headers: HTTPHeaders, start: some Collection<UInt8>) -> String? {
        let type = headers.first(name: "content-type") ?? ""
        let isNamed = type.lowercased().hasPrefix("multipart/")
        if isNamed, type.lowercased().contains("boundary=") { return type }
        guard start.starts(with: "--".utf8), isNamed || !type.lowercased().contains("boundary=") else { return nil }
        let boundary = start.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
        guard (1...70).contains(boundary.count),
            boundary.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ";") })
        else { return nil }
        return "multipart/form-data; boundary=\"\(String(decoding: boundary, as: UTF8.self))\""
    }

    /// Whether a whole form brings a file.
    static func hasFiles(_ body: [UInt8], type: String) -> Bool {
        let form = Request(method: .post, path: "/", headers: [.contentType: type], body: body)
        return (try? form.parameters().hasFiles) ?? false
    }
}

extension Problem {
    /// What a service said in the words of all our services.
    init(_ answer: ServiceAnswer) {
        let body = try? Parameters(json: answer.body.readableBytesView)
        self.init(HTTPResponse.Status(code: answer.status), (try? body?.string("code")) ?? "error")
        if let text = try? body?.string("error") { detail = [.english: text, .korean: text, .japanese: text] }
        fields = ((try? body?.list("fields")) ?? []).compactMap { field in
            guard let name = try? field.string("name"), let code = try? field.string("code") else { return nil }
            return (name, code)
        }
        if let retryAfter = answer.retryAfter { headers[.retryAfter] = retryAfter }
    }
}
