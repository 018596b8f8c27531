// SPDX-License-Identifier: Apache-2.0
// `auth admin block | unblock | block-domain | unblock-domain | blocked | publish`: what may not be written here, and what people agree to.

import Domain
import Events
import Foundation
import Logging
import Outbox
import Postgres
import ServiceKit
import Serving
import Web

enum RuleCommands {
    enum Failure: Error, CustomStringConvertible {
        case usage
        case refused(String)
        case unreadable(String)

        var description: String {
            switch self {
            case .usage:
                """
                usage: auth admin block WORD [--report] [--digits] | admin unblock WORD \
                | admin block-domain DOMAIN mail|links | admin unblock-domain DOMAIN mail|links | admin blocked \
                | admin publish rules|privacy|terms en|ko|ja=FILE… [--from YYYY-MM-DD] [--agree-within DAYS]
                """
            case .refused(let why): why
            case .unreadable(let file): "\(file.escaped()) cannot be read as UTF-8"
            }
        }
    }

    static let verbs = ["block", "unblock", "block-domain", "unblock-domain", "blocked", "publish"]

    static func run(_ config: Config, _ logger: Logger, _ arguments: [String]) async throws {
        let work = try work(arguments)
        let lines = try await OperatorCommand.run(config, logger: logger) { database, ids in
            let audit = Audit(
                actor: "operator \(operatorName())",
                database: database,
                ids: ids,
                now: Timestamp.now,
                logger: logger
            )
            let blocks = Blocks(database: database, ids: ids, now: Timestamp.now, audit: audit)
            do { return try await perform(work, blocks) } catch let error as any ProblemConvertible {
                throw Failure.refused(error.problem.text(in: .english))
            }
        }
        for line in lines { print(line) }
    }

    enum Work: Sendable {
        case block(Blocks.Wish)
        case unblock(String)
        case blockDomain(String, DomainUse)
        case unblockDomain(String, DomainUse)
        case list
        case publish(Document.Draft)
    }

    /// What the arguments ask for; files are read here.
    static func work(_ arguments: [String], today: Day = Day(.now())) throws -> Work {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "block":
            guard let word = rest.first, rest.dropFirst().allSatisfy({ ["--report", "--digits"].contains($0) }) else {
                throw Failure.usage
            }
            do {
                return .block(
                    try Blocks.Wish(
                        text: word,
                        action: rest.contains("--report") ? .report : .refuse,
                        seesThroughDigits: rest.contains("--digits")
                    )
                )
            } catch { throw Failure.refused("\(word.escaped()) can never be found: 1 to 64 letters are looked for") }
        case "unblock" where rest.count == 1: return .unblock(rest[0].visibleLine)
        case "block-domain" where rest.count == 2, "unblock-domain" where rest.count == 2:
            guard let use = DomainUse(rawValue: rest[1]) else { throw Failure.usage }
            return arguments.first == "block-domain" ? .blockDomain(rest[0], use) : .unblockDomain(rest[0], use)
        case "blocked" where rest.isEmpty: return .list
        case "publish": return .publish(try draft(rest, today: today))
        default: throw Failure.usage
        }
    }

    private static func draft(_ arguments: [String], today: Day) throws -> Document.Draft {
        guard let kind = arguments.first.flatMap(DocumentKind.init(rawValue:)) else { throw Failure.usage }
        var texts: [Language: String] = [:]
        var (effective, grace) = (today, Int64?.none)
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--from":
                guard let day = rest.popFirst().flatMap({ Day($0) }) else { throw Failure.usage }
                effective = day
            case "--agree-within":
                guard let days = rest.popFirst().flatMap({ Int64($0) }) else { throw Failure.usage }
                grace = days
            default:
                let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let language = Language(rawValue: parts[0]) else { throw Failure.usage }
                guard let text = try? String(contentsOfFile: parts[1], encoding: .utf8) else {
                    throw Failure.unreadable(parts[1])
                }
                texts[language] = text
            }
        }
        do {
            return try Document.Draft(kind: kind, texts: texts, effective: effective, graceDays: grace, today: today)
        } catch let problem as Problem {
            throw Failure.refused(problem.text(in: .english))
        }
    }

    static func perform(_ work: Work, _ blocks: Blocks) async throws -> [String] {
        switch work {
        case .block(let wish):
            let changed = try await blocks.block(wish)
            return ["\(changed.termID) \(wish.action.rawValue) \(wish.text.escaped())"]
        case .unblock(let word):
            let isGone = try await blocks.unblock { try await BlockedTermStore.find(word, in: $0) }
            return [isGone ? "\(word.escaped()) is blocked no more" : "\(word.escaped()) was not blocked"]
        case .blockDomain(let domain, let use):
            let changed = try await blocks.block(domain, for: use)
            return ["\(changed.domainID) \(changed.domain) is blocked for \(use.rawValue)"]
        case .unblockDomain(let text, let use):
            guard let domain = HostName(text) else { throw Blocks.Refusal.noDomain }
            let isGone = try await blocks.unblock(for: use) { try await BlockedDomainStore.find(domain, in: $0) }
            return [
                "\(domain) \(isGone ? "is blocked for \(use.rawValue) no more" : "was not blocked for \(use.rawValue)")"
            ]
        case .list: return try await list(blocks)
        case .publish(let draft):
            let document = try await PublishDocument(
                database: blocks.database,
                ids: blocks.ids,
                now: blocks.now,
                audit: blocks.audit
            ).run(draft)
            return ["\(document.kind.rawValue) version \(document.version) takes effect on \(document.effective)"]
        }
    }

    private static func list(_ blocks: Blocks) async throws -> [String] {
        let terms = try await BlockedTermStore.list(after: 0, limit: blocks.most, in: blocks.database)
        let domains = try await BlockedDomainStore.list(after: 0, limit: blocks.most, in: blocks.database)
        return terms.map { term in
            let digits = term.term.seesThroughDigits ? " digits" : ""
            return "\(term.term.id) \(term.term.action.rawValue)\(digits) \(term.term.text.escaped())"
        }
            + domains.map { domain in
                let uses = [domain.domain.blocksMail ? "mail" : nil, domain.domain.blocksLinks ? "links" : nil]
                return "\(domain.id) \(uses.compactMap(\.self).joined(separator: "+")) \(domain.domain.name)"
            }
    }
}
