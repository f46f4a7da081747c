import Database
import FileStores
import JSON

extension JSON {
  /// What version 1 says of a file or folder.
  static func version1(_ node: ServerNode, isSandbox: Bool) -> JSON {
    let isFile = !node.isFolder
    let size = node.isDeleted || node.isFolder ? 0 : node.size
    let name = PathText.name(node.display)
    let kind = V1FileKind(name)
    var members: [JSONMember] = [
      JSONMember("size", .string(V1FileKind.sizeText(size))), JSONMember("bytes", .number(size)),
      JSONMember("path", .string(node.display.isEmpty ? "/" : node.display)),
      JSONMember("is_dir", .bool(node.isFolder)),
      JSONMember(
        "thumb_exists", .bool(isFile && !node.isDeleted && kind.isPicture && size <= V1FileKind.largestPicture)),
      JSONMember("icon", .string(node.isFolder ? "folder" : kind.icon)),
      JSONMember("root", .string(isSandbox ? "app_folder" : "dropbox")),
    ]
    if node.isDeleted { members.append(JSONMember("is_deleted", true)) }
    // The root has neither a time nor a version.
    guard !node.display.isEmpty else { return .object(members) }
    let rev = isFile ? node.rev : node.sequence
    members += [JSONMember("rev", .string(Rev.text(rev))), JSONMember("revision", .integer(rev))]
    guard isFile else { return .object(members) }
    members += [
      JSONMember("modified", .string(V1Time.text(node.serverModified))),
      JSONMember("client_mtime", .string(V1Time.text(node.clientModified))),
      JSONMember("mime_type", .string(kind.type)),
    ]
    return .object(members)
  }
}
