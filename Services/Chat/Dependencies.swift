// SPDX-License-Identifier: Apache-2.0
// What every command and query of chat works with.

import Calls
import Domain
import Logging
import Postgres
import Serving
import Web

/// Plain values, built once at the start and passed down.
struct Dependencies: Sendable {
    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let site: Site
    var limits = Limits()
    /// Makes the code of an invite, which nobody can guess.
    var inviteCode: @Sendable () -> String = InviteCode.random
    /// Accounts that have a row.
    let known = KnownAccounts()
    var kept = Kept()
    /// Who says what in a call of several.
    var principals: PrincipalVerifier?
    var logger = Logger(label: "chat")
    /// What may not be written here.
    var blocks = KeptBlockList()

    /// Messages that come at the same time share a transaction.
    let messages = CommandLanes<SendMessage.Command, SendMessage.Ending>()

    /// A number above every one given before: the version of a row.
    func nextNumber() -> Int64 { ids.number() }
}

/// How much is allowed. Lengths are in characters.
struct Limits: Sendable {
    /// Of a playground or a channel.
    var name = 80
    var description = 1000
    /// Playgrounds that one account may own.
    var ownedPlaygrounds = 100
    /// Channels of one playground.
    var channels = 1000
    /// People in a group of direct messages, the opener included.
    var group = 20
    /// Invites of one playground that are good at the same time.
    var invites = 100
    /// Uses of one invite.
    var inviteUses: Int64 = 100_000
    /// Seconds that an invite is good, at most.
    var inviteLifetime: Int64 = 366 * 24 * 3600
    /// Why somebody is banned.
    var reason = 500
    /// What is searched for.
    var query = 200
    /// People who are added to a channel at once.
    var added = 100
    /// Seconds that a channel is muted, at most.
    var mute: Int64 = 10 * 366 * 24 * 3600
    var message = 4000
    var attachments = 10
    /// How long a request waits for a file that may become ready at any moment.
    var mediaPatience = Duration.seconds(2)
    /// Different emoji on one message.
    var reactions = 50
    var pins = 100
    /// Bytes.
    var clientID = 128
    /// Who does less than others for a while; nobody where nothing is said.
    var newAccounts = NewAccounts()
}
