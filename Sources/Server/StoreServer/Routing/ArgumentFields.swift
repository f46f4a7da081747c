import JSON

/// The members of each call's argument, from Dropbox's description of the API. Any other member is refused, as at
/// Dropbox, because a client could believe that it has an effect.
enum ArgumentFields {
  private static let metadata =
    "path include_media_info include_deleted include_has_explicit_shared_members include_property_groups"
  private static let relocation = "from_path to_path allow_shared_folder autorename allow_ownership_transfer"
  private static let commit = "path mode mode.update autorename client_modified mute property_groups strict_conflict"
  private static let listing =
    "path recursive include_media_info include_deleted include_has_explicit_shared_members include_mounted_folders limit "
    + "shared_link shared_link.url shared_link.password include_property_groups include_non_downloadable_files "
    + "include_restorable_info"
  private static let picture = "path format size mode quality exclude_media_info preserve_transparency"
  private static let cursor = "cursor cursor.session_id cursor.offset"

  private static let search =
    "query options options.path options.max_results options.order_by options.file_status options.filename_only "
    + "options.file_extensions options.file_categories options.account_id match_field_options "
    + "match_field_options.include_highlights include_highlights"
  private static let sharedLink = "url path link_password"
  private static let job = "async_job_id"
  private static let relocations = "entries entries.from_path entries.to_path autorename allow_ownership_transfer"
  private static let linkSettings = below(
    "settings",
    "require_password link_password expires audience access requested_visibility allow_download")
  private static let link = "commit_info duration " + below("commit_info", commit)
  private static let append = "entries entries.length entries.close content_hash " + below("entries", cursor)
  private static let pictures = "entries " + below("entries", picture)
  private static let upload = commit + " content_hash"
  private static let appendOne = cursor + " close content_hash"
  private static let finishOne = cursor + " commit content_hash " + below("commit", commit)
  private static let finish = [
    "entries", below("entries", cursor), "entries.commit", below("entries.commit", commit), "entries.content_hash",
  ].joined(separator: " ")

  /// By the route's name; `a.b` is the member `b` of the object `a`. Other routes take anything.
  private static let words: [String: String] = [
    "byteclub/drop_page": "path from expires limit",
    "byteclub/show":
      "sight sight.path sight.view sight.view.yaw sight.view.pitch sight.view.width sight.points sight.edits "
      + "sight.line sight.line.number sight.line.rev sight.follows",
    "byteclub/watch": "form",
    "files/alpha/get_metadata": metadata + " include_property_templates", "files/alpha/upload": upload,
    "files/copy": relocation, "files/copy_batch": relocations + " allow_shared_folder",
    "files/copy_batch/check": job, "files/copy_batch/check_v2": job,
    "files/copy_batch_v2": "entries entries.from_path entries.to_path autorename",
    "files/copy_reference/get": "path", "files/copy_reference/save": "copy_reference path",
    "files/copy_v2": relocation,
    "files/create_folder": "path autorename", "files/create_folder_batch": "paths autorename force_async",
    "files/create_folder_batch/check": job, "files/create_folder_v2": "path autorename",
    "files/delete": "path parent_rev", "files/delete_batch": "entries entries.path entries.parent_rev",
    "files/delete_batch/check": job, "files/delete_v2": "path parent_rev", "files/download": "path rev",
    "files/download_zip": "path", "files/export": "path export_format",
    "files/get_file_lock_batch": "entries entries.path", "files/get_metadata": metadata,
    "files/get_preview": "path rev", "files/get_temporary_link": "path",
    "files/get_temporary_upload_link": link,
    "files/get_thumbnail": picture, "files/get_thumbnail_batch": pictures,
    "files/get_thumbnail_v2":
      "resource resource.path resource.link resource.url resource.password format size mode quality exclude_media_info "
      + "preserve_transparency",
    "files/list_folder": listing, "files/list_folder/continue": "cursor",
    "files/list_folder/get_latest_cursor": listing, "files/list_folder/longpoll": "cursor timeout",
    "files/list_revisions": "path mode limit before_rev include_restorable_info", "files/move": relocation,
    "files/lock_file_batch": "entries entries.path", "files/move_batch": relocations + " allow_shared_folder",
    "files/move_batch/check": job, "files/move_batch/check_v2": job, "files/move_batch_v2": relocations,
    "files/move_v2": relocation, "files/permanently_delete": "path parent_rev", "files/restore": "path rev",
    "files/search": "path query start max_results mode",
    "files/save_url": "path url", "files/save_url/check_job_status": job,
    "files/search/continue_v2": "cursor",
    "files/search_v2": search,
    "files/tags/add": "path tag_text", "files/tags/get": "paths", "files/tags/remove": "path tag_text",
    "files/unlock_file_batch": "entries entries.path", "files/upload": upload,
    "files/upload_session/append": "session_id offset",
    "files/upload_session/append_batch": append,
    "files/upload_session/append_v2": appendOne,
    "files/upload_session/finish": finishOne,
    "files/upload_session/finish_batch": finish, "files/upload_session/finish_batch/check": job,
    "sharing/create_shared_link_with_settings": "path settings " + linkSettings,
    "sharing/get_shared_link_file": sharedLink, "sharing/get_shared_link_metadata": sharedLink,
    "sharing/list_shared_links": "path cursor direct_only byteclub_drop_pages",
    "sharing/modify_shared_link_settings": "url settings remove_expiration " + linkSettings,
    "sharing/revoke_shared_link": "url",
    "files/upload_session/finish_batch_v2": finish, "files/upload_session/start": "close session_type content_hash",
    "files/upload_session/start_batch": "session_type num_sessions", "users/features/get_values": "features",
    "users/get_account": "account_id", "users/get_account_batch": "account_ids",
  ]
  private static let known = words.mapValues { Set($0.split(separator: " ").map(String.init)) }

  private static func below(_ name: String, _ fields: String) -> String {
    fields.split(separator: " ").map { name + "." + $0 }.joined(separator: " ")
  }

  /// Refuses an argument with a member that the route does not know. `place` begins the message.
  static func check(_ argument: JSON, of route: Route, place: String) throws(APIFailure) {
    guard let known = known[route.name] else { return }
    try check(argument, "", known, place)
  }

  private static func check(
    _ value: JSON, _ prefix: String, _ known: Set<String>, _ place: String
  ) throws(APIFailure) {
    switch value {
    case .object(let members):
      // An object without known members is left to its reader.
      guard prefix.isEmpty || known.contains(where: { $0.hasPrefix(prefix) }) else { return }
      for member in members where member.key != ".tag" {
        guard known.contains(prefix + member.key) else {
          throw .badArgument("\(place)\(prefix.replacing(".", with: ": "))unknown field '\(member.key)'")
        }
        try check(member.value, prefix + member.key + ".", known, place)
      }
    case .array(let elements): for element in elements { try check(element, prefix, known, place) }
    default: return
    }
  }
}
