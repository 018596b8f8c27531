// SPDX-License-Identifier: Apache-2.0
// Channels of playgrounds and their members.

import Surface
import Web

extension Routes {
    static let channels: [Route<Dependencies>] = Route.all(ChannelEndpoint.self, run)

    private static func run(_ endpoint: ChannelEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listChannels: ListChannels.run
        case .createChannel: CreateChannel.run
        case .getChannel: GetChannel.run
        case .editChannel: EditChannel.run
        case .deleteChannel: DeleteChannel.run
        case .archiveChannel: ArchiveChannel.run
        case .unarchiveChannel: UnarchiveChannel.run
        case .joinChannel: JoinChannel.run
        case .leaveChannel: LeaveChannel.run
        case .listChannelMembers: ListChannelMembers.run
        case .inviteToChannel: InviteToChannel.run
        case .setChannelRole: SetChannelRole.run
        case .removeChannelMember: RemoveChannelMember.run
        case .transferChannel: TransferChannel.run
        case .setChannelNotifications: SetChannelNotifications.run
        }
    }
}
