import Foundation
import POSIX
import TestKit
import TextUI

/// A demo on a terminal, with a place of its own for temporary files.
final class RunningDemo {
  struct Process: Equatable {
    let id: Int32
    let name: String
  }

  let home: MemberHome
  let session: PtySession

  /// Starts one, in the home of another one when that is given.
  init(home other: MemberHome? = nil, size: Size = Size(120, 30), _ variables: [String: String] = [:]) throws {
    home = try other ?? MemberHome(hasClub: false)
    try FileManager.default.createDirectory(atPath: home.path + "/tmp", withIntermediateDirectories: true)
    session = try home.start(["demo"], size: size, variables.merging(["TMPDIR": home.path + "/tmp"]) { $1 })
  }

  /// The folders of all demos of this home.
  func folders() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp")) ?? []).filter {
      $0.hasPrefix("byteclub-demo-")
    }.map { home.path + "/tmp/" + $0 }
  }

  /// The folder of the demo.
  func place() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp")
    guard let name = names.first(where: { $0.hasPrefix("byteclub-demo-") }) else {
      throw MemberHome.Missing(description: "the demo has no folder")
    }
    return home.path + "/tmp/" + name
  }

  /// All that is left of it.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp") + home.files(below: ".")
  }

  func text(_ file: String) -> String {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Runs a verb where the demo's app has its data.
  func run(_ words: String..., in place: String) throws -> Spawn.Outcome {
    var variables = PtySession.basicEnvironment.merging(["HOME": place + "/home"]) { $1 }
    for name in ["config", "data", "cache", "state"] { variables["XDG_\(name.uppercased())_HOME"] = place + "/" + name }
    variables["XDG_RUNTIME_DIR"] = place + "/run"
    return try Spawn(MemberHome.binary(), words, environment: variables).finish()
  }

  /// Waits for what no screen shows.
  func wait(_ what: String, _ isSo: () -> Bool) throws {
    let end = ContinuousClock.now + .patient
    while !isSo() {
      guard ContinuousClock.now < end else { throw MemberHome.Missing(description: "\(what) was waited for in vain") }
      // at any pace: a pause between two looks.
      usleep(20_000)
    }
  }

  func percents(_ screen: ScreenSnapshot) -> [Int] {
    (0..<screen.grid.size.height).map { screen.row($0) }.filter { $0.contains("Morning.jpg") }.flatMap { row in
      row.split(separator: "%").dropLast().compactMap { Int($0.suffix(3).trimmingCharacters(in: .whitespaces)) }
    }
  }

  /// Processes of ours whose variables name the folder.
  func processes(in place: String) throws -> [Process] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let id = Int32(name), let variables = FileManager.default.contents(atPath: "/proc/\(name)/environ"),
        variables.range(of: Data(place.utf8)) != nil,
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe")
      else { return nil }
      return Process(id: id, name: (program as NSString).lastPathComponent)
    }
  }
}
