// swift-tools-version: 6.2
import PackageDescription

// The rooms and the arrows between them are drawn in ARCHITECTURE.md. The compiler checks them: a target can
// import only what its `dependencies` line says (scripts build with --explicit-target-dependency-import-check error).

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// `golden`: files beside the tests that these read themselves.
func tests(_ name: String, _ dependencies: [Target.Dependency], golden: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: golden, swiftSettings: strict)
}

let package = Package(
  name: "byteclub",
  products: [
    .executable(name: "byteclub", targets: ["byteclub"]),
    .executable(name: "byteclub-serve", targets: ["byteclub-serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // The server's alone. Hummingbird's traits (its configuration reader, all of Foundation) are not used.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // C shims: each a small plain API over one Debian library (or over Linux calls that Swift's importer does not see).
    // Of libcrypto only SHA-256 is used. The archive has that in 20 KB; the shared library costs each start 1.1 ms and
    // 1.4 MB for its 12,000 relocations.
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    // The server's alone: scrypt takes all of libcrypto.
    .target(name: "CScrypt", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "CLinux"),
    .target(name: "CCurl"),
    .target(name: "CWidth"),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "CImaging",
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("z")]),
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),

    // Core
    room("JSON"),
    room("Zip", ["CZlib"]),
    room("FileStores", ["COpenSSL"]),
    room("TextUI", ["CWidth"]),
    room("Imaging", ["CImaging"]),
    room("Database", ["FileStores", .product(name: "GRDB", package: "GRDB.swift")]),

    // Services and edges
    room("Backends", ["FileStores", "JSON", "Zip", "CLinux", "CCurl", "COpenSSL"]),
    room("Accounts", ["FileStores", "Backends", "CLinux"]),
    room("Transfers", ["FileStores"]),
    room("ClubServices", ["FileStores", "Database", "Transfers", "Imaging", "CLinux"]),
    room("CursesTerminal", ["TextUI", "CNcurses"]),
    room("Screens", ["TextUI", "Imaging", "ClubServices", "Transfers", "FileStores"]),

    room(
      "StoreServer",
      [
        "FileStores", "Database", "Imaging", "JSON", "Zip", "COpenSSL", "CScrypt",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Wiring
    .executableTarget(
      name: "byteclub",
      dependencies: [
        "FileStores", "Backends", "Accounts", "Database", "Transfers", "ClubServices", "Imaging", "TextUI",
        "CursesTerminal", "Screens", "JSON", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // A program of its own, which "byteclub serve" becomes: the app does not carry the server about.
    .executableTarget(
      name: "byteclub-serve",
      dependencies: [
        "StoreServer", "FileStores", "Backends", "Database", "JSON", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Tests
    .target(name: "CVTerm", path: "Tests/CVTerm", linkerSettings: [.linkedLibrary("vterm")]),
    .target(
      name: "TestKit", dependencies: ["FileStores", "Backends", "TextUI", "Transfers", "CVTerm"], path: "Tests/TestKit",
      swiftSettings: strict),
    tests("JSONTests", ["JSON"]),
    tests("ZipTests", ["Zip"]),
    tests("FileStoresTests", ["FileStores", "Backends", "TestKit"]),
    tests("BackendsTests", ["FileStores", "Backends", "JSON", "Zip", "TestKit"], golden: ["Snapshots"]),
    tests("AccountsTests", ["Accounts", "FileStores", "Backends", "CLinux", "TestKit"]),
    tests("DatabaseTests", ["Database", "FileStores", "TestKit"]),
    tests("TransfersTests", ["Transfers", "FileStores", "Backends", "TestKit"]),
    tests(
      "ClubServicesTests",
      ["ClubServices", "Database", "Transfers", "Imaging", "FileStores", "Backends", "TestKit"]),
    tests(
      "StoreServerTests",
      [
        "StoreServer", "Accounts", "Database", "FileStores", "Backends", "Imaging", "JSON", "TestKit",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ]),
    tests("ImagingTests", ["Imaging", "TestKit"]),
    tests("TextUITests", ["TextUI", "TestKit"]),
    tests(
      "ScreensTests", ["Screens", "TextUI", "ClubServices", "Imaging", "Transfers", "FileStores", "TestKit"],
      golden: ["Snapshots"]),
    tests(
      "byteclubTests",
      [
        "byteclub", "Accounts", "FileStores", "Backends", "Database", "JSON", "Transfers", "ClubServices", "Screens",
        "TextUI", "TestKit",
      ]),
    // Ends in every way there is (trap, overflow, abort), which byteclub itself cannot do.
    .executableTarget(
      name: "TerminalProbe", dependencies: ["TextUI", "CursesTerminal"], path: "Tests/TerminalProbe",
      swiftSettings: strict),
    // What scripts/bench measures of the rooms below the app, without a screen: the transport with no more than it needs,
    // stores and transfers.
    .executableTarget(
      name: "TransportProbe", dependencies: ["Backends", "FileStores", "Transfers"], path: "Tests/TransportProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "NetworkProbe", dependencies: ["Backends", "ClubServices", "Database", "FileStores", "Transfers"],
      path: "Tests/NetworkProbe", swiftSettings: strict),
    tests(
      "EndToEndTests",
      ["TestKit", "TextUI", "TerminalProbe", "byteclub", "byteclub-serve", "Accounts", "FileStores"],
      golden: ["Snapshots"]),
  ]
)
