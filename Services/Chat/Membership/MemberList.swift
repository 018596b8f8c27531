// SPDX-License-Identifier: Apache-2.0
// A page of the people of a playground or a channel.

import Web

extension [Member] {
    /// The members as a page.
    func answer(_ request: Request, _ dependencies: Dependencies) -> Answer {
        Answer.json(array: map { MemberView(member: $0, site: dependencies.site) })
            .linked(request, site: dependencies.site, map(\.person.id))
    }
}
