// SPDX-License-Identifier: Apache-2.0
// What somebody is told who may not do something with a project that they see.

import Domain
import HTTPTypes
import Web

extension Problem {
    /// The project is not in a state in which this can be done.
    static let projectState = own(
        .conflict("project-state"),
        "This cannot be done with the project as it is now",
        "지금 프로젝트 상태에서는 할 수 없습니다",
        "プロジェクトの現在の状態ではできません"
    )

    static let deadlinePassed = own(
        .invalid("deadline", "invalid"),
        "The deadline has passed; choose a later one or none",
        "마감일이 지났습니다. 이후 날짜로 바꾸거나 비워 주세요",
        "締め切りが過ぎています。後の日時にするか、空にしてください"
    )

    static let noRoles = own(
        .invalid("roles", "blank"),
        "A project that looks for people needs at least one role",
        "모집하려면 역할이 하나 이상 있어야 합니다",
        "募集するには役割が1つ以上必要です"
    )

    /// Somebody is in the role, or wants to be.
    static let roleInUse = own(
        .conflict("role-in-use"),
        "Somebody is in this role or has applied for it",
        "이 역할에 멤버나 지원자가 있습니다",
        "この役割にはメンバーまたは応募者がいます"
    )

    static let roleFilled = own(
        .conflict("role-filled"),
        "Nobody more is wanted for this role",
        "이 역할은 모집이 끝났습니다",
        "この役割の募集は終わりました"
    )

    static let alreadyMember = own(
        .conflict("already-member"),
        "Already a member of this project",
        "이미 프로젝트 멤버입니다",
        "すでにプロジェクトのメンバーです"
    )

    static let alreadyApplied = own(
        .conflict("already-applied"),
        "An application to this project is open",
        "이미 지원했습니다",
        "すでに応募しています"
    )

    static let applicationDecided = own(
        .conflict("application-decided"),
        "This application is not open any more",
        "이미 처리된 지원입니다",
        "この応募はすでに処理されています"
    )

    static let leaderMustTransfer = own(
        .conflict("leader-must-transfer"),
        "Make somebody else the leader first",
        "먼저 다른 멤버에게 리더를 넘겨 주세요",
        "先にほかのメンバーにリーダーを譲ってください"
    )

    static let tooManyAttempts = own(
        .conflict("too-many-applications"),
        "You have applied to this project as often as you may",
        "이 프로젝트에는 더 이상 지원할 수 없습니다",
        "このプロジェクトにはこれ以上応募できません"
    )

    static let tooManyProjects = own(
        .conflict("too-many-projects"),
        "A leader has as many unfinished projects as there may be",
        "진행 중인 프로젝트를 더 이상 만들 수 없습니다",
        "進行中のプロジェクトをこれ以上作成できません"
    )

    private static func own(_ problem: Problem, _ en: String, _ ko: String, _ ja: String) -> Problem {
        var problem = problem
        problem.detail = [.english: en, .korean: ko, .japanese: ja]
        return problem
    }
}
