import Accounts
import ArgumentParser
import Backends
import Basics
import Database
import FileStores
import POSIX
import Logging
import StoreServer

/// Names the club that is served. `byteclub serve --club NAME` passes the hidden options.
struct ServedOptions: ParsableArguments {
  @Option(help: "The folder to serve. With --club NAME instead, byteclub serves a club of your config.")
  var root: String?
  @Option(help: .hidden) var clubName: String?
  @Option(help: .hidden) var data: String?
  @Option(help: .hidden) var clubDescriptor: Int32?

  func validate() throws {
    guard (root == nil) == (data != nil && clubName != nil) else {
      throw ValidationError("byteclub serve needs the folder: --root DIR, or a club of your config: --club NAME.")
    }
  }

  /// As on a command line of byteclub.
  var choice: String { root.map { "--root \($0)" } ?? "--club \(clubName ?? "")" }
}

/// The served club, and the directory of the server's own data about it.
struct ServedRoot {
  /// The served folder, absolute and without links; nil for a club of another store.
  let path: String?
  /// Never inside the folder.
  let directory: PrivateDirectory
  private let options: ServedOptions

  init(_ options: ServedOptions) throws(StoreError) {
    self.options = options
    guard let argument = options.root else {
      path = nil
      directory = try PrivateDirectory(making: options.data ?? "")
      return
    }
    guard let real = realpath(argument, nil) else {
      throw StoreError(
        .notFound, "byteclub cannot serve the folder \"\(argument)\": \(SystemError.text(errno)).",
        remedy: "Make the folder, or name another one with --root.")
    }
    defer { free(real) }
    let path = String(cString: real)
    let data = try ServedRoot.dataDirectory() + "/serve/" + SHA256.hexadecimal(of: path.utf8).prefix(16)
    guard !(data + "/").hasPrefix(path == "/" ? "/" : path + "/") else {
      throw StoreError(
        .badInput, "The server's own data, \"\(data)\", would be inside the served folder.",
        remedy: "Serve another folder, or set XDG_DATA_HOME to a directory outside it.")
    }
    self.path = path
    directory = try PrivateDirectory(making: data)
  }

  /// Opens the club's files.
  func store(_ pool: BlockingPool) throws(StoreError) -> any FileStore {
    if let path {
      return try FolderStore(
        root: path, pool: pool, keepsVersions: false, hidesTrash: false,
        warn: { Logger(label: "store").warning("\($0)") })
    }
    let club = try HandedClub(bytes: try ServedRoot.read(options.clubDescriptor ?? -1))
    return try club.open(pool: pool)
  }

  /// In bytes; nil if unknown.
  var capacity: UInt64? {
    var facts = statvfs()
    guard let path, statvfs(path, &facts) == 0 else { return nil }
    return UInt64(facts.f_frsize) * UInt64(facts.f_blocks)
  }

  func members() throws(StoreError) -> ServerMembersDatabase {
    try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  }

  func complainOfDamage(_ members: ServerMembersDatabase) throws(StoreError) {
    guard let damaged = members.damagedFile else { return }
    Output.complain(
      MemberList.notice(ofDamage: damaged, left: try members.members().map(\.name), choice: options.choice))
  }

  /// Reads what byteclub has written into a pipe before it became this program.
  private static func read(_ descriptor: Int32) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = OpenFile(owning: descriptor)
      while bytes.count <= HandedClub.mostBytes {
        let chunk = try file.readNext(HandedClub.mostBytes)
        if chunk.isEmpty { return bytes }
        bytes += chunk
      }
    } catch {
      throw StoreError(
        .badInput, "The description of the club cannot be read: \(error).",
        remedy: "Start the server with: byteclub serve --club NAME")
    }
    throw StoreError(.tooLarge, "The description of the club has more than \(HandedClub.mostBytes) bytes.")
  }

  /// As in the app: XDG Base Directory Specification, version 0.8.
  private static func dataDirectory() throws(StoreError) -> String {
    func directory(_ name: String) -> String? {
      guard let value = variable(name), value.hasPrefix("/") else { return nil }
      return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
    }
    if let value = directory("XDG_DATA_HOME") { return value + "/byteclub" }
    if let home = directory("HOME") { return home + "/.local/share/byteclub" }
    throw StoreError(
      .badInput, "Your home directory is unknown: HOME is not set.",
      remedy: "Set HOME or XDG_DATA_HOME.")
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
