import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

@Suite(.serialized) struct HostilePathTests {
  /// Ways out of a folder that have worked somewhere, and paths that have upset servers.
  static let paths: [String] = {
    let targets = ["canary", "data/members.sqlite", "etc/passwd"]
    let ups = [
      "..", ".", "...", "%2e%2e", "%2E%2E", "%252e%252e", "..%2f", "..%5c", "..\\", "\u{2025}", "\u{FF0E}\u{FF0E}",
      "..;", ";..", ".. ", " ..", "..\u{0}", "..\u{1}", "..\n", "\u{202E}..", ".\u{200B}.", "%c0%ae%c0%ae",
    ]
    var paths = ups.flatMap { up in targets.map { "/\(up)/\($0)" } }
    paths += ups.map { "/a/\($0)/\($0)/canary" } + ups.map { "/\($0)" }
    paths += [
      "../canary", "..", ".", "//etc/passwd", "/etc//passwd", "/a//b", "///", "/a/", "/a/.", "/a/..", "/./a", "~",
      "~/x",
      "/~root", "C:\\x", "/C:\\x", "\\\\host\\share", "/\\..\\..\\x", "file:///etc/passwd", "/a\u{0}b", "/\u{0}",
      "id:../../canary", "id:/../canary", "id:", "id:root", "id:root/../canary", "rev:", "rev:../../../x",
      "rev:0123456789abcdef0123456789abcdef", "ns:1", "ns:1/../x", "ns:/x", "ns:99999999999999999999/x",
      "ns:SPACE/../canary",
      "ns:SPACE/..", "/.byteclub/trash/x", "/.byteclub", "/.BYTECLUB-x", "/.byteclub-tmp-1", "/x/.byteclub/y",
      "/folder-link/canary", "/link", "/folder-link", "/folder-link/../canary", "/pipe", "/pipe/x",
      "/" + String(repeating: "a", count: 256), "/" + String(repeating: "a/", count: 3000) + "a",
      "/" + String(repeating: "../", count: 300) + "canary", "/" + String(repeating: "x", count: 8000),
      "/-rf", "/$(touch x)", "/`id`", "/;id", "/|id", "/a\r\nX-Header: y", "/%00", "/%", "/%zz", "/nul", "/con",
      "/desktop.ini", "/.DS_Store", "/Thumbs.db", "/icon\r", "/.dropbox",
    ]
    return paths
  }()

  /// The routes that take paths, and the argument of each with the path in it.
  static let routes: [(String, @Sendable (String) -> JSON)] = [
    ("files/list_folder", { ["path": .string($0)] }),
    ("files/list_folder/get_latest_cursor", { ["path": .string($0)] }),
    ("files/get_metadata", { ["path": .string($0), "include_deleted": true] }),
    ("files/get_temporary_link", { ["path": .string($0)] }), ("files/create_folder_v2", { ["path": .string($0)] }),
    ("files/create_folder", { ["path": .string($0)] }),
    ("files/create_folder_batch", { ["paths": .array([.string($0)])] }),
    ("files/delete_v2", { ["path": .string($0)] }), ("files/delete", { ["path": .string($0)] }),
    ("files/delete_batch", { ["entries": .array([["path": .string($0)]])] }),
    ("files/move_v2", { ["from_path": .string($0), "to_path": "/moved"] }),
    ("files/move_v2", { ["from_path": "/file", "to_path": .string($0)] }),
    ("files/move", { ["from_path": .string($0), "to_path": "/moved"] }),
    ("files/copy_v2", { ["from_path": .string($0), "to_path": "/copied"] }),
    ("files/copy_v2", { ["from_path": "/file", "to_path": .string($0)] }),
    ("files/copy", { ["from_path": "/file", "to_path": .string($0)] }),
    ("files/move_batch_v2", { ["entries": .array([["from_path": .string($0), "to_path": "/moved"]])] }),
    ("files/copy_batch_v2", { ["entries": .array([["from_path": "/file", "to_path": .string($0)]])] }),
    ("files/move_batch", { ["entries": .array([["from_path": "/file", "to_path": .string($0)]])] }),
    ("files/move_batch", { ["entries": .array([["from_path": .string($0), "to_path": "/moved"]])] }),
    ("files/copy_batch", { ["entries": .array([["from_path": "/file", "to_path": .string($0)]])] }),
    ("files/copy_reference/get", { ["path": .string($0)] }),
    ("files/copy_reference/save", { ["copy_reference": "x", "path": .string($0)] }),
    ("files/permanently_delete", { ["path": .string($0)] }), ("files/export", { ["path": .string($0)] }),
    ("files/alpha/get_metadata", { ["path": .string($0), "include_deleted": true] }),
    ("files/alpha/upload", { ["path": .string($0), "mode": "overwrite"] }),
    ("files/lock_file_batch", { ["entries": .array([["path": .string($0)]])] }),
    ("files/unlock_file_batch", { ["entries": .array([["path": .string($0)]])] }),
    ("files/get_file_lock_batch", { ["entries": .array([["path": .string($0)]])] }),
    ("files/list_revisions", { ["path": .string($0)] }),
    ("files/restore", { ["path": .string($0), "rev": "0123456789ab"] }),
    ("files/search_v2", { ["query": "canary", "options": ["path": .string($0)]] }),
    (
      "files/upload_session/finish_batch_v2",
      { path in
        [
          "entries": .array([
            ["cursor": ["session_id": "x", "offset": .integer(0)], "commit": ["path": .string(path)]]
          ])
        ]
      }
    ),
    ("files/get_thumbnail_batch", { ["entries": .array([["path": .string($0)]])] }),
    ("files/upload", { ["path": .string($0), "mode": "overwrite"] }),
    (
      "files/upload_session/finish",
      { path in
        ["cursor": ["session_id": "x", "offset": .integer(0)], "commit": ["path": .string(path)]]
      }
    ),
    ("files/download", { ["path": .string($0)] }), ("files/download_zip", { ["path": .string($0)] }),
    ("files/get_thumbnail", { ["path": .string($0)] }), ("files/get_preview", { ["path": .string($0)] }),
    ("files/search", { ["path": .string($0), "query": "a"] }),
    ("files/get_temporary_upload_link", { ["commit_info": ["path": .string($0)]] }),
    ("files/tags/add", { ["path": .string($0), "tag_text": "a"] }),
    ("files/tags/remove", { ["path": .string($0), "tag_text": "a"] }),
    ("files/save_url", { ["path": .string($0), "url": "https://example.org/"] }),
    ("files/tags/get", { ["paths": .array([.string($0)])] }),
    ("files/get_thumbnail_v2", { ["resource": [".tag": "path", "path": .string($0)]] }),
    ("files/get_thumbnail_v2", { ["resource": [".tag": "link", "url": .string($0)]] }),
    ("sharing/create_shared_link_with_settings", { ["path": .string($0)] }),
    ("sharing/list_shared_links", { ["path": .string($0)] }),
    ("sharing/get_shared_link_metadata", { ["url": .string($0)] }),
    ("sharing/get_shared_link_file", { ["url": .string($0)] }),
    ("sharing/modify_shared_link_settings", { ["url": .string($0), "settings": [:]] }),
    ("sharing/revoke_shared_link", { ["url": .string($0)] }),
    ("byteclub/drop_page", { ["path": .string($0)] }),
    ("byteclub/show", { ["sight": ["path": .string($0)]] }),
    ("sharing/share_folder", { ["path": .string($0)] }),
    ("file_requests/create", { ["title": "a", "destination": .string($0)] }),
    ("file_requests/update", { ["id": "a", "destination": .string($0)] }),
  ]

  @Test("There are at least a hundred hostile paths, and every route with a path in it is tried")
  func completeness() {
    #expect(Set(Self.paths).count >= 100)
    let tried = Set(Self.routes.map { "/2/" + $0.0 })
    let others: Set<String> = [
      "/2/users/get_current_account", "/2/users/get_account", "/2/users/get_space_usage", "/2/check/user",
      "/2/check/app", "/2/auth/token/revoke", "/2/files/list_folder/continue", "/2/files/list_folder/longpoll",
      "/2/files/search/continue_v2", "/2/files/upload_session/start", "/2/files/upload_session/append_v2",
      "/2/files/upload_session/start_batch", "/2/files/upload_session/finish_batch",
      "/2/files/upload_session/finish_batch/check", "/2/files/delete_batch/check",
      "/2/files/create_folder_batch/check", "/2/files/move_batch/check_v2", "/2/files/copy_batch/check_v2",
      "/2/files/upload_session/append", "/2/files/upload_session/append_batch", "/2/users/get_account_batch",
      "/2/files/save_url/check_job_status",
      "/2/users/features/get_values", "/2/byteclub/about", "/2/byteclub/join", "/2/byteclub/device_code",
      "/2/byteclub/devices", "/2/byteclub/device_remove", "/2/byteclub/watch",
      "/2/files/move_batch/check", "/2/files/copy_batch/check", "/2/sharing/check_share_job_status",
      "/2/sharing/list_folders", "/2/sharing/list_folders/continue", "/2/sharing/list_mountable_folders",
      "/2/sharing/list_mountable_folders/continue", "/2/sharing/list_received_files",
      "/2/sharing/list_received_files/continue", "/2/file_requests/list", "/2/file_requests/list_v2",
      "/2/file_requests/list/continue", "/2/file_requests/count", "/2/file_requests/get", "/2/file_requests/delete",
      "/2/file_requests/delete_all_closed",
    ]
    let all = Set(RouteTable.all.routes.map(\.path).filter { $0.hasPrefix("/2/") })
    #expect(all.subtracting(others) == tried)
  }

  @Test("A path that goes on from an id, or from the number of the club, is checked like any other")
  func relative() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      let id = try #require(try await server.call("files/get_metadata", ["path": "/f"]).json["id"]?.string)
      let account = try await server.call("users/get_current_account", .null).json
      let space = "ns:" + (account.at("root_info", "root_namespace_id").string ?? "")
      func tag(_ path: String) async throws -> JSON {
        try await server.call("files/get_metadata", ["path": .string(path)]).json.at("error", "path", ".tag")
      }
      #expect(try await tag(id + "/a") == .null)
      #expect(try await tag(space + "/f/a") == .null)
      for below in ["/..", "/../f/a", "/./a", "//a", "/a/", "/a\u{0}"] {
        #expect(try await tag(id + below) == "malformed_path", "\(below)")
        #expect(try await tag(space + below) == "malformed_path", "\(below)")
        let reply = try await server.send("files/upload", ["path": .string(id + below)], [1])
        #expect(reply.text.contains("malformed_path"), "\(below)")
      }
      #expect(try await tag("ns:1/f/a") == "not_found")
    }
  }

  @Test("No path leads out of the folder, reads or writes beside it, or stops the server", arguments: routes.indices)
  func hostile(route: Int) async throws {
    try await withServer(tune: { ($0.sharesLinks, $0.servesDropPages) = (true, true) }) { server in
      let (name, argument) = Self.routes[route]
      let ground = try await HostileGround(server)
      let account = try await server.call("users/get_current_account", .null).json
      let space = try #require(account.at("root_info", "root_namespace_id").string)
      let style = RouteTable.all["/2/" + name]?.style
      let replies = try await ground.tried(Self.paths.map { $0.replacing("SPACE", with: space) }) { path in
        switch style {
        case .upload: try await server.send(name, argument(path), Array("written".utf8))
        case .download: try await server.fetch(name, argument(path))
        default: try await server.call(name, argument(path))
        }
      }
      try await ground.expectUnharmed(by: name, replies)
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}
