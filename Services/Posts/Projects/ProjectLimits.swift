// SPDX-License-Identifier: Apache-2.0
// How much is allowed of projects and applications.

/// Lengths are in code points, as `Parameters.text` counts them.
struct ProjectLimits: Sendable {
    /// As long as the name of a playground, which it becomes.
    var title = 80
    var summary = 200
    /// Characters of the text, by the rule of posts: a link counts 23.
    var text = 5000
    /// Of the text however it is counted.
    var textScalars = 12_000
    /// Of the text in JSON, as an event carries it.
    var textBytes = 20_000
    var category = 30
    var place = 40
    var frequency = 60
    /// Of an address.
    var contact = 300
    /// Tags that the leader gives.
    var labels = 10
    /// Tags of a project in all; of many in the text the first.
    var tags = 20
    /// Of a tag.
    var tag = 60
    /// Accounts that summary and text name; of many the first. They fit one event.
    var mentions = 50
    var roles = 10
    var roleName = 40
    /// People whom the roles of a project want together: with the leader, members fit one event.
    var wanted = 99
    var media = 10
    /// Projects of a leader that are not over.
    var unfinished = 50
    /// Times that somebody may apply to one project.
    var attempts = 10
    /// Of an application.
    var message = 1000
    /// Of the leader's answer.
    var note = 500
    /// Earlier forms that are kept.
    var edits = 20
    /// People who hear of one change, and of one deadline.
    var told = 1000
    /// Rows of the board that one request looks at, whether or not they match.
    var reach = 1000
    /// How long before its deadline people are reminded.
    var notice = Duration.seconds(24 * 3600)
}
