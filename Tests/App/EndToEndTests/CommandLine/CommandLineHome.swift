import Foundation
import TestKit

/// A home directory of its own for runs of the program, removed with the object.
final class CommandLineHome {
  private let folder: TemporaryFolder
  /// The directory.
  var path: String { folder.path }
  /// The club's directory, not made yet.
  var club: String { path + "/ByteClub" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The program that is tested.
  static var binary: String? { ProcessInfo.processInfo.environment["BYTECLUB_TEST_BINARY"] }

  /// A bare environment with this home.
  var environment: [String: String] {
    var environment = [
      "HOME": path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
    ]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    return environment
  }

  /// Starts `byteclub` with arguments. `variables` come on top of the bare environment.
  func start(_ arguments: [String], input: [UInt8]? = [], _ variables: [String: String] = [:]) throws -> Spawn {
    struct NoBinary: Error {}
    guard let binary = CommandLineHome.binary else { throw NoBinary() }
    return try Spawn(binary, arguments, environment: environment.merging(variables) { $1 }, input: input)
  }

  /// Runs `byteclub` with arguments to its end.
  func run(
    _ arguments: String..., input: String = "", variables: [String: String] = [:]
  ) throws -> Spawn.Outcome {
    try start(arguments, input: Array(input.utf8), variables).finish()
  }

  /// Writes a file below the home.
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
  }

  /// The bytes of a file below the home; nil when there is none.
  func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path + "/" + name).map { Array($0) } }

  /// Every file below the home whose name ends so.
  func files(ending: String) -> [String] {
    (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(ending) }
  }

  /// The mode of a file below the home.
  func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }
}
