internal import FileStores
internal import JSON

struct DropboxRefusal: DropboxRefusing {
  /// The error's tags, outermost first: `["path", "conflict", "file"]`.
  let tags: [String]
  let correctOffset: UInt64?
  let route: DropboxRoute

  init?(_ body: JSONValue, _ route: DropboxRoute) {
    self.route = route
    var tags: [String] = []
    var offset: UInt64?
    var at = body["error"]
    while let union = at, tags.count < 8 {
      guard let tag = union.text ?? union[".tag"]?.text else { break }
      tags.append(tag)
      offset = offset ?? union["correct_offset"]?.count
      // A nested union is a member named like its tag. `UploadError`'s "path" is a struct with the union in "reason".
      at = union[tag] ?? union["reason"]
    }
    if tags.isEmpty, let summary = body["error_summary"]?.text {
      tags = summary.split(separator: "/").map(String.init).filter { $0.contains { $0 != "." } }
    }
    guard !tags.isEmpty else { return nil }
    self.tags = tags
    correctOffset = offset
  }

  static func noSpace(_ path: StorePath, _ server: DropboxServer) -> StoreError {
    StoreError(
      .quota, "\(server.name) has no space left for \"\(path)\".",
      remedy: server == .official
        ? "Delete some files and empty the trash, then try again."
        : "A quota may be full, in which the trash counts: delete some files and empty the trash (byteclub trash "
          + "empty), or ask the server's owner for more space.", path: path)
  }

  func has(_ tag: String) -> Bool { tags.contains(tag) }

  var isConflict: Bool { has("conflict") }
  var isReset: Bool { has("reset") }

  func error(_ path: StorePath, _ server: DropboxServer) -> StoreError {
    func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String = "") -> StoreError {
      StoreError(kind, message, remedy: remedy, path: path)
    }
    for tag in tags.reversed() {
      switch tag {
      case "not_found": return error(.notFound, "\"\(path)\" does not exist.")
      case "not_file": return error(.badInput, "\"\(path)\" is a folder, not a file.")
      case "not_folder": return error(.badInput, "\"\(path)\" is not a folder.")
      case "malformed_path", "disallowed_name":
        return error(.badName, "\(server.name) cannot hold the name \"\(path)\".", "Choose another name.")
      case "file_ancestor":
        return error(.exists, "\"\(path)\" cannot exist: a part of its path is a file.", "Choose another folder.")
      case "conflict":
        return error(.exists, "\"\(path)\" already exists.", "Choose another name.")
      case "insufficient_space", "insufficient_quota":
        return DropboxRefusal.noSpace(path, server)
      // The reason that byteclub's own server adds to the one above.
      case "server_disk":
        return error(
          .quota, "\(server.name) has no space left on its own disk for \"\(path)\".",
          "Ask the server's owner to free some space there, then try again.")
      case "too_many_write_operations", "too_many_requests":
        return error(
          .rateLimited, "\(server.name) has too many writes at the moment.", "Try again in a moment.")
      case "no_write_permission", "access_restricted", "restricted_content", "team_folder", "operation_suppressed",
        "no_permission", "not_allowed":
        return error(
          .notPermitted,
          "\(server.name) does not permit this with \"\(path)\" (\(tags.joined(separator: "/").asServersWords)).",
          "Ask the owner of the folder for permission.")
      case "email_not_verified":
        return error(.notPermitted, "The address of your account is not verified.", "Verify it at \(server.name).")
      case "locked":
        return error(.rateLimited, "\"\(path)\" is locked by another member or program.", "Try again later.")
      case "too_large" where path.isRoot, "payload_too_large" where path.isRoot:
        // An upload in pieces gets its path at the end.
        return error(
          .tooLarge, "The upload is larger than \(server.name) takes, or your unfinished uploads are together.",
          "See the unfinished ones with: byteclub transfer ls")
      case "too_large", "payload_too_large":
        return error(.tooLarge, "\"\(path)\" is larger than \(server.name) takes.")
      case "too_many_files":
        return error(
          .tooLarge, "\"\(path)\" holds more files than \(server.name) takes at once.",
          "Do it folder by folder.")
      case "content_hash_mismatch":
        return error(.server, "\"\(path)\" was damaged on the way.", "Try again.")
      case "unsupported_file", "unsupported_content_type":
        return error(
          .unsupported, "\(server.name) does not offer \"\(path)\" as a file.", "Open it with a browser.")
      case "cant_move_folder_into_itself", "duplicated_or_nested_paths":
        return error(.badInput, "\"\(path)\" cannot be moved into itself.")
      case "reset": return error(.badInput, "\(server.name) has lost the position in the list.", "Refresh the list.")
      case "internal_error": return error(.server, "\(server.name) failed at \(route.rawValue).", "Try again later.")
      default: continue
      }
    }
    return error(
      .notPermitted,
      "\(server.name) refused \(route.rawValue) for \"\(path)\": \(tags.joined(separator: "/").asServersWords).")
  }
}
