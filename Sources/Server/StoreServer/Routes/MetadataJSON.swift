import Basics
import Database
import FileStores
import Imaging
import JSON

extension JSON {
  /// `tagged` is true where the API allows one of several types. A file's entry is complete: all that is ever said of a
  /// `rev` is said at once.
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
      ] + (node.hash.map { [JSONMember("content_hash", .string($0.hex))] } ?? []) + sharing(node.author))
  }

  /// The API's `sharing_info`: the club is a folder that its members share.
  private static func sharing(_ author: ServerAuthor?) -> [JSONMember] {
    guard let author else { return [] }
    return [
      JSONMember(
        "sharing_info",
        .members([
          "read_only": false, "parent_shared_folder_id": "club",
          "modified_by": .string(RouteTable.accountID(author)),
        ]))
    ]
  }

  /// Adds that a file has no members of its own: every member may use the whole club.
  func withMembers(_ isWanted: Bool) -> JSON {
    guard isWanted, self[".tag"] == "file" else { return self }
    return adding([JSONMember("has_explicit_shared_members", false)])
  }

  /// A version that is not kept, marked by a field that Dropbox does not have.
  var unkept: JSON { adding([JSONMember("is_kept", false)]) }

  static func metadata(_ revision: ServerRevision) -> JSON {
    metadata(
      ServerNode(
        key: revision.key, id: revision.id, display: revision.display, path: .root, isFolder: false,
        size: revision.size, rev: revision.rev, hash: revision.hash, clientModified: revision.clientModified,
        serverModified: revision.serverModified, author: revision.author), tagged: false)
  }
}

extension ServerNode {
  var name: String { PathText.name(display) }
}

extension Call {
  func refuseProperties(_ argument: Argument) throws(APIFailure) {
    for key in ["include_property_groups", "include_property_templates"] {
      try argument.refuse(key, because: "this server keeps no properties")
    }
    guard argument.has("property_groups") else { return }
    guard try argument.array("property_groups").isEmpty else {
      throw argument.fault("property_groups", "this server keeps no properties")
    }
  }
}

/// The API's `media_info` of a picture: its size in pixels and the camera's time; nil if unreadable.
enum MediaInfo {
  static func json(of node: ServerNode, in club: ServedClub) async throws -> JSON? {
    guard !node.isFolder, ThumbnailOrder.isSupported(node.key) else { return nil }
    var bytes: [UInt8] = []
    do {
      try await club.send(node, from: 0) { chunk throws(StoreError) in
        bytes += chunk.prefix(PictureHeader.usualPrefix - bytes.count)
        return bytes.count < PictureHeader.usualPrefix
      }
    } catch let error as StoreError where error.tellsOfChange {
      return nil
    }
    return json(of: bytes)
  }

  /// The beginning of a picture is enough.
  static func json(of bytes: [UInt8]) -> JSON? {
    let header: PictureHeader
    do throws(ImageError) {
      header = try PictureHeader.read(bytes)
    } catch {
      return nil
    }
    let dimensions = JSON.members(["height": .number(header.size.height), "width": .number(header.size.width)])
    // The API's time is in UTC; a camera that does not say its zone has its own time there.
    let taken = header.captured.map { date in
      JSON.string(CivilTime(secondsSince1970: date.secondsByClock - (date.secondsFromUTC ?? 0)).utc)
    }
    return .members([
      ".tag": "metadata",
      "metadata": .members([".tag": "photo", "dimensions": dimensions, "time_taken": taken]),
    ])
  }
}
