// SPDX-License-Identifier: Apache-2.0
// Who may do what, spelled out once more.

import Events
import Testing

@testable import ChatService

@Suite struct GroundPermissionTests {
    /// Outsider, member, admin, owner.
    private static let roles: [ChatRole?] = [nil, .member, .admin, .owner]

    @Test func inAPlayground() {
        let table: [Permission.PlaygroundAct: String] = [
            .look: "-mao", .createPublicChannel: "-mao", .createPrivateChannel: "--ao", .edit: "--ao",
            .invite: "--ao", .removeMember: "--ao", .ban: "--ao", .changeRole: "---o", .transfer: "---o",
            .delete: "---o",
        ]
        for act in Permission.PlaygroundAct.allCases {
            let marks = zip("-mao", GroundPermissionTests.roles).map { Permission.allows(act, $1) ? $0 : "-" }
            #expect(String(marks) == table[act], "\(act)")
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
            for role in GroundPermissionTests.roles {
                for outer in GroundPermissionTests.roles {
                    let expected = role != nil || (type == .public && outer != nil)
                    #expect(Permission.sees(type, role: role, playgroundRole: outer) == expected)
                }
            }
        }
    }

    /// What one is in the channel, then what one is in the playground, then what one may do.
    @Test func inAChannel() {
        let everything = Set(Permission.ChannelAct.allCases)
        let asAdmin: Set<Permission.ChannelAct> = [.join, .leave, .invite, .edit, .archive, .removeMember]
        let asMember: Set<Permission.ChannelAct> = [.join, .leave, .invite]
        let table: [(ChannelType, ChatRole?, ChatRole?, Set<Permission.ChannelAct>)] = [
            (.public, nil, nil, []), (.public, nil, .member, [.join, .leave]), (.public, nil, .admin, asAdmin),
            (.public, nil, .owner, everything), (.public, .member, .member, asMember),
            (.public, .member, .admin, asAdmin), (.public, .member, .owner, everything),
            (.public, .admin, .member, asAdmin), (.public, .admin, .admin, asAdmin),
            (.public, .admin, .owner, everything), (.public, .owner, .member, everything),
            (.public, .owner, .admin, everything), (.public, .owner, .owner, everything),
            (.private, nil, nil, []), (.private, nil, .member, []), (.private, nil, .admin, []),
            (.private, nil, .owner, []), (.private, .member, .member, asMember), (.private, .member, .admin, asMember),
            (.private, .member, .owner, asMember), (.private, .admin, .member, asAdmin),
            (.private, .admin, .owner, asAdmin), (.private, .owner, .member, everything),
            (.private, .owner, .owner, everything), (.direct, .member, nil, []), (.group, .member, .owner, []),
            (.group, .owner, .owner, []),
        ]
        for (type, role, outer, expected) in table {
            let allowed = Permission.ChannelAct.allCases.filter {
                Permission.allows($0, in: type, role: role, playgroundRole: outer)
            }
            let name = "\(type) \(String(describing: role)) \(String(describing: outer))"
            #expect(Set(allowed) == expected, "\(name)")
        }
    }
}
