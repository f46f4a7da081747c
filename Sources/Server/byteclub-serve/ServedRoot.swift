import Accounts
import ArgumentParser
import Backends
import Basics
import Database
import FileStores
import POSIX
import Logging
import StoreServer

/// Names the clubs. `byteclub serve --club NAME` passes the hidden options.
struct ServedOptions: ParsableArguments {
  @Option(help: "The folder to serve. With --club NAME instead, byteclub serves a club of your config.")
  var root: String?
  @Option(
    help: ArgumentHelp(
      "A club's name and folder, in place of --root; repeatable. One server then serves several clubs at one address, "
        + "and a member's token chooses the club. With --root too, only the club in that folder.",
      valueName: "name=dir"))
  var clubRoot: [String] = []
  @Option(
    help: ArgumentHelp(
      "Where the server keeps members, index, secrets and keys: outside the served folder. With --club-root each club has "
        + "a directory of its name in it. Without this option, it is below the home of the folder's owner.",
      valueName: "dir"))
  var state: String?
  /// `OptionsFile` has put the options in its place.
  @Option(
    help: ArgumentHelp(
      "A JSON file with options of \"run\" by their names, such as { \"listen\": \"0.0.0.0:8443\", \"tls-self\": true }, for "
        + "the server and for commands about its clubs. Options on the command line come first.", valueName: "file"),
    completion: .file())
  var config: String?
  @Option(help: .hidden) var clubName: String?
  @Option(help: .hidden) var data: String?
  @Option(help: .hidden) var clubDescriptor: Int32?

  func validate() throws {
    let names = try clubRoot.map { try ServedPlace(clubRoot: $0).name }
    if let twice = Dictionary(grouping: names, by: { $0 }).first(where: { $0.value.count > 1 })?.key {
      throw ValidationError("Two clubs have the name \"\(twice)\". Give each --club-root a name of its own.")
    }
  }

  /// - Throws: `ValidationError` unless the clubs are named in one way.
  func places() throws -> [ServedPlace] {
    let state = state.map(Folders.absolute)
    let clubs = try clubRoot.map { try ServedPlace(clubRoot: $0, state: state) }
    if let root, !clubs.isEmpty {
      if let one = clubs.first(where: { $0.isIn(root) }) { return [one] }
      throw ValidationError(
        "\"\(root)\" is none of the folders of --club-root. Name one of them, or leave one option out.")
    }
    let ways = [root != nil, !clubRoot.isEmpty, data != nil && clubName != nil]
    guard ways.count(where: { $0 }) == 1 else {
      throw ValidationError(
        "byteclub serve needs the folder: --root DIR, or a club of your config: --club NAME, or several folders: "
          + "--club-root NAME=DIR.")
    }
    let named = state.map { " --state \(PathText.plainWord($0))" } ?? ""
    if let root {
      return [
        ServedPlace(
          name: nil, root: root, data: state, descriptor: nil, choice: "--root \(PathText.plainWord(root))\(named)")
      ]
    }
    if !clubs.isEmpty { return clubs }
    let name = clubName ?? ""
    return [
      ServedPlace(
        name: name, root: nil, data: state ?? data ?? "", descriptor: clubDescriptor,
        choice: "--club \(PathText.plainWord(name))\(named)")
    ]
  }

  /// For a command about one club.
  func onlyPlace() throws -> ServedPlace {
    let places = try places()
    guard places.count == 1 else { throw ValidationError("This command is for one club. Name its folder: --root DIR") }
    return places[0]
  }
}

/// One club on a command line.
struct ServedPlace: Sendable {
  /// nil for the name of the folder.
  let name: String?
  let root: String?
  /// The directory of the server's own data; nil for the folder's usual one.
  let data: String?
  let descriptor: Int32?
  /// As on a command line of byteclub.
  let choice: String
}

extension ServedPlace {
  private static let mostLetters = 64

  /// - Parameters:
  ///   - clubRoot: `NAME=DIR`.
  ///   - state: the directory of the data of all clubs.
  init(clubRoot: String, state: String? = nil) throws {
    let parts = clubRoot.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let isPlain = parts[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    guard parts.count == 2, isPlain, (1...ServedPlace.mostLetters).contains(parts[0].count), !parts[1].isEmpty else {
      throw ValidationError(
        "--club-root needs NAME=DIR, such as garage=/srv/garage; a name has up to 64 letters, digits, dots and dashes.")
    }
    let data = state.map { $0 + "/" + parts[0] }
    self.init(
      name: parts[0], root: parts[1], data: data, descriptor: nil,
      choice: "--root \(PathText.plainWord(parts[1]))" + (data.map { " --state \(PathText.plainWord($0))" } ?? ""))
  }

  func isIn(_ folder: String) -> Bool {
    root.map { Folders.resolved($0) == Folders.resolved(folder) } ?? false
  }
}

/// The served club, and the directory of the server's own data about it.
struct ServedRoot: Sendable {
  let name: String
  /// The served folder, absolute and without links; nil for a club of another store.
  let path: String?
  /// Never inside the folder.
  let directory: PrivateDirectory
  let choice: String
  private let descriptor: Int32?

  /// - Parameters:
  ///   - mayBeUnfinished: true for the command that ends a restoration.
  ///   - asOwner: root works as the folder's owner if the data are below the owner's home.
  /// - Throws: `notFound` without the folder, `conflict` if its restoration was not ended.
  init(
    _ place: ServedPlace, mayBeUnfinished: Bool = false, asOwner: Bool = false
  ) throws(StoreError) {
    (choice, descriptor) = (place.choice, place.descriptor)
    guard let argument = place.root else {
      (name, path) = (place.name ?? "", nil)
      directory = try ServedRoot.makeState(place.data ?? "", isNamed: true, of: "")
      return
    }
    guard let real = realpath(argument, nil) else {
      throw StoreError(
        .notFound, "byteclub cannot serve the folder \"\(argument)\": \(SystemError.text(errno)).",
        remedy: "Make the folder, or name another one with --root.")
    }
    defer { free(real) }
    let path = String(cString: real)
    let data = if let named = place.data { named } else { try ServedRoot.state(of: path) }
    guard !ServedRoot.isSame(Folders.resolved(data), orBelow: path) else {
      throw StoreError(
        .badInput, "The server's own data, \"\(data)\", would be inside the served folder.",
        remedy: "Serve another folder, or name a directory outside it with --state.")
    }
    self.path = path
    name = place.name ?? String(path.split(separator: "/").last ?? "club")
    directory = try ServedRoot.makeState(data, isNamed: place.data != nil, of: path, asOwner: asOwner)
    if !mayBeUnfinished { try ClubRestoration.checkWhole(directory, choice: choice) }
  }

  /// - Throws: `badInput` if a club's folder is another one's or inside it: its members could then read both.
  static func checkApart(_ roots: [ServedRoot]) throws(StoreError) {
    for (number, one) in roots.enumerated() {
      for other in roots.dropFirst(number + 1) {
        guard let first = one.path, let second = other.path,
          isSame(first, orBelow: second) || isSame(second, orBelow: first)
        else { continue }
        throw StoreError(
          .badInput, "The folders of the clubs \"\(one.name)\" and \"\(other.name)\" overlap: \(first), \(second).",
          remedy: "Give each club a folder of its own.")
      }
    }
  }

  static func isSame(_ path: String, orBelow folder: String) -> Bool {
    (path + "/").hasPrefix(folder == "/" ? "/" : folder + "/")
  }

  /// The club for the server.
  func source(_ members: ServerMembersDatabase, _ pool: BlockingPool) throws(StoreError) -> ClubSource {
    var source = ClubSource(name: name, store: try store(pool), directory: directory, members: members)
    guard let path else { return source }
    source.capacity = { ServedRoot.disk(path).map { UInt64($0.f_frsize) * UInt64($0.f_blocks) } }
    source.available = { ServedRoot.disk(path).map { UInt64($0.f_frsize) * UInt64($0.f_bavail) } }
    source.check = { () throws(StoreError) in try ServedRoot.checkFolder(path) }
    return source
  }

  private static func disk(_ path: String) -> statvfs? {
    var facts = statvfs()
    return statvfs(path, &facts) == 0 ? facts : nil
  }

  /// Opens the club's files.
  private func store(_ pool: BlockingPool) throws(StoreError) -> any FileStore {
    if let path {
      return try FolderStore(
        root: path, pool: pool, keepsVersions: false, hidesTrash: false,
        warn: { Logger(label: "store").warning("\($0)") })
    }
    let club = try ClubDescription(bytes: try ServedRoot.read(descriptor ?? -1))
    return try club.open(pool: pool)
  }

  private static let ownKey: Substring = "own key"
  private static let addressFile = "address"

  /// The address by which members reach the server, as it was last started with; nil if it never was.
  func address() throws(StoreError) -> String? { try reach().first.flatMap { $0.isEmpty ? nil : String($0) } }

  /// False before the first start, and in a club that was restored and not started since.
  func wasStarted() throws(StoreError) -> Bool { try !reach().isEmpty }

  /// The pin of the key that the server made itself; nil if it was last started with another certificate, or without one.
  func pin() throws(StoreError) -> KeyPin? {
    try reach().last == ServedRoot.ownKey ? try OwnCertificate.pin(in: directory) : nil
  }

  /// - Parameter address: nil for the address that is remembered.
  func remember(_ address: ServerAddress?, hasOwnKey: Bool) throws(StoreError) {
    let known = try reach()
    let lines = [address?.origin ?? known.first.map(String.init) ?? ""] + (hasOwnKey ? [String(ServedRoot.ownKey)] : [])
    guard lines.map({ $0[...] }) != known else { return }
    try directory.write(Array(lines.joined(separator: "\n").utf8), as: ServedRoot.addressFile)
  }

  /// The address, and `ownKey` if members are pinned.
  private func reach() throws(StoreError) -> [Substring] {
    let bytes = try directory.read(ServedRoot.addressFile, limit: 4096)
    return bytes.map { String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) }
      ?? []
  }

  /// Opens the list of members. A new one belongs to the owner of its directory; read alone, it is not made.
  func members(isReadOnly: Bool = false) throws(StoreError) -> ServerMembersDatabase {
    let isNew = !hasMembers
    try checkLinks()
    let path = directory.path(of: ServedRoot.membersFile)
    if isReadOnly { return try isNew ? ServerMembersDatabase(path: ":memory:") : ServerMembersDatabase(reading: path) }
    let members = try ServerMembersDatabase(path: path)
    if isNew { giveToOwner() }
    return members
  }

  /// The index of the club, to be read; nil before the first start of a server.
  func index() throws(StoreError) -> ServerIndexDatabase? {
    guard directory.holds(ServedRoot.indexFile) else { return nil }
    return try ServerIndexDatabase(reading: directory.path(of: ServedRoot.indexFile))
  }

  var hasMembers: Bool { directory.holds(ServedRoot.membersFile) }

  func complainOfDamage(_ members: ServerMembersDatabase) throws(StoreError) {
    guard let damaged = members.damagedFile else { return }
    Output.complain(
      MemberList.notice(ofDamage: damaged, left: try members.members().map(\.name), choice: choice))
  }

  /// Says that the list of members is damaged, or that there are none.
  func complain(of members: ServerMembersDatabase, isOnly: Bool) throws(StoreError) {
    try complainOfDamage(members)
    guard try members.members().isEmpty else { return }
    let club = isOnly ? "This club" : "The club \"\(name)\""
    Output.complain("\(club) has no members yet. Invite one: byteclub serve invite NAME \(choice)")
  }

  /// Reads the bytes that byteclub has written into a pipe before it became this program.
  private static func read(_ descriptor: Int32) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = OpenFile(owning: descriptor)
      while bytes.count <= ClubDescription.mostBytes {
        let chunk = try file.readNext(ClubDescription.mostBytes)
        if chunk.isEmpty { return bytes }
        bytes += chunk
      }
    } catch {
      throw StoreError(
        .badInput, "The description of the club cannot be read: \(error).",
        remedy: "Start the server with: byteclub serve --club NAME")
    }
    throw StoreError(.tooLarge, "The description of the club has more than \(ClubDescription.mostBytes) bytes.")
  }
}
