// SPDX-License-Identifier: Apache-2.0
// Makes of an entry what a device is sent.

import Domain
import Events
import Foundation
import Views

/// Makes of an entry what a device is sent, so small that every provider takes it.
struct BuildPush {
    let site: Site

    /// Bytes of words and data as JSON: providers take 4,096 with what they need around them.
    static let room = 3500
    /// Bytes that one record of RFC 8188 holds in a message of 4,096 (RFC 8291, section 4), less a little.
    static let webRoom = 3900

    /// - Parameter row: nil for the number alone.
    /// - Returns: nil for a device that has no address.
    func push(_ delivery: WaitingDelivery, _ row: NotificationRow?, badge: Int, for recipient: Recipient) -> Push? {
        guard let address = recipient.device.pushAddress else { return nil }
        return Push(
            id: delivery.push,
            address: address,
            content: row.map { .alert(alert($0, badge: badge, as: delivery.push, for: recipient)) } ?? .badge(badge),
            collapseKey: delivery.collapseKey,
            expiresAt: Date(timeIntervalSince1970: Double(delivery.expiresAt.milliseconds) / 1000)
        )
    }

    func alert(_ row: NotificationRow, badge: Int, as push: UUID, for recipient: Recipient) -> PushAlert {
        let device = recipient.device
        let say = SayWhatHappened(language: device.language, preview: recipient.preview, site: site)
        var text = say.text(of: row, for: device.account)
        let data = data(of: row, preview: recipient.preview)
        var webPayload: [UInt8]?
        if device.address.platform == .web {
            webPayload = BuildPush.fit(&text, BuildPush.webRoom) {
                web(row, $0, data, badge: badge, as: push, for: recipient)
            }
        } else {
            _ = BuildPush.fit(&text, BuildPush.room) { BuildPush.measured($0, data) }
        }
        return PushAlert(
            title: text.title,
            body: text.body,
            badge: badge,
            thread: row.message.map { "channel-\($0.channelID)" } ?? row.post.map { "post-\($0.id)" }
                ?? row.project.map { "project-\($0.id)" },
            data: data,
            isMutable: device.isMutable,
            isUrgent: row.kind.isUrgent,
            webPayload: webPayload.map { Data($0) }
        )
    }

    /// What a tap opens: `kind`, and `id` and `url` of the thing, whatever it is and however little is to be seen; strings
    /// only, as Firebase has them.
    private func data(of row: NotificationRow, preview: Preview) -> [String: String] {
        var data = ["kind": row.kind.rawValue, "notification_id": "\(row.id)"]
        if let message = row.message {
            data["id"] = "\(message.channelID)"
            data["channel_id"] = "\(message.channelID)"
            data["channel_type"] = message.channelType
            data["message_id"] = "\(message.id)"
            data["playground_id"] = message.playgroundID.map { "\($0)" }
            data["url"] = "\(site.origin)/channels/\(message.channelID)"
        } else if let post = row.post, let author = row.author {
            data["id"] = "\(post.id)"
            data["url"] = site.post(post.id, by: author.username)
        } else if let project = row.project {
            data["id"] = "\(project.id)"
            data["application_id"] = row.application.map { "\($0.id)" }
            data["url"] = "\(site.origin)/projects/\(project.id)"
        } else if let report = row.report {
            data["id"] = "\(report.report.id)"
            data["url"] = "\(site.origin)/reports/\(report.report.id)"
        } else if let decision = row.decision {
            data["id"] = "\(decision.decisionID)"
            data["url"] = "\(site.origin)/decisions/\(decision.decisionID)"
        } else if preview != .none {
            data["id"] = "\(row.actor.id)"
            data["url"] = site.profile(row.actor.username)
        } else {
            // Of an account alone that would say who it was: a tap opens the notification.
            data["id"] = "\(row.id)"
            data["url"] = "\(site.origin)/notifications/\(row.id)"
        }
        if preview != .none { data["account_id"] = "\(row.actor.id)" }
        return data
    }

    /// The payload that Mastodon's apps and its web client read, with ours beside it.
    ///
    /// `access_token` is empty: no service of ours keeps a token that one could sign in with.
    private func web(
        _ row: NotificationRow,
        _ text: PushText,
        _ data: [String: String],
        badge: Int,
        as push: UUID,
        for recipient: Recipient
    ) -> [UInt8] {
        let isOpen = recipient.preview != .none
        return JSONWriter.object { json in
            json.member("access_token", "")
            json.member("push_id", push.uuidString.lowercased())
            json.member("preferred_locale", recipient.device.language.rawValue)
            // A number, as Mastodon has it.
            json.member("notification_id", row.id.rawValue)
            json.member("notification_type", row.kind.rawValue)
            json.member("icon", site.avatar(isOpen ? row.actor.extras?.avatar?.file : nil))
            json.member("title", text.title)
            json.member("body", text.body)
            json.member("badge", badge)
            json.object("data") { BuildPush.write(data, to: &$0) }
        }
    }

    private static func measured(_ text: PushText, _ data: [String: String]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("title", text.title)
            json.member("body", text.body)
            json.object("data") { write(data, to: &$0) }
        }
    }

    private static func write(_ data: [String: String], to json: inout JSONWriter) {
        for (name, value) in data.sorted(by: { $0.key < $1.key }) {
            json.dynamicName(name)
            json.string(value)
        }
    }

    /// Cuts the body, and then the title, between characters as people see them until what `write` makes of them has room.
    static func fit(_ text: inout PushText, _ room: Int, _ write: (PushText) -> [UInt8]) -> [UInt8] {
        var bytes = write(text)
        for part in [\PushText.body, \PushText.title] where bytes.count > room {
            let whole = text[keyPath: part]
            // The longest beginning that has room: halving finds it.
            var (fits, tooLong) = (0, whole.count)
            while fits < tooLong {
                let length = (fits + tooLong + 1) / 2
                text[keyPath: part] = whole.prefix(length).trimmed + "…"
                if write(text).count <= room { fits = length } else { tooLong = length - 1 }
            }
            text[keyPath: part] = fits == 0 ? "" : whole.prefix(fits).trimmed + "…"
            bytes = write(text)
        }
        return bytes
    }
}

extension NotificationKind {
    /// Whether somebody waits for an answer; what only pleases may wait until the device is awake.
    var isUrgent: Bool {
        switch self {
        case .mention, .followRequest, .chatMention, .directMessage, .channelMessage, .projectMention,
            .projectApplication, .projectAccepted, .projectDeclined, .projectDeadline, .adminReport,
            .moderationWarning:
            true
        case .status, .favourite, .reblog, .update, .follow, .projectWithdrawn, .projectUpdate: false
        }
    }
}
