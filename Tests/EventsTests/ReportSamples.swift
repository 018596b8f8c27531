// SPDX-License-Identifier: Apache-2.0
// Samples of what is told of reports and appeals.

import Domain
import Events

extension Samples {
    private static let moment = Timestamp(milliseconds: 1_767_323_100_000)
    private static let report = ReportID(110_000_000_000_000_062)
    private static let decision = DecisionID(110_000_000_000_000_061)

    private static func snapshot(_ full: Bool) -> ThingSnapshot {
        ThingSnapshot(
            title: full ? "마당" : nil,
            text: "욕설",
            warning: full ? "주의" : nil,
            mediaIDs: full ? [MediaID(110_000_000_000_000_031)] : [],
            placeID: full ? "110000000000000022" : nil,
            createdAt: moment
        )
    }

    static func reports(by reporter: AccountSnapshot, of target: AccountSnapshot, _ full: Bool) -> [any Event] {
        [
            ThingReported(
                reportID: report,
                reporterID: full ? reporter.id : nil,
                things: [Thing(kind: .message, id: "110000000000000023")]
            ),
            ReportFiled(
                report: ReportSnapshot(
                    id: report,
                    category: "spam",
                    comment: full ? "광고입니다" : "",
                    postIDs: full ? [PostID(110_000_000_000_000_007)] : [],
                    ruleIDs: full ? ["1"] : [],
                    createdAt: moment
                ),
                reporter: full ? reporter : nil,
                target: target
            ),
            AppealMade(decisionID: decision, accountID: target.id, madeAt: moment),
            AppealDecided(decisionID: decision, accountID: target.id, isAccepted: true, decidedAt: moment),
        ]
    }

    static func toldThing<Owner: EventName>(
        _ kind: ThingKind,
        of author: AccountID,
        _ full: Bool
    ) -> ReportedThingTold<Owner> {
        ReportedThingTold(
            reportID: report,
            thing: Thing(kind: kind, id: "110000000000000023"),
            authorID: full ? author : nil,
            snapshot: full ? snapshot(full) : nil
        )
    }
}
