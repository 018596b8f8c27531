// SPDX-License-Identifier: Apache-2.0
// What follows for a request from what somebody is in a channel or a playground.

import Domain
import Events
import HTTPTypes
import Web

extension SeenPlayground {
    /// Throws unless the asking person may do this: 404 when they may not even see the playground.
    ///
    /// - Returns: what they are in it.
    @discardableResult
    func require(_ act: Permission.PlaygroundAct) throws -> ChatRole {
        guard let role else { throw playground.isOpen ? Problem.forbidden : Problem.notFound }
        guard Permission.allows(act, role) else { throw Problem.forbidden }
        return role
    }
}

extension SeenChannel {
    /// Whether somebody may read it, and know that it is there.
    var isVisible: Bool {
        Permission.sees(channel.type, role: membership?.role, playgroundRole: playgroundRole)
    }

    /// What they count as in it.
    var rank: ChatRole? {
        Permission.rank(in: channel.type, role: membership?.role, playgroundRole: playgroundRole)
    }

    /// Throws 404 for a channel that one may not know of.
    func requireVisible() throws {
        guard isVisible else { throw Problem.notFound }
    }

    /// Throws unless the asking person is in it: 404 for a channel that one may not know of, otherwise 403.
    @discardableResult
    func requireMember() throws -> ChannelMembership {
        try requireVisible()
        guard let membership else { throw Problem.notMember }
        return membership
    }

    /// Throws unless somebody who is in it may write: as `requireMember`, and 409 once it is archived.
    @discardableResult
    func requireOpen() throws -> ChannelMembership {
        let membership = try requireMember()
        guard channel.archivedAt == nil else { throw Problem.archived }
        return membership
    }

    /// Throws unless the asking person may do this: 404 for a channel that one may not know of, otherwise 403.
    func require(_ act: Permission.ChannelAct) throws {
        try requireVisible()
        let isAllowed = Permission.allows(
            act,
            in: channel.type,
            role: membership?.role,
            playgroundRole: playgroundRole
        )
        guard isAllowed else { throw Problem.forbidden }
    }
}

extension Problem {
    static var notMember: Problem {
        own(
            Problem(.forbidden, "not-a-member"),
            "Only members of this channel may do this",
            "이 채널의 멤버만 할 수 있습니다",
            "このチャンネルのメンバーだけができます"
        )
    }

    static var archived: Problem {
        own(
            .conflict("archived"),
            "This channel is archived",
            "보관된 채널입니다",
            "このチャンネルはアーカイブされています"
        )
    }

    static var ownerMustTransfer: Problem {
        own(
            .conflict("owner-must-transfer"),
            "Make somebody else the owner first",
            "먼저 다른 사람에게 소유권을 넘겨 주세요",
            "先に所有権をほかの人に譲ってください"
        )
    }

    static var defaultChannel: Problem {
        own(
            .conflict("default-channel"),
            "Everybody in the playground is in this channel",
            "플레이그라운드의 모든 멤버가 참여하는 채널입니다",
            "プレイグラウンドの全員が参加するチャンネルです"
        )
    }

    static var banned: Problem {
        own(
            Problem(.forbidden, "banned"),
            "You cannot join this playground",
            "이 플레이그라운드에 참여할 수 없습니다",
            "このプレイグラウンドには参加できません"
        )
    }

    static var inviteExpired: Problem {
        own(
            Problem(.gone, "invite-expired"),
            "This invitation is no longer valid",
            "더 이상 유효하지 않은 초대입니다",
            "この招待は無効になりました"
        )
    }

    /// There are as many as there may be; `code` is such as `too-many-channels`.
    static func tooMany(_ code: String) -> Problem {
        own(
            .conflict(code),
            "There are as many as there may be",
            "더 이상 만들 수 없습니다",
            "これ以上は作成できません"
        )
    }

    private static func own(_ problem: Problem, _ en: String, _ ko: String, _ ja: String) -> Problem {
        var problem = problem
        problem.detail = [.english: en, .korean: ko, .japanese: ja]
        return problem
    }
}
