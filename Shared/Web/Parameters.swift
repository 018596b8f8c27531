// SPDX-License-Identifier: Apache-2.0
// The named values of a request, whatever form they came in.

public import Domain

/// A part of a multipart body that is a file.
public struct UploadedFile: Sendable, Hashable {
    /// As the client says; never a path to be trusted.
    public let name: String
    public let contentType: String
    public let bytes: [UInt8]
}

/// One value of a request.
enum ParameterValue: Sendable {
    case null
    case boolean(Bool)
    /// As written; it may be beyond every type.
    case number(String)
    case text(String)
    case list([ParameterValue])
    case members(Parameters)
    case file(UploadedFile)

    var isNull: Bool { if case .null = self { true } else { false } }

    var hasFiles: Bool {
        switch self {
        case .file: true
        case .list(let elements): elements.contains(where: \.hasFiles)
        case .members(let members): members.hasFiles
        case .null, .boolean, .number, .text: false
        }
    }

    /// Text, or what stands for text.
    var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .null, .list, .members, .file: nil
        }
    }
}

/// The named values of a request. Later values of a name win; `name[]` collects; the body wins over the query.
///
/// JSON's `null` counts as absent.
public struct Parameters: Sendable {
    private(set) var values: [String: ParameterValue] = [:]

    /// Nil when absent; throws a problem when it is not text (or a number or truth value standing for text).
    public func string(_ name: String) throws -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.scalar else { throw Problem.badRequest(name) }
        return text
    }

    /// `name[]=a&name[]=b`, `name=a`, or a JSON array.
    public func strings(_ name: String) throws -> [String]? {
        guard let value = value(name) else { return nil }
        if let text = value.scalar { return [text] }
        guard let elements = elements(of: value) else { throw Problem.badRequest(name) }
        return try elements.filter { !$0.isNull }.map { element in
            guard let text = element.scalar else { throw Problem.badRequest(name) }
            return text
        }
    }

    /// `1`, `true`, `on`, `t`; `0`, `false`, `off`, `f`, empty; JSON true and false.
    public func boolean(_ name: String) throws -> Bool? {
        guard let value = value(name) else { return nil }
        switch value.scalar?.lowercased() {
        case "1", "true", "on", "t", "yes": return true
        case "0", "false", "off", "f", "no", "": return false
        default: throw Problem.badRequest(name)
        }
    }

    /// A whole number of 64 bits; throws a problem for anything else, the empty text among it.
    public func integer(_ name: String) throws -> Int64? {
        guard let value = value(name) else { return nil }
        guard let text = value.scalar, let number = wholeNumber(text) else { throw Problem.badRequest(name) }
        return number
    }

    /// An id; empty counts as absent, as clients send it for "none".
    public func id<Kind>(_ name: String) throws -> ID<Kind>? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard let id = ID<Kind>(text) else { throw Problem.badRequest(name) }
        return id
    }

    public func ids<Kind>(_ name: String) throws -> [ID<Kind>]? {
        try strings(name)?.map { text in
            guard let id = ID<Kind>(text) else { throw Problem.badRequest(name) }
            return id
        }
    }

    /// `name[key]=…`, `name[0][key]=…`, or JSON objects: the members below `name`.
    public func nested(_ name: String) throws -> Parameters? {
        guard let value = value(name) else { return nil }
        guard case .members(let members) = value else { throw Problem.badRequest(name) }
        return members
    }

    /// A JSON array of objects, or `name[0][key]=…`, in the order of their keys.
    public func list(_ name: String) throws -> [Parameters]? {
        guard let value = value(name) else { return nil }
        guard let elements = elements(of: value) else { throw Problem.badRequest(name) }
        return try elements.map { element in
            guard case .members(let members) = element else { throw Problem.badRequest(name) }
            return members
        }
    }

    /// The file at `name` in a multipart body.
    public func file(_ name: String) throws -> UploadedFile? {
        guard let value = value(name) else { return nil }
        guard case .file(let file) = value else { throw Problem.badRequest(name) }
        return file
    }

    /// Whether a file is anywhere in them.
    public var hasFiles: Bool { values.values.contains(where: \.hasFiles) }

    /// A number that counts from 0; anything else is refused by its name.
    public func seq(_ name: String) throws -> Int64? {
        guard contains(name) else { return nil }
        guard let number = try? integer(name), number >= 0 else { throw Problem.invalid(name, "invalid") }
        return number
    }

    /// `limit`: above `maximum` it is clamped.
    public func limit(default: Int, maximum: Int) throws -> Int {
        guard contains("limit") else { return `default` }
        guard let limit = try? integer("limit"), limit > 0 else { throw Problem.invalid("limit", "invalid") }
        return Int(min(limit, Int64(maximum)))
    }

    /// Adds a field of a form whose value came as bytes.
    public mutating func add(_ name: String, text: [UInt8]) throws {
        guard let text = FormReader.validText(text) else {
            throw Problem.badRequest("multipart (\(FormReader.printable(name)))")
        }
        insert(.text(text), at: try FormReader.path(of: name, place: "multipart")[...])
    }

    /// Whether there is a value, if only an empty one.
    public func contains(_ name: String) -> Bool { value(name) != nil }

    /// Whether it is said that there is to be none: JSON's `null` or an empty text, and not that nothing is said.
    public func clears(_ name: String) -> Bool {
        guard let value = values[name] else { return false }
        return value.isNull || value.scalar == ""
    }

    /// The names that have values, in alphabetical order.
    public var names: [String] { values.filter { !$0.value.isNull }.keys.sorted() }

    /// `limit`, `max_id`, `since_id`, `min_id`: a limit above `maximum` is clamped, a bad cursor is a 400.
    public func page(default: Int, maximum: Int) throws -> Page {
        var limit = `default`
        if let asked = try integer("limit") {
            guard asked > 0 else { throw Problem.badRequest("limit") }
            limit = Int(min(asked, Int64(maximum)))
        }
        return Page(
            before: try cursor("max_id"),
            since: try cursor("since_id"),
            after: try cursor("min_id"),
            limit: limit
        )
    }

    /// `max_id` and its like: an id; a bad one is a 400.
    public func cursor(_ name: String) throws -> Int64? {
        guard let value = value(name) else { return nil }
        guard let id = value.scalar.flatMap({ ID<Kind.Post>($0) }), id.rawValue >= 0 else {
            throw Problem.badRequest(name)
        }
        return id.rawValue
    }

    private func value(_ name: String) -> ParameterValue? {
        guard let value = values[name], !value.isNull else { return nil }
        return value
    }

    /// The elements of an array, or of members that are numbered.
    private func elements(of value: ParameterValue) -> [ParameterValue]? {
        switch value {
        case .list(let elements): return elements
        case .members(let members):
            let numbered = members.values.compactMap { key, value in UInt32(key).map { (number: $0, value: value) } }
            guard numbered.count == members.values.count else { return nil }
            return numbered.sorted { $0.number < $1.number }.map(\.value)
        case .file: return nil
        case .null, .boolean, .number, .text: return nil
        }
    }

    private func wholeNumber(_ text: String) -> Int64? {
        if let number = Int64(text) { return number }
        // JSON may write 5 as 5.0 or 5e0; beyond 2^53 such a number is not exact.
        guard text.utf8.count <= 32, text.utf8.contains(where: { $0 == 0x2E || $0 == 0x65 || $0 == 0x45 }),
            let double = Double(text), double.magnitude <= 9_007_199_254_740_992
        else { return nil }
        return Int64(exactly: double)
    }

    // MARK: Building

    public init() {}

    /// The members of a JSON object, as `Request.parameters` reads them.
    public init(json: some Sequence<UInt8>) throws { self = try JSONReader.parameters(Array(json)) }

    init(_ values: [String: ParameterValue]) { self.values = values }

    mutating func set(_ name: String, _ value: ParameterValue) { values[name] = value }

    mutating func replace(with other: Parameters) { values.merge(other.values) { $1 } }

    /// Puts `value` where a form's name such as `a[b][]` says.
    mutating func insert(_ value: ParameterValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        values[name] = Parameters.inserting(value, at: path.dropFirst(), into: values[name])
    }

    private static func inserting(
        _ value: ParameterValue,
        at path: ArraySlice<String>,
        into existing: ParameterValue?
    ) -> ParameterValue {
        guard let name = path.first else { return value }
        guard name.isEmpty else {
            var members = Parameters()
            if case .members(let present) = existing { members = present }
            members.insert(value, at: path)
            return .members(members)
        }
        var elements: [ParameterValue] = []
        if case .list(let present) = existing { elements = present }
        let rest = path.dropFirst()
        // `a[][b]=1&a[][c]=2` fills one element until a name comes again.
        if let key = rest.first, case .members(let last) = elements.last, last.values[key] == nil {
            elements[elements.count - 1] = inserting(value, at: rest, into: .members(last))
        } else {
            elements.append(inserting(value, at: rest, into: nil))
        }
        return .list(elements)
    }
}
