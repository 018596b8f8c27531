// SPDX-License-Identifier: Apache-2.0
// What auth hands over of somebody who asks for everything that is theirs.

import Domain
import Events
import Outbox

enum Exports {
    /// The names of files and their order stay as they are: an archive may be under way from one release to the next.
    static let part = ExportPart(
        [
            .object(
                "account/account.json",
                ExportWords(
                    en: "Your account: username, address, language.",
                    ko: "계정: 사용자 이름, 이메일 주소, 언어.",
                    ja: "アカウント: ユーザー名、メールアドレス、言語。"
                )
            ) { try await ExportedStore.account($0, in: $1) },
            .list(
                "account/sessions.json",
                ExportWords(
                    en: "Where you are signed in, by app and device.",
                    ko: "로그인되어 있는 앱과 기기.",
                    ja: "ログイン中のアプリと端末。"
                )
            ) { try await ExportedStore.sessions.texts($0, in: $1) },
            .list(
                "account/identities.json",
                ExportWords(
                    en: "Accounts elsewhere with which you can sign in.",
                    ko: "로그인에 쓸 수 있게 연결한 다른 서비스의 계정.",
                    ja: "ログインに使える、連携済みの外部アカウント。"
                )
            ) { try await ExportedStore.identities.texts($0, in: $1) },
            .list(
                "account/audit.json",
                ExportWords(
                    en: "What was noted of signing in and of changes to your account.",
                    ko: "로그인과 계정 변경에 대해 남은 기록.",
                    ja: "ログインやアカウント変更についての記録。"
                )
            ) { try await ExportedStore.audit($0, in: $1) },
            .list(
                "account/consents.json",
                ExportWords(
                    en: "What you agreed to, which version and when.",
                    ko: "동의한 약관과 그 버전, 동의한 시각.",
                    ja: "同意した規約とその版、同意した日時。"
                )
            ) { try await ExportedStore.consents($0, in: $1) },
        ],
        reactions: [
            Reaction(to: ExportReady.self) { envelope, transaction in
                let ready = envelope.data
                try await transaction.send(.exportReady(expires: ready.expires), to: ready.accountID, at: envelope.time)
            }
        ]
    )
}
