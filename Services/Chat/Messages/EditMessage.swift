// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/messages/:id: the author changes what they said.

import Domain
import Events
import Postgres
import Web

/// Changes text and language of a message; the same again changes nothing.
enum EditMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let editor = try request.requireAccount().id
        let revision = try Message.Revision(request.parameters(), limits: dependencies.limits)
        let seen = try await SeenMessage.find(request.id(), viewer: editor, dependencies)
        let before = seen.message
        guard before.author.id == editor else { throw Problem.forbidden }
        try seen.access.require(.speak)
        guard before.deletedAt == nil else { throw Problem.notFound }
        guard !revision.text.isBlank || !before.attachmentIDs.isEmpty || before.gif != nil else {
            throw Problem.invalid("text", "blank")
        }
        if revision.text == before.text, revision.language == nil || revision.language == before.language {
            return .json(MessageView(message: before, site: dependencies.site))
        }
        let term = try await dependencies.transaction { work in
            try await work.countLinks(in: revision.text, insteadOf: before.text, by: editor)
            return try await work.check([revision.text])
        }
        let names = Message.Names(in: revision.text, site: dependencies.site)
        let edit = MessageChange.edit(revision, names, at: dependencies.now())
        let (after, isChanged) = try await ChangeMessage.apply(edit, to: before, dependencies) { after, work in
            try work.record(
                MessageEdited(message: after.snapshot(), author: seen.author, channel: seen.access.channel)
            )
            try work.flag(term, .message, before.id.description, of: editor)
        }
        guard isChanged else {
            try await SeenMessage.find(before.id, viewer: editor, dependencies).access.require(.speak)
            throw Problem.notFound
        }
        return .json(MessageView(message: after, site: dependencies.site))
    }
}
