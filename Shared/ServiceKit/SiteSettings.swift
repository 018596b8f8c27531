// SPDX-License-Identifier: Apache-2.0
// The public address, which every process must know.

public import Domain

extension Settings {
    /// `MADANG_DOMAIN` and `MADANG_ORIGIN`.
    public mutating func site() -> Site {
        let domain = string("MADANG_DOMAIN", meaning: "the public domain, such as localhost:3000")
        let origin = optional("MADANG_ORIGIN", meaning: "the public origin; follows from the domain")
        return Site(domain: domain, origin: origin)
    }
}
