// SPDX-License-Identifier: Apache-2.0
// Playgrounds, their members and the ways in.

import Surface
import Web

extension Routes {
    static let playgrounds: [Route<Dependencies>] = Route.all(PlaygroundEndpoint.self, run)

    private static func run(_ endpoint: PlaygroundEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listPlaygrounds: ListPlaygrounds.run
        case .createPlayground: CreatePlayground.run
        case .getPlayground: GetPlayground.run
        case .editPlayground: EditPlayground.run
        case .deletePlayground: DeletePlayground.run
        case .joinPlayground: JoinPlayground.run
        case .leavePlayground: LeavePlayground.run
        case .listPlaygroundMembers: ListPlaygroundMembers.run
        case .setPlaygroundRole: SetPlaygroundRole.run
        case .removePlaygroundMember: RemovePlaygroundMember.run
        case .transferPlayground: TransferPlayground.run
        case .listBans: ListBans.run
        case .banAccount: BanAccount.run
        case .unbanAccount: UnbanAccount.run
        case .listInvites: ListInvites.run
        case .createInvite: CreateInvite.run
        case .revokeInvite: RevokeInvite.run
        case .previewInvite: PreviewInvite.run
        case .acceptInvite: AcceptInvite.run
        }
    }
}
