import Foundation
import POSIX
import TestKit
import TextUI

@testable import Accounts

/// A member's home with clubs behind servers of their own, for transfers that outlive who began them.
final class TransferScene {
  /// A picture with much behind its end, as phones append films; each number has other bytes.
  static func picture(_ number: UInt8 = 0, mebibytes: Int = 3) -> [UInt8] {
    var bytes = Pictures.jpeg
    bytes.reserveCapacity(bytes.count + mebibytes << 20)
    var random = UInt64(number) &+ 77
    while bytes.count < mebibytes << 20 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: random) { bytes.append(contentsOf: $0.dropFirst(4)) }
    }
    return bytes
  }

  let home: MemberHome
  private(set) var servers: [String: ClubServer] = [:]
  private var clubs: [String: [String: Any]] = [:]
  /// The settings of `transfers`.
  var settings: [String: Any] = ["chunkMebibytes": 1]

  init() throws {
    home = try MemberHome(hasClub: false)
    try configure()
  }

  /// Adds a club behind a server of its own, with a note that is named for it. Nobody is signed in.
  @discardableResult
  func serve(_ club: String, chaos: String? = nil, _ more: [String: Any] = [:]) throws -> ClubServer {
    let server = try ClubServer(home, folder: "served-\(club)", chaos: chaos)
    try home.write("", to: "served-\(club)/\(club).md")
    servers[club] = server
    try set(club, ["store": "dropbox", "server": server.address, "folder": "/"].merging(more) { $1 })
    return server
  }

  /// Writes a club into the config; nil takes it out.
  func set(_ club: String, _ facts: [String: Any]?) throws {
    clubs[club] = facts
    try configure()
  }

  /// Writes the config.
  func configure() throws {
    let config: [String: Any] = ["clubs": clubs, "transfers": settings]
    try home.write(
      Array(try JSONSerialization.data(withJSONObject: config, options: [.sortedKeys])),
      to: ".config/byteclub/config.json")
  }

  /// Signs the home in to a club behind a server.
  func signIn(_ club: String, token: String) throws {
    guard let server = servers[club] else { throw MemberHome.Missing(description: "no server has \(club)") }
    let service = try AccountService(server: server.address, allowingPlain: true)
    let account = try Account(club: club, service: service, appKey: nil)
    try TokenFile(directory: home.path + "/.local/share/byteclub/tokens", account: account).write(
      Grant(accessToken: token, refreshToken: nil, obtained: 1_780_000_000, expires: nil, accountID: nil))
  }

  // MARK: What is there

  /// A photo in the folder that a club's server serves.
  func served(_ club: String, _ name: String) -> [UInt8]? { home.bytes("served-\(club)/photos/\(name)") }

  /// Whether somebody carries out the transfers: the socket is there.
  var hasOwner: Bool { FileManager.default.fileExists(atPath: runtime + "/transfers.sock") }
  var runtime: String { home.path + "/.local/share/byteclub/run" }

  /// Processes of byteclub in the background of this home. A command that one of them is just starting (for a token) looks
  /// like one for a moment, and is none.
  func backgrounds() throws -> [Int32] {
    let alike = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { id in
      guard let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
        variables.range(of: Data("HOME=\(home.path)\0".utf8)) != nil,
        let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")
      else { return false }
      return words.range(of: Data("--detached".utf8)) != nil
    }
    return alike.filter { id in !alike.contains { parent(of: id) == $0 } }
  }

  /// proc_pid_stat(5): behind the name, which stands in parentheses, come the state and the parent's number.
  private func parent(of process: Int32) -> Int32? {
    guard let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
    let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
    return fields.flatMap { $0.count > 1 ? Int32($0[1]) : nil }
  }

  // MARK: What is done

  /// Runs a verb.
  @discardableResult
  func verb(_ arguments: String...) throws -> Spawn.Outcome { try start(arguments).finish() }

  /// Starts a verb.
  func start(_ arguments: [String], _ variables: [String: String] = [:]) throws -> Spawn {
    var all = PtySession.basicEnvironment
    for (name, value) in home.environment(variables) { all[name] = value.isEmpty ? nil : value }
    return try Spawn(MemberHome.binary(), arguments, environment: all)
  }

  /// Opens the app on a club.
  func open(
    _ club: String, size: Size = Size(80, 24), _ variables: [String: String] = [:]
  ) throws -> PtySession {
    let session = try home.start(["--club", club], size: size, variables)
    try session.wait("the notes of \(club)", timeout: .patient) { $0.isFullScreen && $0.contains("\(club).md") }
    return session
  }

  /// The transfers as `transfer ls` has them.
  func list() throws -> [[String: Any]] {
    let outcome = try verb("transfer", "ls", "--json")
    guard outcome.status == 0 else { throw MemberHome.Missing(description: outcome.said) }
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return document?["results"] as? [[String: Any]] ?? []
  }

  /// Asks until the transfer of that name is so.
  @discardableResult
  func until(_ name: String, _ what: String, _ isSo: ([String: Any]) -> Bool) throws -> [String: Any] {
    let end = ContinuousClock.now + .patient
    var last: [[String: Any]] = []
    while ContinuousClock.now < end {
      last = try list()
      if let found = last.first(where: { $0["name"] as? String == name }), isSo(found) { return found }
    }
    throw MemberHome.Missing(description: "\(name) was not \(what): \(last)")
  }

  /// Asks until the transfer of that name runs and so many bytes are there.
  @discardableResult
  func untilRunning(_ name: String, past bytes: Int = 1 << 20) throws -> [String: Any] {
    try until(name, "running past \(bytes)") {
      $0["state"] as? String == "running" && ($0["sent"] as? Int ?? 0) >= bytes
    }
  }

  /// Waits for what no screen shows.
  func wait(_ what: String, _ isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + .patient
    while try !isSo() {
      guard ContinuousClock.now < end else { throw MemberHome.Missing(description: "\(what) was waited for in vain") }
      // at any pace: a pause between two looks.
      usleep(20_000)
    }
  }
}

extension PtySession {
  /// Uploads a file from the tab of the photos.
  func upload(_ file: String) throws {
    press("u")
    try see("Tab complete")
    press("Ctrl-U")
    paste(file)
    try see((file as NSString).lastPathComponent)
    press("Enter")
  }
}
