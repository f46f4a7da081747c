import Database
import Hummingbird
import JSON

extension RouteTable {
  static let changingRoutes: [Route] = [
    Route("/2/files/create_folder_v2", .call, .member(scope: "files.content.write"), createFolder),
    Route("/2/files/create_folder", .call, .member(scope: "files.content.write"), createFolderOld),
    Route(
      "/2/files/create_folder_batch", .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes,
      createFolders),
    Route("/2/files/delete_v2", .call, .member(scope: "files.content.write"), delete),
    Route("/2/files/delete", .call, .member(scope: "files.content.write"), deleteOld),
    Route(
      "/2/files/delete_batch", .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes, deleteAll),
    Route("/2/files/permanently_delete", .call, .member(scope: "files.permanent_delete"), erase),
    Route("/2/files/delete_batch/check", .call, .member(scope: "files.content.write"), checkJob(of: "delete_batch")),
    Route(
      "/2/files/create_folder_batch/check", .call, .member(scope: "files.content.write"),
      checkJob(of: "create_folder_batch")),
  ]

  private static func made(_ call: Call) async throws -> ServerNode {
    let path = try call.path([])
    return try await writeErrors("path") {
      try await call.club.files.createFolder(
        try await call.target(path, fails: "path"), autorename: try call.argument.bool("autorename", default: false))
    }
  }

  @Sendable private static func createFolder(_ call: Call) async throws -> Response {
    .json(.members(["metadata": .metadata(try await made(call), tagged: false)]))
  }

  @Sendable private static func createFolderOld(_ call: Call) async throws -> Response {
    .json(.metadata(try await made(call), tagged: false))
  }

  @Sendable private static func createFolders(_ call: Call) async throws -> Response {
    let paths = try call.argument.strings("paths", atMost: 10_000)
    let autorename = try call.argument.bool("autorename", default: false)
    let isJob = try call.argument.bool("force_async", default: false)
    let result = try await results(of: paths, call, unexpected: Tagged("other")) {
      try ClubPath($0, [], key: "paths", space: call.club.space)
    } perform: { path in
      let node = try await writeErrors("path") {
        try await call.club.files.createFolder(try await call.target(path, fails: "path"), autorename: autorename)
      }
      return .members([".tag": "success", "metadata": .metadata(node, tagged: false)])
    } failure: {
      $0.json
    }
    return try isJob ? launched(call, "create_folder_batch", result) : .json(result)
  }

  private static func deletion(_ call: Call, _ argument: Argument) throws -> (path: ClubPath, rev: Int64?) {
    (try call.path(.id, in: argument, fails: "path_lookup"), try argument.rev("parent_rev"))
  }

  private static func deleted(_ call: Call, _ wanted: (path: ClubPath, rev: Int64?)) async throws -> JSON {
    let node = try await call.node(wanted.path, fails: "path_lookup")
    let was = JSON.metadata(node)
    try await writeErrors("path_write") { try await call.club.files.delete(node, rev: wanted.rev) }
    return was
  }

  @Sendable private static func delete(_ call: Call) async throws -> Response {
    .json(.members(["metadata": try await deleted(call, deletion(call, call.argument))]))
  }

  @Sendable private static func deleteOld(_ call: Call) async throws -> Response {
    .json(try await deleted(call, deletion(call, call.argument)))
  }

  @Sendable private static func deleteAll(_ call: Call) async throws -> Response {
    let entries = try call.argument.objects("entries", atMost: 1000)
    return .json(
      try await results(of: entries, call, unexpected: Tagged("other")) {
        try deletion(call, $0)
      } perform: {
        .members([".tag": "success", "metadata": try await deleted(call, $0)])
      } failure: {
        $0.json
      })
  }

  /// Deletes a file or folder with its versions, or the versions of one that is deleted already.
  @Sendable private static func erase(_ call: Call) async throws -> Response {
    let wanted = try deletion(call, call.argument)
    guard call.club.files.versions.canBeErased else { throw APIFailure.lookup("path_write", "no_write_permission") }
    let index = call.club.index
    var key: String?
    if let node = try await index.find(wanted.path) {
      key = node.key
      _ = try await deleted(call, wanted)
    } else if case .path(let display) = wanted.path {
      key = try await index.read { try $0.node(key: Folding.key(display), deleted: true) }?.key
    }
    guard let key else { throw APIFailure.lookup("path_lookup", "not_found") }
    try await call.club.files.forgetDeleted(at: key)
    return .json(.null)
  }

  static func writeErrors<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged {
      throw APIFailure.route(Tagged(key, error))
    }
  }
}
