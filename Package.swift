// swift-tools-version: 6.2
import PackageDescription

// The storeys are folders of Sources and of Tests, each room is a folder there and a target here. ARCHITECTURE.md draws the
// arrows between them. The compiler checks these: a target can import only what its `dependencies` line says (scripts build
// with --explicit-target-dependency-import-check error).

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The last folder of a path, after which its target is named.
func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// A room by its storey and name. Each may use the C library (`POSIX`).
/// `isHot`: the tests spend much of their time in it, so a debug build optimizes it, too.
func room(_ path: String, _ dependencies: [Target.Dependency] = [], isHot: Bool = false) -> Target {
  .target(
    name: name(path), dependencies: ["POSIX"] + dependencies, path: "Sources/\(path)",
    swiftSettings: strict + (isHot ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []))
}

/// `embedded`: files that become part of the program.
func program(_ path: String, _ dependencies: [Target.Dependency], embedded: [String] = []) -> Target {
  .executableTarget(
    name: name(path), dependencies: ["POSIX"] + dependencies, path: path,
    resources: embedded.map { .embedInCode($0) }, swiftSettings: strict)
}

/// A small plain API over a library of Debian, or over calls of Linux that Swift's importer does not see.
func shim(_ name: String, _ dependencies: [Target.Dependency] = [], _ libraries: [LinkerSetting] = []) -> Target {
  // glibc checks the lengths that C calls are given; it needs an optimizing build.
  let hardened = CSetting.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))
  return .target(
    name: name, dependencies: dependencies, path: "Sources/C/\(name)", cSettings: [hardened], linkerSettings: libraries)
}

/// `golden`: files beside the tests that these read themselves.
func tests(_ path: String, _ dependencies: [Target.Dependency], golden: [String] = []) -> Target {
  .testTarget(
    name: name(path), dependencies: ["POSIX"] + dependencies, path: "Tests/\(path)", exclude: golden,
    swiftSettings: strict)
}

/// From archives; packages of a distribution link its shared libraries (scripts/package).
let crypto = LinkerSetting.linkedLibrary(":libcrypto.a")
let expat = LinkerSetting.linkedLibrary(":libexpat.a")

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
    // C
    // Of libcrypto only SHA-256 and SHA-1 are used. The archive has that in 20 KB; the shared library costs each start
    // 1.1 ms and 1.4 MB for its 12,000 relocations.
    shim("COpenSSL", [], [crypto]),
    // The server's alone: scrypt and certificates take all of libcrypto.
    shim("CScrypt", [], [crypto]),
    shim("CCertificate", [], [crypto]),
    shim("CPlatform"),
    shim("CCurl", ["CPlatform"]),
    shim("CWidth"),
    // libqrencode, loaded when a QR code is drawn.
    shim("CQRCode"),
    // Its module map links SQLite. By pkg-config the linker would look in the system's folder before the archives'.
    .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite"),
    shim("CZlib", [], [.linkedLibrary("z")]),
    shim("CExpat", [], [expat]),
    shim(
      "CImaging", [],
      [
        .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("gif"),
        .linkedLibrary("z"),
      ]),
    shim("CNcurses", ["CPlatform"], [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),

    // Ground: what knows nothing of byteclub
    // The C library of the system, by one name: Glibc, Musl or Darwin.
    .target(name: "POSIX", path: "Sources/Ground/POSIX", swiftSettings: strict),
    // Code that each other room would otherwise repeat: encodings, dates, hashes. It is not named "System", because
    // swift-nio imports any module of that name.
    room("Ground/Basics", ["CPlatform", "COpenSSL"], isHot: true),
    room("Ground/JSON", isHot: true),
    room("Ground/ManualPages", ["JSON"]),
    room("Ground/Zip", ["Basics", "CZlib"]),
    room("Ground/XML", ["CExpat"], isHot: true),

    // Stores: where a club's files are
    room("Stores/FileStores", ["Basics"], isHot: true),
    room("Stores/Backends", ["Basics", "FileStores", "JSON", "XML", "Zip", "CPlatform", "CCurl"]),
    room("Stores/Accounts", ["Basics", "FileStores", "Backends", "JSON", "CPlatform"]),

    // Pictures
    room("Pictures/Imaging", ["Basics", "JSON", "CImaging"], isHot: true),
    room("Pictures/Decoding", ["Basics", "Imaging"]),

    // Club: what byteclub does with the files
    room("Club/Database", ["Basics", "FileStores", "CSQLite"], isHot: true),
    room("Club/Markdown", ["Basics", "TextUI"]),
    room("Club/Merge", isHot: true),
    room("Club/Transfers", ["Basics", "FileStores", "JSON", "CPlatform"]),
    room(
      "Club/ClubServices",
      [
        "Basics", "FileStores", "JSON", "Database", "Markdown", "Merge", "Transfers", "Imaging", "Decoding",
        "CPlatform",
      ]),

    // App: what a member sees
    room("App/TextUI", ["Basics", "CWidth"], isHot: true),
    // QR codes for a terminal; the server's program prints them, too.
    room("App/QRCodes", ["TextUI", "CQRCode"]),
    room("App/CursesTerminal", ["Basics", "TextUI", "CNcurses", "CZlib"]),
    room(
      "App/Screens",
      ["Basics", "TextUI", "Markdown", "Merge", "Imaging", "ClubServices", "Transfers", "FileStores"]),
    program(
      "Sources/App/byteclub",
      [
        "Basics", "FileStores", "Backends", "Accounts", "Database", "Transfers", "ClubServices", "Imaging", "Decoding",
        "TextUI", "QRCodes", "CursesTerminal", "Screens", "Markdown", "Merge", "JSON", "ManualPages", "CPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], embedded: ["Config/Themes"]),

    // Server: a program of its own, which "byteclub serve" becomes, so that the app does not carry it about
    room(
      "Server/StoreServer",
      [
        "Basics", "ClubServices", "FileStores", "Backends", "Database", "Imaging", "Decoding", "JSON", "Markdown",
        "Zip",
        "CPlatform", "CScrypt", "CCertificate",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    program(
      "Sources/Server/byteclub-serve",
      [
        "Basics", "StoreServer", "Accounts", "FileStores", "Backends", "Database", "Decoding", "JSON", "ManualPages",
        "CPlatform", "QRCodes", "TextUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Tests, by the same storeys
    .target(name: "CVTerm", path: "Tests/Kit/CVTerm", linkerSettings: [.linkedLibrary("vterm")]),
    .target(
      name: "TestKit",
      dependencies: [
        "POSIX", "Basics", "Backends", "Decoding", "FileStores", "Imaging", "TextUI", "Transfers", "CVTerm", "CZlib",
      ],
      path: "Tests/Kit/TestKit",
      swiftSettings: strict),
    tests("Ground/BasicsTests", ["TestKit", "Basics"]),
    tests("Ground/JSONTests", ["JSON"]),
    tests("Ground/ZipTests", ["Zip"]),
    tests("Ground/XMLTests", ["TestKit", "XML"]),
    tests("Stores/FileStoresTests", ["Basics", "FileStores", "Backends", "TestKit"]),
    tests(
      "Stores/BackendsTests", ["Basics", "FileStores", "Backends", "JSON", "Zip", "TestKit"], golden: ["Snapshots"]),
    tests("Stores/AccountsTests", ["Basics", "Accounts", "FileStores", "Backends", "CPlatform", "TestKit"]),
    // Programs that scripts/bench measures, for the rooms below the app: the transport with no more than it needs,
    // stores and transfers.
    program("Tests/Stores/TransportProbe", ["Basics", "Backends", "FileStores", "Transfers"]),
    program(
      "Tests/Stores/NetworkProbe", ["Basics", "Backends", "ClubServices", "Database", "FileStores", "Transfers"]),
    tests("Pictures/ImagingTests", ["Imaging", "TestKit"]),
    tests("Pictures/DecodingTests", ["Basics", "Decoding", "Imaging", "TestKit", "WorkerProbe"]),
    // A worker that decodes pictures, and workers that do everything wrong.
    program("Tests/Pictures/WorkerProbe", ["Basics", "Decoding"]),
    tests("Club/DatabaseTests", ["Basics", "Database", "CSQLite", "FileStores", "TestKit"]),
    tests("Club/MarkdownTests", ["Markdown", "TestKit", "TextUI", "XML"]),
    tests("Club/MergeTests", ["Merge", "TestKit"]),
    tests("Club/TransfersTests", ["Basics", "Transfers", "FileStores", "JSON", "Backends", "TestKit"]),
    tests(
      "Club/ClubServicesTests",
      [
        "Basics", "ClubServices", "Database", "Markdown", "Transfers", "Imaging", "Decoding", "FileStores", "JSON",
        "Merge", "Backends", "TestKit",
      ]),
    tests("App/TextUITests", ["Basics", "TextUI", "TestKit"]),
    tests("App/CursesTerminalTests", ["Basics", "CursesTerminal", "TextUI", "TestKit"]),
    tests(
      "App/ScreensTests",
      [
        "Basics", "Screens", "TextUI", "ClubServices", "Database", "Imaging", "Merge", "Transfers", "FileStores",
        "TestKit",
      ],
      golden: ["Snapshots"]),
    tests(
      "App/byteclubTests",
      [
        "byteclub", "Basics", "Accounts", "FileStores", "Backends", "Database", "Decoding", "Imaging", "JSON",
        "ManualPages", "Transfers", "ClubServices", "Screens", "TextUI", "TestKit",
      ],
      golden: ["Snapshots"]),
    // Ends in every way there is (trap, overflow, abort), which byteclub itself cannot do.
    program("Tests/App/TerminalProbe", ["TextUI", "CursesTerminal"]),
    tests(
      "App/EndToEndTests",
      [
        "TestKit", "Basics", "TextUI", "CPlatform", "TerminalProbe", "byteclub", "byteclub-serve", "Accounts",
        "FileStores", "Imaging", "XML", "Backends", "Database",
      ],
      golden: ["Snapshots"]),
    tests(
      "Server/StoreServerTests",
      [
        "Basics", "StoreServer", "Accounts", "ClubServices", "Database", "Decoding", "FileStores", "Backends",
        "Imaging",
        "JSON", "Markdown", "TestKit",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
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
