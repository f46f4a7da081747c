import Database
import FileStores
import JSON

extension JSON {
  /// What the API says of a file or folder. `tagged` where the type may be one of several.
  static func metadata(_ node: ServerNode, tagged: Bool = true) -> JSON {
    let name = JSON.string(node.name)
    let places: [JSONMember] = [
      JSONMember("path_lower", .string(node.key)), JSONMember("path_display", .string(node.display)),
    ]
    let kind = node.isDeleted ? "deleted" : node.isFolder ? "folder" : "file"
    var members = tagged ? [JSONMember(".tag", .string(kind))] : []
    members.append(JSONMember("name", name))
    if !node.isDeleted { members.append(JSONMember("id", .string(node.id))) }
    members += places
    guard !node.isDeleted, !node.isFolder else { return .object(members) }
    return .object(
      members + [
        JSONMember("client_modified", .string(WireTime.text(node.clientModified))),
        JSONMember("server_modified", .string(WireTime.text(node.serverModified))),
        JSONMember("rev", .string(Rev.text(node.rev))), JSONMember("size", .number(node.size)),
        JSONMember("is_downloadable", true),
      ] + (node.hash.map { [JSONMember("content_hash", .string($0.hex))] } ?? []))
  }

  /// The same, and of a file that nobody was let in to it alone: whoever may use the club may use all of it.
  func withMembers(_ isWanted: Bool) -> JSON {
    guard isWanted, self[".tag"] == "file" else { return self }
    return adding([JSONMember("has_explicit_shared_members", false)])
  }

  /// The same of a version that is not kept, with a field that is not Dropbox's.
  var unkept: JSON { adding([JSONMember("is_kept", false)]) }

  /// What the API says of an old version.
  static func metadata(_ revision: ServerRevision) -> JSON {
    metadata(
      ServerNode(
        key: revision.key, id: revision.id, display: revision.display, path: .root, isFolder: false,
        size: revision.size, rev: revision.rev, hash: revision.hash, clientModified: revision.clientModified,
        serverModified: revision.serverModified), tagged: false)
  }
}

extension ServerNode {
  /// The last part of the shown path.
  var name: String { PathText.name(display) }
}

extension Call {
  /// Refuses to look for, or to keep, what programs tell of files in templates of their own.
  func refuseProperties(_ argument: Argument) throws(APIFailure) {
    try argument.refuse("include_property_groups", because: "this server keeps no properties")
    guard argument.has("property_groups") else { return }
    guard try argument.array("property_groups").isEmpty else {
      throw argument.fault("property_groups", "this server keeps no properties")
    }
  }

  /// What the API says of a node, with its checksum.
  func metadata(_ node: ServerNode, tagged: Bool = true) async throws -> JSON {
    .metadata(try await club.index.hashed(node), tagged: tagged)
  }
}
