import Database
import FileStores
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
    Route("/2/files/delete_batch/check", .call, .member(scope: "files.content.write"), checkJob),
    Route("/2/files/create_folder_batch/check", .call, .member(scope: "files.content.write"), checkJob),
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
    let paths = try call.argument.array("paths")
    guard paths.count <= 10_000 else { throw call.argument.fault("paths", "has more than 10000 items") }
    let autorename = try call.argument.bool("autorename", default: false)
    guard try !call.argument.bool("force_async", default: false) else {
      throw call.argument.fault("force_async", "this server makes the folders before it answers")
    }
    var entries: [JSON] = []
    for path in paths {
      guard case .string(let text) = path else { throw call.argument.fault("paths", "expected string") }
      do {
        let path = try ClubPath(text, [], key: "paths", space: call.club.space)
        let node = try await writeErrors("path") {
          try await call.club.files.createFolder(try await call.target(path, fails: "path"), autorename: autorename)
        }
        entries.append(.members([".tag": "success", "metadata": .metadata(node, tagged: false)]))
      } catch APIFailure.route(let error) {
        entries.append(.members([".tag": "failure", "failure": error.json]))
      }
    }
    return .json(.members([".tag": "complete", "entries": .array(entries)]))
  }

  private static func deleted(_ call: Call, _ argument: Argument) async throws -> JSON {
    let path = try call.path(.id, in: argument, fails: "path_lookup")
    let rev = try argument.rev("parent_rev")
    let node = try await call.node(path, fails: "path_lookup")
    let was = JSON.metadata(node)
    try await writeErrors("path_write") { try await call.club.files.delete(node, rev: rev) }
    return was
  }

  @Sendable private static func delete(_ call: Call) async throws -> Response {
    .json(.members(["metadata": try await deleted(call, call.argument)]))
  }

  @Sendable private static func deleteOld(_ call: Call) async throws -> Response {
    .json(try await deleted(call, call.argument))
  }

  @Sendable private static func deleteAll(_ call: Call) async throws -> Response {
    var entries: [JSON] = []
    for entry in try call.argument.objects("entries", atMost: 1000) {
      do {
        entries.append(.members([".tag": "success", "metadata": try await deleted(call, entry)]))
      } catch APIFailure.route(let error) {
        entries.append(.members([".tag": "failure", "failure": error.json]))
      }
    }
    return .json(.members([".tag": "complete", "entries": .array(entries)]))
  }

  /// Batches are complete when answered: there is no job to check.
  @Sendable static func checkJob(_ call: Call) async throws -> Response {
    _ = try call.argument.string("async_job_id")
    throw APIFailure.route(Tagged("invalid_async_job_id"))
  }

  static func writeErrors<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged {
      throw APIFailure.route(Tagged(key, error))
    }
  }
}
