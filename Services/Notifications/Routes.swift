// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of notifications.

import Surface
package import Web

/// Every endpoint of notifications, each with its command.
package enum Routes {
    package static let all: [Route<Dependencies>] =
        Route.all(NotificationEndpoint.self, run) + Route.all(DeviceEndpoint.self, run)

    private static func run(_ endpoint: NotificationEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listNotifications: ListNotifications.run
        case .countUnread: CountUnread.run
        case .clearNotifications: ClearNotifications.run
        case .showNotification: ShowNotification.run
        case .dismissNotification: DismissNotification.run
        case .readMarkers: ReadMarkers.run
        case .saveMarkers: SaveMarkers.run
        }
    }

    private static func run(_ endpoint: DeviceEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .registerDevice: RegisterDevice.run
        case .listDevices: ListDevices.run
        case .removeDevice: RemoveDevice.run
        case .listDeliveries: ListDeliveries.run
        case .showPushPreferences: ShowPushPreferences.run
        case .savePushPreferences: SavePushPreferences.run
        case .showSubscription: ShowSubscription.run
        case .subscribe: Subscribe.run
        case .changeSubscription: ChangeSubscription.run
        case .unsubscribe: Unsubscribe.run
        }
    }
}
