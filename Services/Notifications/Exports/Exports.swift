// SPDX-License-Identifier: Apache-2.0
// What notifications hands over of somebody who asks for everything that is theirs.

import Domain
import Events
import Outbox

enum Exports {
    /// The names of files and their order stay as they are: an archive may be under way from one release to the next.
    static let part = ExportPart([
        .object(
            "notifications/devices.json",
            ExportWords(
                en: "The devices that are pushed to, without their keys.",
                ko: "푸시 알림을 받는 기기. 키는 빼고 담습니다.",
                ja: "プッシュ通知を受け取る端末。鍵は含みません。"
            )
        ) { try await ExportedStore.devices(of: $0, in: $1) },
        .object(
            "notifications/preferences.json",
            ExportWords(
                en: "What you want to be told of, and when.",
                ko: "알림 설정.",
                ja: "通知の設定。"
            )
        ) { try await ExportedStore.preferences(of: $0, in: $1) },
        .object(
            "notifications/markers.json",
            ExportWords(en: "How far you have read.", ko: "읽은 위치.", ja: "どこまで読んだか。")
        ) { try await ExportedStore.markers(of: $0, in: $1) },
        .list(
            "notifications/notifications.json",
            ExportWords(en: "Your notifications.", ko: "받은 알림.", ja: "届いた通知。")
        ) { try await ExportedStore.notifications.texts($0, in: $1) },
    ])
}
