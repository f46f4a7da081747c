import Basics
import Database
import FileStores
import Glibc
import StoreServer

struct ServedRoot {
  /// Absolute, without links.
  let path: String
  /// Never inside the folder.
  let directory: PrivateDirectory

  init(_ argument: String) throws(StoreError) {
    guard let real = realpath(argument, nil) else {
      throw StoreError(
        .notFound, "byteclub cannot serve the folder \"\(argument)\": \(SystemError.text(errno)).",
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

  func members() throws(StoreError) -> ServerMembersDatabase {
    try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  }

  func complainOfDamage(_ members: ServerMembersDatabase) throws(StoreError) {
    guard let damaged = members.damagedFile else { return }
    Output.complain(
      MemberList.notice(ofDamage: damaged, left: try members.members().map(\.name), root: path))
  }

  /// As in the app: XDG Base Directory Specification, version 0.8.
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
