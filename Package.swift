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

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "byteclub",
  products: [.executable(name: "byteclub", targets: ["byteclub"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    // C shims: each a small plain API over one Debian library (or over Linux calls that Swift's importer does not see).
    // Of libcrypto only SHA-256 is used. The archive has that in 20 KB; the shared library costs each start 1.1 ms and
    // 1.4 MB for its 12,000 relocations.
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "CLinux"),
    .target(name: "CWidth"),
    .target(
      name: "CImaging",
      linkerSettings: [.linkedLibrary("turbojpeg"), .linkedLibrary("png"), .linkedLibrary("webp")]),
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),

    // Core
    room("FileStores", ["COpenSSL"]),
    room("TextUI", ["CWidth"]),
    room("Imaging", ["CImaging"]),
    room("Database", ["FileStores", .product(name: "GRDB", package: "GRDB.swift")]),

    // Services and edges
    room("Backends", ["FileStores", "CLinux"]),
    room("Transfers", ["FileStores"]),
    room("ClubServices", ["FileStores", "Database", "Transfers", "Imaging"]),
    room("CursesTerminal", ["TextUI", "CNcurses"]),
    room("Screens", ["TextUI", "Imaging", "ClubServices", "Transfers", "FileStores"]),

    // Wiring
    .executableTarget(
      name: "byteclub",
      dependencies: [
        "FileStores", "Backends", "Database", "Transfers", "ClubServices", "Imaging", "TextUI", "CursesTerminal",
        "Screens", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Tests
    .target(name: "CVTerm", path: "Tests/CVTerm", linkerSettings: [.linkedLibrary("vterm")]),
    .target(
      name: "TestKit", dependencies: ["FileStores", "TextUI", "Transfers", "CVTerm"], path: "Tests/TestKit",
      swiftSettings: strict),
    tests("FileStoresTests", ["FileStores", "Backends", "TestKit"]),
    tests("BackendsTests", ["FileStores", "Backends", "TestKit"]),
    tests("DatabaseTests", ["Database", "FileStores", "TestKit"]),
    tests("TransfersTests", ["Transfers", "FileStores", "Backends", "TestKit"]),
    tests(
      "ClubServicesTests",
      ["ClubServices", "Database", "Transfers", "Imaging", "FileStores", "Backends", "TestKit"]),
    tests("ImagingTests", ["Imaging", "TestKit"]),
    tests("TextUITests", ["TextUI", "TestKit"]),
    tests("ScreensTests", ["Screens", "TextUI", "ClubServices", "Imaging", "Transfers", "FileStores", "TestKit"]),
    tests(
      "byteclubTests",
      ["byteclub", "FileStores", "Backends", "ClubServices", "Screens", "TextUI", "TestKit"]),
    // Ends in every way there is (trap, overflow, abort), which byteclub itself cannot do.
    .executableTarget(
      name: "TerminalProbe", dependencies: ["TextUI", "CursesTerminal"], path: "Tests/TerminalProbe",
      swiftSettings: strict),
    tests("EndToEndTests", ["TestKit", "TextUI", "TerminalProbe", "byteclub"]),
  ]
)
