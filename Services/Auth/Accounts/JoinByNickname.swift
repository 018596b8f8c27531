// SPDX-License-Identifier: Apache-2.0
// POST /internal/kept_sessions/join: signing up by an app that knows no usernames.

import Calls
import Domain
import Web

/// Makes an account whose username is made of the nickname, and begins a session.
enum JoinByNickname {
    /// How many names are tried before somebody is told to choose another nickname.
    private static let attempts = 6

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard dependencies.registrations == .open else { throw RegistrationsClosed() }
        let asked = try KeptSignUp(request.parameters())
        let (email, password, nickname) = try checked(asked)
        let device = request.browserName
        let known = KnownDevice(asked.signIn.deviceToken)
        let app = try await KeptSession.app(dependencies)
        for attempt in 0..<attempts {
            guard let username = username(of: nickname, attempt: attempt, otherwise: "buddy", dependencies.randomBytes)
            else {
                continue
            }
            let draft = SignUp.Draft(
                username: username,
                email: email,
                password: password,
                language: asked.language ?? request.language,
                reason: nil
            )
            do {
                let (token, id) = try await SignUp.run(draft, request, dependencies) { account, transaction in
                    let grant = Grant(
                        app: app,
                        account: account.id,
                        scopes: app.scopes,
                        device: device,
                        rotates: false
                    )
                    let token = try await grant.insert(dependencies, in: transaction)
                    known?.remember(of: account.id, now: dependencies.now(), in: transaction)
                    return (token, account.id)
                }
                guard !dependencies.confirmsAddresses else { throw EmailUnconfirmed() }
                let identity = Identity(
                    id: id,
                    username: username,
                    email: email.text,
                    created: token.created
                )
                return .unstored(KeptSession(token, of: identity))
            } catch let failure as ValidationFailure
                where !failure.faults.contains(where: {
                    $0.field != "username" || ($0.fault != .taken && $0.fault != .blocked)
                })
            {
                continue
            }
        }
        throw ValidationFailure(faults: [("nickname", .invalid)])
    }

    private static func checked(
        _ asked: KeptSignUp
    ) throws -> (email: EmailAddress, password: Password, nickname: String) {
        var faults: [(field: String, fault: ValidationFault)] = []
        let email = EmailAddress(asked.signIn.email)
        if email == nil { faults.append(("email", asked.signIn.email.trimmed.isEmpty ? .blank : .invalid)) }
        let nickname = asked.nickname.trimmed
        if nickname.isEmpty {
            faults.append(("nickname", .blank))
        } else if nickname.count > 30 || nickname.utf8.count > 240 {
            faults.append(("nickname", .tooLong))
        } else if nickname.hasControls {
            faults.append(("nickname", .invalid))
        }
        var password: Password?
        do throws(ValidationFault) {
            let own = [nickname, email.map { String($0.local) } ?? ""]
            password = try Password.choosing(asked.signIn.password, apartFrom: own)
        } catch {
            faults.append(("password", error))
        }
        guard faults.isEmpty, let email, let password else { throw ValidationFailure(faults: faults) }
        return (email, password, nickname)
    }

    /// The letters and digits of a nickname, with digits behind it where it is short, reserved or taken.
    ///
    /// Never made of the address of mail: usernames are public.
    ///
    /// - Parameter word: what the name is made of where the nickname has too few of them.
    static func username(
        of nickname: String,
        attempt: Int,
        otherwise word: String,
        _ randomBytes: (Int) -> [UInt8]
    ) -> Username? {
        let plain = String(
            nickname.lowercased().unicodeScalars.compactMap { scalar -> Character? in
                switch scalar.value {
                case 48...57, 97...122, 95: Character(scalar)
                case 0x20, 0x2D, 0x2E: "_"
                default: nil
                }
            }.prefix(20)
        )
        let isOwn = plain.filter { $0 != "_" }.count >= 3
        if attempt == 0, isOwn, let username = Username(plain), !ReservedNames.contains(username) { return username }
        let base = isOwn && Username(plain).map(ReservedNames.contains) == false ? plain : word
        let digits = randomBytes(attempt < 3 ? 5 : 9).map { String($0 % 10) }.joined()
        return Username("\(base)_\(digits)")
    }
}
