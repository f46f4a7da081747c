import Foundation
import POSIX
import TestKit
import TextUI

/// A member's home of its own for runs of the app, with a club in it; removed with the object and the runs.
final class MemberHome: Sendable {
  /// What could not be had.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  /// The home directory.
  var path: String { folder.path }
  /// The club's directory.
  var club: String { path + "/club" }

  /// Makes the home, and the club with these notes and an empty photos folder.
  init(notes: [String: String] = [:], hasClub: Bool = true) throws {
    folder = try TemporaryFolder()
    guard hasClub else { return }
    try FileManager.default.createDirectory(atPath: club + "/photos", withIntermediateDirectories: true)
    for (name, text) in notes { try write(text, to: "club/" + name) }
  }

  /// The program under test.
  static func binary() throws -> String {
    if let path = ProcessInfo.processInfo.environment["BYTECLUB_TEST_BINARY"] { return path }
    guard let built = PtySession.builtProgram("byteclub") else {
      throw Missing(description: "byteclub is not built, and BYTECLUB_TEST_BINARY does not name it")
    }
    return built
  }

  /// The variables that make a run see this home and nothing else of the machine; an empty one is taken out.
  func environment(_ more: [String: String] = [:]) -> [String: String] {
    var variables = ["HOME": path, "TZ": "UTC"]
    for name in [
      "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "VISUAL", "EDITOR",
      "NO_COLOR", "COLORTERM", "TMUX", "LC_ALL", "LC_CTYPE", "BYTECLUB_CLUB", "BYTECLUB_TOKEN",
    ] { variables[name] = "" }
    return variables.merging(more) { $1 }
  }

  /// Starts byteclub on a terminal, on this home's club unless other arguments are given.
  func start(
    _ arguments: [String]? = nil, size: Size = Size(80, 24), _ variables: [String: String] = [:]
  ) throws -> PtySession {
    try PtySession(
      MemberHome.binary(), arguments ?? ["--folder", club], size: size, environment: environment(variables),
      workingDirectory: path, keeping: self)
  }

  /// Starts byteclub on the club and waits for the list to have this text.
  func open(
    showing text: String, size: Size = Size(80, 24), _ variables: [String: String] = [:]
  ) throws -> PtySession {
    let session = try start(size: size, variables)
    try session.wait("the list with \"\(text)\"", timeout: .patient) { $0.isFullScreen && $0.contains(text) }
    return session
  }

  /// Runs a verb on the club, without a terminal.
  func run(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
    var variables = PtySession.basicEnvironment
    for (name, value) in environment() { variables[name] = value.isEmpty ? nil : value }
    return try Spawn(
      MemberHome.binary(), arguments + ["--folder", club], environment: variables, input: Array(input.utf8)
    ).finish()
  }

  /// Writes a file of the home as editors do: beside it, then renamed.
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  /// Writes a file of the home as editors do: beside it, then renamed.
  func write(_ bytes: [UInt8], to name: String) throws {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
  }

  /// Writes a file whose name is any bytes.
  func write(_ text: String, toBytes name: [UInt8]) throws {
    let path = (Array((path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
    let file = POSIX.open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Missing(description: "a hostile name: \(String(cString: strerror(errno)))") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard POSIX.write(file, bytes, bytes.count) == bytes.count else { throw Missing(description: "a short write") }
  }

  /// A file's bytes; nil when it is not there.
  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path + "/" + name).map { Array($0) } }

  /// A file's text; nil when it is not there.
  func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

  /// A file's permissions.
  func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// All files below a directory of the home, hidden ones too, sorted.
  func files(below name: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path + "/" + name)?.compactMap { $0 as? String } ?? []
    return names.filter { part in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\(name)/\(part)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }.sorted()
  }
}

extension Duration {
  /// Long enough for a busy machine; a test that is well never waits so long.
  static var patient: Duration { .seconds(180) }
}
