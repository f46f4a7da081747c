import Database
import Hummingbird
import JSON

/// Features of Dropbox that a club does not have, in the API's own words (sharing.stone, file_requests.stone and files.stone of
/// its specification). All members share the whole club, so no folder or file is shared with some of them; files are not
/// locked; and no page of this server takes files from strangers. Lists are empty, and nothing is made.
extension RouteTable {
  static let absentFeatureRoutes: [Route] =
    [
      emptyList("list_folders", atMost: 1000), lastPage("list_folders/continue"),
      emptyList("list_mountable_folders", atMost: 1000), lastPage("list_mountable_folders/continue"),
      emptyList("list_received_files", atMost: 300), lastPage("list_received_files/continue"),
      Route("/2/sharing/share_folder", .call, .member(scope: "sharing.write"), shareFolder),
      Route(
        "/2/sharing/check_share_job_status", .call, .member(scope: "sharing.write"), checkJob(of: "share_folder")),
      Route(
        "/2/files/get_file_lock_batch", .call, .member(scope: "files.content.read"), argumentBytes: Route.batchBytes
      ) { try await locks($0, areWanted: false) },
      Route(
        "/2/files/unlock_file_batch", .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes
      ) { try await locks($0, areWanted: false) },
      Route("/2/files/lock_file_batch", .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes) {
        try await locks($0, areWanted: true)
      },
      Route("/2/files/export", .download, .member(scope: "files.content.read"), export),
    ] + fileRequestRoutes

  // MARK: Shared folders

  private static func emptyList(_ name: String, atMost limit: Int64) -> Route {
    Route("/2/sharing/" + name, .call, .member(scope: "sharing.read")) { call in
      _ = try call.argument.integer("limit", in: 1...limit, default: limit)
      return .json(.members(["entries": .array([])]))
    }
  }

  /// An empty list gives no cursor.
  private static func lastPage(_ name: String) -> Route {
    Route("/2/sharing/" + name, .call, .member(scope: "sharing.read")) { call in
      _ = try call.argument.string("cursor")
      throw APIFailure.route(Tagged("invalid_cursor"))
    }
  }

  /// The club is the shared folder of its members, and a shared folder has none inside.
  @Sendable private static func shareFolder(_ call: Call) async throws -> Response {
    let path: ClubPath
    do {
      path = try call.path(.id)
    } catch APIFailure.route {
      throw APIFailure.lookup("bad_path", "invalid_path")
    }
    let isFile = try await call.club.index.find(path)?.isFolder == false
    throw APIFailure.lookup("bad_path", isFile ? "is_file" : "inside_shared_folder")
  }

  // MARK: Files

  private static func locks(_ call: Call, areWanted: Bool) async throws -> Response {
    let entries = try call.argument.objects("entries", atMost: 1000)
    let result = try await results(of: entries, call, unexpected: Tagged("internal_error")) {
      try call.path(.id, in: $0, fails: "path_lookup")
    } perform: { path in
      let node = try await call.node(path, fails: "path_lookup")
      guard !areWanted, !node.isFolder else { throw APIFailure.route(Tagged("cannot_be_locked")) }
      return .members([
        ".tag": "success", "metadata": .metadata(node), "lock": .members(["content": .tag("unlocked")]),
      ])
    } failure: {
      $0.json
    }
    return .json(.members(["entries": result["entries"]]))
  }

  /// Only documents that exist in Dropbox alone, such as Paper's, have to be exported.
  @Sendable private static func export(_ call: Call) async throws -> Response {
    _ = try await call.file(try call.path(.reading))
    throw APIFailure.route(Tagged("non_exportable"))
  }

  // MARK: File requests

  private static let fileRequestRoutes: [Route] = [
    fileRequests("list_v2", "read") { argument in
      _ = try argument.integer("limit", in: 1...Int64(UInt32.max), default: 1000)
      return noRequests.adding([JSONMember("cursor", .string(requestsEnd)), JSONMember("has_more", false)])
    },
    fileRequests("list/continue", "read") { argument in
      guard try argument.string("cursor") == requestsEnd else { throw APIFailure.route(Tagged("invalid_cursor")) }
      return noRequests.adding([JSONMember("cursor", .string(requestsEnd)), JSONMember("has_more", false)])
    },
    fileRequests("list", "read") { _ in noRequests },
    fileRequests("count", "read") { _ in .members(["file_request_count": .integer(0)]) },
    fileRequests("get", "read", unknownRequest),
    fileRequests("update", "write", unknownRequest),
    fileRequests("delete", "write") { argument in
      guard try argument.strings("ids", atMost: 1000).isEmpty else { throw APIFailure.route(Tagged("not_found")) }
      return noRequests
    },
    fileRequests("delete_all_closed", "write") { _ in noRequests },
    fileRequests("create", "write") { argument in
      _ = (try argument.string("title"), try argument.string("destination"))
      throw APIFailure.route(Tagged("disabled_for_team"))
    },
  ]

  private static let requestsEnd = "end"
  private static let noRequests = JSON.members(["file_requests": .array([])])

  private static func fileRequests(
    _ name: String, _ right: String, _ answer: @escaping @Sendable (Argument) throws -> JSON
  ) -> Route {
    Route("/2/file_requests/" + name, .call, .member(scope: "file_requests." + right)) { call in
      .json(try answer(call.argument))
    }
  }

  @Sendable private static func unknownRequest(_ argument: Argument) throws -> JSON {
    _ = try argument.string("id")
    throw APIFailure.route(Tagged("not_found"))
  }
}
