import Database
import FileStores
import Glibc
import StoreServer

/// A folder that is served, and the directory of the server's own that goes with it.
struct ServedRoot {
  /// The folder, absolute and without links.
  let path: String
  /// The server's own data: never inside the folder.
  let directory: PrivateDirectory

  init(_ argument: String) throws(StoreError) {
    guard let real = realpath(argument, nil) else {
      throw StoreError(
        .notFound, "byteclub cannot serve the folder \"\(argument)\": \(String(cString: strerror(errno))).",
        remedy: "Make the folder, or name another one with --root.")
    }
    defer { free(real) }
    path = String(cString: real)
    let data = try ServedRoot.dataDirectory() + "/serve/" + SHA256.hexadecimal(of: path.utf8).prefix(16)
    guard !(data + "/").hasPrefix(path == "/" ? "/" : path + "/") else {
      throw StoreError(
        .badInput, "The server's own data, \"\(data)\", would be inside the served folder.",
        remedy: "Serve another folder, or set XDG_DATA_HOME to a directory outside it.")
    }
    directory = try PrivateDirectory(making: data)
  }

  /// The members and their tokens.
  func members() throws(StoreError) -> ServerMembersDatabase {
    try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  }

  /// Says so when the list of members was damaged, and what to do.
  func complainOfDamage(_ members: ServerMembersDatabase) throws(StoreError) {
    guard let damaged = members.damagedFile else { return }
    Output.complain(
      MemberList.notice(ofDamage: damaged, left: try members.members().map(\.name), root: path))
  }

  /// As the app has it: XDG Base Directory Specification, version 0.8.
  private static func dataDirectory() throws(StoreError) -> String {
    if let value = variable("XDG_DATA_HOME") { return value + "/byteclub" }
    if let home = variable("HOME") { return home + "/.local/share/byteclub" }
    throw StoreError(
      .badInput, "Your home directory is unknown: HOME is not set.",
      remedy: "Set HOME or XDG_DATA_HOME.")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
    return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
  }
}
