// SPDX-License-Identifier: Apache-2.0
// What somebody is told who may not do something in a channel that they see.

import Domain
import HTTPTypes
import Web

extension Problem {
    /// One of two people wants nothing to do with the other.
    static var blocked: Problem {
        Problem(
            .forbidden,
            "blocked",
            detail: [
                .english: "You cannot write to this person.",
                .korean: "이 사람에게는 메시지를 보낼 수 없습니다.",
                .japanese: "この相手にはメッセージを送れません。",
            ]
        )
    }

    static var notAccepted: Problem {
        Problem(
            .forbidden,
            "not-accepted",
            detail: [
                .english: "Accept this request first.",
                .korean: "먼저 요청을 수락하세요.",
                .japanese: "先にリクエストを承認してください。",
            ]
        )
    }

    static var uploadsNotAvailable: Problem {
        Problem(
            .unprocessableContent,
            "uploads-not-available",
            detail: [
                .english: "This server does not take files with a message yet.",
                .korean: "이 서버는 아직 메시지와 함께 파일을 받지 않습니다.",
                .japanese: "このサーバーはまだメッセージと一緒にファイルを受け取れません。",
            ]
        )
    }

    static var reusedClientID: Problem {
        Problem(
            .conflict,
            "client-id-reused",
            detail: [
                .english: "This client_id was used for another message.",
                .korean: "이 client_id는 다른 메시지에 이미 쓰였습니다.",
                .japanese: "この client_id は別のメッセージに使われています。",
            ]
        )
    }
}
