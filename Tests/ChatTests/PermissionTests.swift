// SPDX-License-Identifier: Apache-2.0
// Who may do what, spelled out once more.

import Domain
import Events
import Testing

@testable import ChatService

@Suite struct PermissionTests {
    /// Outsider, member, admin, owner.
    private static let roles: [ChatRole?] = [nil, .member, .admin, .owner]

    @Test func inAPlayground() {
        let table: [Permission.PlaygroundAct: String] = [
            .see: "-mao", .look: "-mao", .createPublicChannel: "-mao", .createPrivateChannel: "--ao", .edit: "--ao",
            .invite: "--ao", .removeMember: "--ao", .ban: "--ao", .changeRole: "---o", .transfer: "---o",
            .delete: "---o",
        ]
        for act in Permission.PlaygroundAct.allCases {
            let marks = zip("-mao", PermissionTests.roles).map {
                Permission.refusal(act, $1) == nil ? $0 : "-"
            }
            #expect(String(marks) == table[act], "\(act)")
            // Who is in it may know of it; an open one anybody.
            #expect(Permission.refusal(act, nil) == .unseen)
            #expect(Permission.refusal(act, nil, isOpen: true) == (act == .see ? nil : .forbidden))
        }
    }

    @Test func overOthers() {
        let order: [ChatRole] = [.member, .admin, .owner]
        for (above, actor) in order.enumerated() {
            for (below, target) in order.enumerated() {
                #expect(Permission.outranks(actor, target) == (above > below), "\(actor) over \(target)")
            }
        }
    }

    @Test func whoSeesAChannel() {
        for type in ChannelType.allCases {
            for role in PermissionTests.roles {
                for outer in PermissionTests.roles {
                    let expected = role != nil || (type == .public && outer != nil)
                    let ties = ChannelTies(type: type, role: role, playgroundRole: outer)
                    #expect(Permission.sees(ties) == expected)
                    #expect((Permission.refusal(.see, ties) == .unseen) == !expected)
                }
            }
        }
    }

    /// What one is in the channel, then what one is in the playground, then what one may do besides seeing it and, as a
    /// member, choosing what notifies.
    @Test func inAChannel() {
        let asAdmin: Set<Permission.ChannelAct> = [.join, .leave, .invite, .edit, .archive, .removeMember]
        let asMember: Set<Permission.ChannelAct> = [.join, .leave, .invite]
        let asOwner = asAdmin.union([.changeRole, .transfer, .delete])
        let table: [(ChannelType, ChatRole?, ChatRole?, Set<Permission.ChannelAct>)] = [
            (.public, nil, nil, []), (.public, nil, .member, [.join, .leave]), (.public, nil, .admin, asAdmin),
            (.public, nil, .owner, asOwner), (.public, .member, .member, asMember),
            (.public, .member, .admin, asAdmin.union([.hide])), (.public, .member, .owner, asOwner.union([.hide])),
            (.public, .admin, .member, asAdmin), (.public, .admin, .admin, asAdmin.union([.hide])),
            (.public, .admin, .owner, asOwner.union([.hide])), (.public, .owner, .member, asOwner),
            (.public, .owner, .admin, asOwner.union([.hide])), (.public, .owner, .owner, asOwner.union([.hide])),
            (.private, nil, nil, []), (.private, nil, .member, []), (.private, nil, .admin, []),
            (.private, nil, .owner, []), (.private, .member, .member, asMember),
            (.private, .member, .admin, asMember.union([.hide])), (.private, .member, .owner, asMember.union([.hide])),
            (.private, .admin, .member, asAdmin), (.private, .admin, .owner, asAdmin.union([.hide])),
            (.private, .owner, .member, asOwner), (.private, .owner, .owner, asOwner.union([.hide])),
            (.direct, .member, nil, []), (.group, nil, .owner, []), (.group, .member, .owner, [.leave]),
            (.group, .member, nil, [.leave]),
        ]
        for (type, role, outer, expected) in table {
            let ties = ChannelTies(type: type, role: role, playgroundRole: outer)
            let allowed = Permission.ChannelAct.allCases.filter { Permission.refusal($0, ties) == nil }
            var all = expected
            if Permission.sees(ties) { all.insert(.see) }
            if role != nil { all.insert(.mute) }
            let name = "\(type) \(String(describing: role)) \(String(describing: outer))"
            #expect(Set(allowed) == all, "\(name)")
            // What one may not do in a channel that one sees is no secret.
            if Permission.sees(ties) {
                let refusals = Set(Permission.ChannelAct.allCases.compactMap { Permission.refusal($0, ties) })
                #expect(refusals.isSubset(of: role == nil ? [.forbidden, .notMember] : [.forbidden]), "\(name)")
            } else {
                #expect(
                    Permission.ChannelAct.allCases.allSatisfy { Permission.refusal($0, ties) == .unseen },
                    "\(name)"
                )
            }
        }
    }

    /// What keeps somebody from taking part, and then from speaking; what comes first is told.
    @Test func inWhatIsSaid() {
        func refusals(
            _ type: ChannelType = .public,
            _ role: ChatRole? = .member,
            in outer: ChatRole? = .member,
            isRequested: Bool = false,
            isBlocked: Bool = false,
            isArchived: Bool = false
        ) -> [Permission.Refusal?] {
            let moment = Timestamp(milliseconds: 0)
            let access = ChannelAccess(
                channel: ChannelSnapshot(
                    id: ChannelID(1),
                    type: type,
                    playgroundID: nil,
                    name: "",
                    description: "",
                    ownerID: nil,
                    archivedAt: isArchived ? moment : nil,
                    createdAt: moment,
                    version: 0
                ),
                isRequested: isRequested,
                ties: ChannelTies(type: type, role: role, playgroundRole: outer),
                isBlocked: isBlocked
            )
            return Permission.MessageAct.allCases.map { Permission.refusal($0, access) }
        }
        #expect(Permission.MessageAct.allCases == [.takePart, .speak, .moderate])
        #expect(refusals() == [nil, nil, .forbidden])
        #expect(refusals(.public, nil) == [.notMember, .notMember, .forbidden])
        #expect(refusals(.public, nil, in: .admin) == [.notMember, .notMember, nil])
        #expect(refusals(.private, .admin) == [nil, nil, nil])
        #expect(refusals(.private, .member, in: .owner) == [nil, nil, nil])
        #expect(refusals(isArchived: true) == [nil, .archived, .forbidden])
        #expect(
            refusals(.direct, .member, in: nil, isRequested: true, isBlocked: true)
                == [.notAccepted, .notAccepted, .forbidden]
        )
        #expect(refusals(.direct, .member, in: nil, isBlocked: true, isArchived: true) == [nil, .blocked, .forbidden])
        #expect(refusals(.group, .owner, in: .owner) == [nil, nil, .forbidden])
    }
}
