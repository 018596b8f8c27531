// SPDX-License-Identifier: Apache-2.0
// The catalogue of books.

import Domain

/// What sources outside and what they told before have of books. Asking them costs the operator, so it takes an account.
public enum BookEndpoint: String, EndpointGroup {
    case searchBooks, showBook

    public static var service: ServiceName? { .search }

    public var endpoint: Endpoint {
        switch self {
        case .searchBooks: .get("/api/v1/books", .account("read:search"), isCostly: true, answer: "[Book]")
        case .showBook: .get("/api/v1/books/:isbn", .account("read:search"), isCostly: true, answer: "Book")
        }
    }
}
