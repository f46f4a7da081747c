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

/// Each room may use the C library (`POSIX`).
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: ["POSIX"] + dependencies, swiftSettings: strict)
}

/// `golden`: files beside the tests that these read themselves.
func tests(_ name: String, _ dependencies: [Target.Dependency], golden: [String] = []) -> Target {
  .testTarget(name: name, dependencies: ["POSIX"] + dependencies, exclude: golden, swiftSettings: strict)
}

/// glibc then checks the lengths that C calls are given; it needs an optimizing build.
let hardened: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

/// Packages of a distribution link its shared libraries (scripts/package); other builds take these two from archives.
let linksShared = Context.environment["BYTECLUB_SHARED_LIBRARIES"] == "1"
let crypto = LinkerSetting.linkedLibrary(linksShared ? "crypto" : ":libcrypto.a")
let expat = LinkerSetting.linkedLibrary(linksShared ? "expat" : ":libexpat.a")

let package = Package(
  name: "byteclub",
  products: [
    .executable(name: "byteclub", targets: ["byteclub"]),
    .executable(name: "byteclub-serve", targets: ["byteclub-serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    // The server's alone. Hummingbird's traits (its configuration reader, all of Foundation) are not used.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // C shims: each a small plain API over one Debian library (or over Linux calls that Swift's importer does not see).
    // Of libcrypto only SHA-256 and SHA-1 are used. The archive has that in 20 KB; the shared library costs each start 1.1 ms and
    // 1.4 MB for its 12,000 relocations.
    .target(name: "COpenSSL", cSettings: hardened, linkerSettings: [crypto]),
    // The server's alone: scrypt takes all of libcrypto.
    .target(name: "CScrypt", cSettings: hardened, linkerSettings: [crypto]),
    .target(name: "CPlatform", cSettings: hardened),
    .target(name: "CCurl", dependencies: ["CPlatform"], cSettings: hardened),
    .target(name: "CWidth", cSettings: hardened),
    // Its module map links SQLite. By pkg-config the linker would look in the system's folder before the archives'.
    .systemLibrary(name: "CSQLite"),
    .target(name: "CZlib", cSettings: hardened, linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CExpat", cSettings: hardened, linkerSettings: [expat]),
    .target(
      name: "CImaging", cSettings: hardened,
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("z")]),
    .target(
      name: "CNcurses", dependencies: ["CPlatform"], cSettings: hardened,
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),

    // Core
    // The C library of the system, by one name: Glibc, Musl or Darwin.
    .target(name: "POSIX", swiftSettings: strict),
    // Code that each other room would otherwise repeat: encodings, dates, hashes. It knows nothing of byteclub. It is
    // not named "System", because swift-nio imports any module of that name.
    room("Basics", ["CPlatform", "COpenSSL"]),
    room("JSON"),
    room("ManualPages", ["JSON"]),
    room("Zip", ["Basics", "CZlib"]),
    room("XML", ["CExpat"]),
    room("FileStores", ["Basics", "COpenSSL", "CPlatform"]),
    room("TextUI", ["Basics", "CWidth"]),
    room("Markdown", ["Basics", "TextUI"]),
    room("Merge"),
    room("Imaging", ["Basics", "JSON", "CImaging"]),
    room("Database", ["Basics", "FileStores", "CSQLite"]),
    room("Decoding", ["Basics", "FileStores", "Imaging"]),

    // Services and edges
    room("Backends", ["Basics", "FileStores", "JSON", "XML", "Zip", "CPlatform", "CCurl"]),
    room("Accounts", ["Basics", "FileStores", "Backends", "JSON", "CPlatform"]),
    room("Transfers", ["Basics", "FileStores", "JSON", "CPlatform"]),
    room(
      "ClubServices",
      ["Basics", "FileStores", "JSON", "Database", "Merge", "Transfers", "Imaging", "Decoding", "CPlatform"]),
    room("CursesTerminal", ["Basics", "TextUI", "CNcurses", "CZlib"]),
    room("Screens", ["Basics", "TextUI", "Markdown", "Merge", "Imaging", "ClubServices", "Transfers", "FileStores"]),

    room(
      "StoreServer",
      [
        "Basics", "FileStores", "Database", "Imaging", "Decoding", "JSON", "Markdown", "Zip", "CPlatform", "CScrypt",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
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
        "POSIX", "Basics", "FileStores", "Backends", "Accounts", "Database", "Transfers", "ClubServices", "Imaging",
        "Decoding",
        "TextUI", "CursesTerminal", "Screens", "Markdown", "Merge", "JSON", "ManualPages", "CPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // A program of its own, which "byteclub serve" becomes: the app does not carry the server about.
    .executableTarget(
      name: "byteclub-serve",
      dependencies: [
        "POSIX", "Basics", "StoreServer", "Accounts", "FileStores", "Backends", "Database", "Decoding", "JSON",
        "ManualPages", "CPlatform", "TextUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Tests
    .target(name: "CVTerm", path: "Tests/CVTerm", linkerSettings: [.linkedLibrary("vterm")]),
    .target(
      name: "TestKit",
      dependencies: [
        "POSIX", "Basics", "Backends", "Decoding", "FileStores", "Imaging", "TextUI", "Transfers", "CVTerm", "CZlib",
      ],
      path: "Tests/TestKit",
      swiftSettings: strict),
    tests("BasicsTests", ["TestKit", "Basics"]),
    tests("JSONTests", ["JSON"]),
    tests("ZipTests", ["Zip"]),
    tests("XMLTests", ["TestKit", "XML"]),
    tests("FileStoresTests", ["FileStores", "Backends", "TestKit"]),
    tests("BackendsTests", ["Basics", "FileStores", "Backends", "JSON", "Zip", "TestKit"], golden: ["Snapshots"]),
    tests("AccountsTests", ["Accounts", "FileStores", "Backends", "CPlatform", "TestKit"]),
    tests("DatabaseTests", ["Database", "CSQLite", "FileStores", "TestKit"]),
    tests("TransfersTests", ["Transfers", "FileStores", "JSON", "Backends", "TestKit"]),
    tests(
      "ClubServicesTests",
      [
        "Basics", "ClubServices", "Database", "Transfers", "Imaging", "Decoding", "FileStores", "JSON", "Merge",
        "Backends", "TestKit",
      ]),
    tests(
      "StoreServerTests",
      [
        "Basics",
        "StoreServer", "Accounts", "Database", "Decoding", "FileStores", "Backends", "Imaging", "JSON", "Markdown",
        "TestKit",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      golden: ["Snapshots"]),
    tests("ImagingTests", ["Imaging", "TestKit"]),
    tests("DecodingTests", ["Basics", "Decoding", "FileStores", "Imaging", "TestKit", "WorkerProbe"]),
    // A worker that decodes pictures, and workers that do everything wrong.
    .executableTarget(
      name: "WorkerProbe", dependencies: ["POSIX", "Basics", "Decoding"], path: "Tests/WorkerProbe",
      swiftSettings: strict),
    tests("TextUITests", ["Basics", "TextUI", "TestKit"]),
    tests("CursesTerminalTests", ["Basics", "CursesTerminal", "TextUI", "TestKit"]),
    tests("MarkdownTests", ["Markdown", "TestKit", "TextUI", "XML"]),
    tests("MergeTests", ["Merge", "TestKit"]),
    tests(
      "ScreensTests",
      [
        "Basics", "Screens", "TextUI", "ClubServices", "Database", "Imaging", "Merge", "Transfers", "FileStores",
        "TestKit",
      ],
      golden: ["Snapshots"]),
    tests(
      "byteclubTests",
      [
        "byteclub", "Basics", "Accounts", "FileStores", "Backends", "Database", "Decoding", "Imaging", "JSON",
        "ManualPages", "Transfers", "ClubServices", "Screens", "TextUI", "TestKit",
      ]),
    // Ends in every way there is (trap, overflow, abort), which byteclub itself cannot do.
    .executableTarget(
      name: "TerminalProbe", dependencies: ["POSIX", "TextUI", "CursesTerminal"], path: "Tests/TerminalProbe",
      swiftSettings: strict),
    // Programs that scripts/bench measures, for the rooms below the app: the transport with no more than it needs,
    // stores and transfers.
    .executableTarget(
      name: "TransportProbe", dependencies: ["POSIX", "Backends", "FileStores", "Transfers"],
      path: "Tests/TransportProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "NetworkProbe", dependencies: ["POSIX", "Backends", "ClubServices", "Database", "FileStores", "Transfers"],
      path: "Tests/NetworkProbe", swiftSettings: strict),
    tests(
      "EndToEndTests",
      [
        "TestKit", "TextUI", "CPlatform", "TerminalProbe", "byteclub", "byteclub-serve", "Accounts", "FileStores",
        "Imaging",
      ],
      golden: ["Snapshots"]),
  ]
)

// With ROOMS="Basics CPlatform …" only these targets and their tests are built: a part of the house in seconds, or the
// rooms that `scripts/test --sanitize` tests. Each dependency is named too.
if let names = Context.environment["ROOMS"] {
  let rooms = Set(names.split(separator: " ").map(String.init))
  package.products = []
  package.targets.removeAll { !rooms.contains($0.name.replacing("Tests", with: "")) && !rooms.contains($0.name) }
}
