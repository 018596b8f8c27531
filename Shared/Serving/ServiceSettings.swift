// SPDX-License-Identifier: Apache-2.0
// The settings of every service behind the gateway.

package import Outbox
package import ServiceKit
package import Surface
package import Web

/// Where a service listens and stores, whom it believes and whom it lets in.
package struct ServiceSettings: Sendable {
    package let store: StoreSettings
    /// Nil only where the setting is bad, which stops the start.
    package let verifier: PrincipalVerifier?
    /// Opens the service's `/internal` endpoints; empty where it has none.
    package let internalSecret: String

    package init(_ settings: inout Settings, _ service: ServiceName) {
        store = StoreSettings(&settings, service: service.rawValue, port: service.port)
        verifier = settings.principalVerifier(audience: service.rawValue)
        let isAsked = Surface.lines(of: service).contains { $0.endpoint.isInternal }
        internalSecret = isAsked ? settings.internalSecret() : ""
    }
}

/// What a service's environment says, checked once at the start.
package protocol ServiceConfig: StoreConfig {
    var service: ServiceSettings { get }
}

extension ServiceConfig {
    package var store: StoreSettings { service.store }
}
