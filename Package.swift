// swift-tools-version: 6.1
import PackageDescription

/// A dependency on a product of another package.
func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }

func swiftSettings() -> [SwiftSetting] {
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

func logging() -> Target.Dependency { product("Logging", "swift-log") }
func lifecycle() -> Target.Dependency { product("ServiceLifecycle", "swift-service-lifecycle") }

/// A C library of the system, found by pkg-config.
func system(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// What services call is compiled into them: generic code of another module is otherwise looked up at run time (decision 0053).
let crossModule = SwiftSetting.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))

/// A module of `Shared`.
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Shared/\(name)",
        resources: resources,
        swiftSettings: swiftSettings() + [crossModule]
    )
}

/// A service: its library under `Services/<Name>`, its thin executable in `Services/<Name>/Executable`, and its tests in
/// `Tests/<Name>Tests`.
///
/// A service depends on `Shared` only, never on another service. Lodgers are targets of their own in folders of it, which it
/// does not know; its executable puts them together. Parts are folders that are targets on which it depends. Test files are
/// what its tests read beside their source.
func service(
    _ name: String,
    _ dependencies: [Target.Dependency],
    lodgers: [String] = [],
    parts: [String] = [],
    executable executableDependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    tests testDependencies: [Target.Dependency] = [],
    testFiles: [String] = ["StatementRows.sql", "ErasedRows.sql"]
) -> [Target] {
    [
        .target(
            name: "\(name)Service",
            dependencies: ["Domain", "Events", "ServiceKit", logging(), lifecycle()] + dependencies,
            path: "Services/\(name)",
            exclude: ["README.md", "Executable"] + lodgers + parts,
            resources: resources,
            swiftSettings: swiftSettings()
        ),
        .executableTarget(
            name: name.lowercased(),
            dependencies: [.target(name: "\(name)Service")] + lodgers.map { .target(name: $0) }
                + executableDependencies,
            path: "Services/\(name)/Executable",
            swiftSettings: swiftSettings()
        ),
        tests(
            name,
            [
                .target(name: "\(name)Service"), "Calls", "Domain", "Events", "Messaging", "Outbox", "Postgres",
                "ServiceKit", "Serving", "Surface", "Views", "Web", logging(), lifecycle(),
                product("HTTPTypes", "swift-http-types"),
            ] + testDependencies,
            exclude: testFiles
        ),
    ]
}

/// What is tested is optimized, as it is shipped; the tests are not, which would take longer than to run them.
func testSettings() -> [SwiftSetting] { swiftSettings() + [.unsafeFlags(["-Onone"], .when(configuration: .release))] }

/// The tests of a module, a service or the whole.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: ["Support"] + dependencies,
        path: "Tests/\(name)Tests",
        exclude: exclude,
        swiftSettings: testSettings()
    )
}

let crypto = product("Crypto", "swift-crypto")
let nio: [Target.Dependency] = [
    product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"), product("NIOHTTP1", "swift-nio"),
]
let store: [Target.Dependency] = [
    "Calls", "Messaging", "Postgres", "Outbox", "Surface", "Serving", "Web", "Views",
]
let migrations: [Resource] = [.copy("Migrations")]

/// Templates of pages in a folder, which become part of the program.
func templates(_ folder: String, _ names: String...) -> [Resource] { names.map { .embedInCode("\(folder)/\($0)") } }

let package = Package(
    name: "madang",
    platforms: [.macOS(.v15)],
    // Exactly these, so that a build tomorrow is the build of today; `deploy/dev audit` lists what comes with them. The lock file
    // stays out: its revisions are not the same everywhere.
    dependencies: [
        // The HTTP server of every service.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        // The pages for browsers.
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        // The gateway's server, proxy and WebSocket.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        // Ed25519 of the signed principal, SHA-256, HMAC.
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        // Logs.
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        // Names of headers.
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        // Deques.
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        // JSON Web Tokens of others.
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        // Start and graceful stop.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        system("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
        system("CRabbitMQ", pkgConfig: "librabbitmq", apt: "librabbitmq-dev"),
        system("CArgon2", pkgConfig: "libargon2", apt: "libargon2-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        // What libvips' headers need; its own flags name more than it does.
        system("CVips", pkgConfig: "gobject-2.0", apt: "libvips-dev"),
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        system("CXML", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        shared("Domain"),
        shared("TextAnalysis"),
        shared("Threads"),
        shared("Events", ["Domain", "JSON"]),
        shared("Views", ["Domain", "Events", "JSON"]),
        shared("Surface", ["Domain", product("HTTPTypes", "swift-http-types")]),
        shared(
            "ServiceKit",
            ["Domain", "Threads", logging(), lifecycle(), product("UnixSignals", "swift-service-lifecycle")]
        ),
        shared(
            "Postgres",
            ["CPostgres", "Domain", "Threads", logging(), lifecycle(), product("DequeModule", "swift-collections")]
        ),
        shared(
            "Messaging",
            ["CRabbitMQ", "Domain", "Threads", logging(), lifecycle(), product("DequeModule", "swift-collections")]
        ),
        shared(
            "Outbox",
            [
                "Domain", "Events", "Postgres", "Messaging", "ServiceKit", "Threads", logging(), lifecycle(),
                product("DequeModule", "swift-collections"),
            ],
            resources: migrations
        ),
        shared("Outbound", ["CCurl", "Domain", "ServiceKit", "Threads", logging()]),
        shared("JSON", ["Domain", product("NIOCore", "swift-nio")]),
        shared("SocketIO", ["CZlib", "Domain", "JSON", crypto] + nio),
        shared(
            "Web",
            [
                "Domain", "JSON", "Views", "Surface", "ServiceKit", "Threads", logging(), lifecycle(), crypto,
                product("HummingbirdCore", "hummingbird"), product("HTTPTypes", "swift-http-types"),
                product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"),
            ]
        ),
        shared(
            "Calls",
            ["Domain", "Events", "JSON", "Surface", "Views", "Web", product("NIOCore", "swift-nio")]
        ),
        shared(
            "WebPages",
            [
                "Domain", "Web", crypto, product("Mustache", "swift-mustache"),
                product("HTTPTypes", "swift-http-types"),
            ],
            resources: templates(
                "Templates",
                "foot.mustache",
                "head.mustache",
                "message.mustache",
                "problem.mustache",
                "style.css"
            )
        ),
        shared(
            "Serving",
            [
                "Domain", "Events", "JSON", "Messaging", "Outbox", "Postgres", "ServiceKit", "Surface", "TextAnalysis",
                "Views", "Web", logging(), lifecycle(), product("HTTPTypes", "swift-http-types"),
            ],
            resources: migrations
        ),
    ]
        + service(
            "Gateway",
            [
                "Calls", "JSON", "Views", "Surface", "Web", "WebPages", "Messaging", "SocketIO", crypto,
                product("HTTPTypes", "swift-http-types"),
            ] + nio,
            lodgers: ["BuddyBuddy", "Giphy"],
            resources: templates("Local/Templates", "landing.mustache", "text.mustache"),
            tests: ["BuddyBuddy", "Giphy", "JSON", "SocketIO", crypto] + nio,
            testFiles: []
        )
        + [
            .target(
                name: "BuddyBuddy",
                dependencies: ["GatewayService", "Calls", "Domain", "Surface", "Views", "Web"] + nio + [
                    product("HTTPTypes", "swift-http-types")
                ],
                path: "Services/Gateway/BuddyBuddy",
                exclude: ["README.md"],
                swiftSettings: swiftSettings()
            ),
            .target(
                name: "Giphy",
                dependencies: ["GatewayService", "Domain", "Surface", "Views", "Web"] + nio + [
                    product("HTTPTypes", "swift-http-types")
                ],
                path: "Services/Gateway/Giphy",
                exclude: ["README.md"],
                swiftSettings: swiftSettings()
            ),
        ]
        + service(
            "Auth",
            store + ["CArgon2", "Outbound", "TextAnalysis", "WebPages", crypto, product("JWTKit", "jwt-kit")],
            resources: migrations
                + templates(
                    "Pages",
                    "code.mustache",
                    "confirm.mustache",
                    "consent.mustache",
                    "forgotten.mustache",
                    "delete_account.mustache",
                    "identities.mustache",
                    "newcomer.mustache",
                    "note.mustache",
                    "reset.mustache",
                    "sign_in.mustache",
                    "sign_up.mustache",
                    "signed_in.mustache",
                    "agreement.mustache"
                ),
            tests: ["Outbound", "WebPages", crypto, product("CryptoExtras", "swift-crypto")]
        )
        + service(
            "Posts",
            store + ["TextAnalysis", "WebPages"],
            resources: migrations
                + templates(
                    "Pages",
                    "account.mustache",
                    "post.mustache",
                    "posts.mustache",
                    "tag.mustache",
                    "appeal.mustache"
                )
        )
        + service("Chat", store, resources: migrations)
        + service(
            "Notifications",
            store + ["JSON", "Outbound", "TextAnalysis", crypto, product("JWTKit", "jwt-kit")],
            resources: migrations,
            tests: ["Outbound", crypto, product("CryptoExtras", "swift-crypto"), product("JWTKit", "jwt-kit")]
        )
        + service(
            "Media",
            store + [
                "CZlib", "JSON", "MediaWork", "Outbound", "TextAnalysis", crypto, product("NIOCore", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ],
            parts: ["Confinement", "Work", "Worker"],
            executable: ["MediaWork", "MediaWorker"],
            resources: migrations,
            tests: ["MediaWork", "MediaWorker", "Outbound", crypto]
        )
        + service(
            "Search",
            store + ["JSON", "Outbound", "TextAnalysis", crypto, product("NIOCore", "swift-nio")],
            resources: migrations,
            tests: ["JSON", "Outbound", "TextAnalysis", crypto, product("NIOCore", "swift-nio")]
        )
        + [
            .target(name: "CConfinement", path: "Services/Media/Confinement"),
            .target(
                name: "MediaWork",
                dependencies: ["CConfinement", "Threads"],
                path: "Services/Media/Work",
                swiftSettings: swiftSettings()
            ),
            .target(
                name: "MediaWorker",
                dependencies: ["CConfinement", "CVips", "CXML", "MediaWork"],
                path: "Services/Media/Worker",
                swiftSettings: swiftSettings()
            ),
            .executableTarget(
                name: "media-worker-host",
                dependencies: ["CConfinement", "MediaWorker"],
                path: "Tests/MediaWorker",
                swiftSettings: swiftSettings()
            ),
            .target(
                name: "Support",
                dependencies: [
                    "Domain", "Events", "Postgres", "Messaging", "Outbox", "ServiceKit", "Serving", "Surface", "Web",
                    logging(), lifecycle(), crypto,
                    product("HTTPTypes", "swift-http-types"),
                ],
                path: "Tests/Support",
                swiftSettings: swiftSettings()
            ),
            .executableTarget(
                name: "conformance-host",
                dependencies: ["SocketIO"] + nio,
                path: "Tests/Conformance/Host",
                swiftSettings: swiftSettings()
            ),
            .executableTarget(
                name: "benchmark-messaging",
                dependencies: ["Messaging", logging()],
                path: "Tests/Benchmarks/Messaging",
                swiftSettings: swiftSettings()
            ),
            .executableTarget(
                name: "benchmark-postgres",
                dependencies: ["Postgres", logging()],
                path: "Tests/Benchmarks/Postgres",
                swiftSettings: swiftSettings()
            ),
            .executableTarget(
                name: "benchmark-search",
                dependencies: ["SearchService", "Domain", "Postgres", logging()],
                path: "Tests/Benchmarks/Search",
                swiftSettings: swiftSettings()
            ),
            tests("Domain", ["Domain"]),
            tests("TextAnalysis", ["TextAnalysis"]),
            tests("Events", ["Domain", "Events", "JSON"]),
            tests("Views", ["Domain", "Events", "Views"]),
            tests("Calls", ["Calls", "Domain", "Events", "JSON", "Views", "Web", product("NIOCore", "swift-nio")]),
            tests("ServiceKit", ["ServiceKit", logging(), lifecycle()]),
            tests("Postgres", ["Postgres", "Domain", "Surface", logging()]),
            tests("Messaging", ["Messaging", "Domain", "Surface", logging()]),
            tests("Outbox", ["Outbox", "Postgres", "Messaging", "Events", "Domain", "ServiceKit", logging()]),
            tests(
                "Web",
                [
                    "Web", "Surface", "ServiceKit", "Domain", "Views", "Threads", crypto,
                    product("HTTPTypes", "swift-http-types"), logging(), lifecycle(),
                ]
            ),
            tests("SocketIO", ["SocketIO", product("NIOEmbedded", "swift-nio")] + nio),
            tests(
                "Rebuild",
                [
                    "PostsService", "ChatService", "NotificationsService", "SearchService", "MediaService", "MediaWork",
                    "Domain", "Events", "Outbox",
                    "Postgres", "ServiceKit", "Serving", "Web", logging(), lifecycle(),
                    product("HTTPTypes", "swift-http-types"),
                ]
            ),
            tests("MediaWork", ["CConfinement", "MediaWork", "MediaWorker", "media-worker-host"]),
            tests("Outbound", ["CZlib", "Outbound"]),
            tests(
                "Serving",
                [
                    "Serving", "Domain", "Events", "JSON", "Outbox", "Postgres", "ServiceKit", "Surface", "Web", crypto,
                    product("HTTPTypes", "swift-http-types"),
                ]
            ),
            tests(
                "Contract",
                [
                    "Events", "Domain", "Surface", "Web", "GatewayService", product("HTTPTypes", "swift-http-types"),
                    product("NIOHTTP1", "swift-nio"),
                ]
            ),
        ]
)
