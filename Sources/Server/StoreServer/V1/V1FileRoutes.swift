import Database
import FileStores
import Hummingbird

extension RouteTable {
  static let v1FileRoutes: [Route] = [
    v1("fileops/copy", scope: "files.content.write", v1Copy),
    v1("fileops/move", scope: "files.content.write", v1Move),
    v1("fileops/create_folder", scope: "files.content.write", v1CreateFolder),
    v1("fileops/delete", scope: "files.content.write", v1Delete),
  ]

  private static func forbidding<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged where error.tag == "conflict" {
      throw V1Failure(403, "A file or folder with that name already exists.")
    }
  }

  private static func target(_ v1: V1Call) throws -> String {
    let display = try v1.display(in: "to_path")
    guard !display.isEmpty else { throw V1Failure(403, "The root already exists.") }
    return display
  }

  private static func source(_ v1: V1Call) async throws -> ServerNode {
    let node = try await v1.node(try v1.display(in: "from_path"))
    guard !node.path.isRoot else { throw V1Failure(403, "The root cannot be moved or copied.") }
    return node
  }

  @Sendable private static func v1Copy(_ v1: V1Call) async throws -> Response {
    let node: ServerNode
    if let word = try v1.text("from_copy_ref"), !word.isEmpty {
      node = try await copied(word, v1)
    } else {
      node = try await source(v1)
    }
    let target = try target(v1)
    return .json(
      v1.metadata(
        try await forbidding {
          try await v1.club.files.copy(node, to: target, autorename: false, by: try v1.call.author)
        }))
  }

  @Sendable private static func v1Move(_ v1: V1Call) async throws -> Response {
    let (node, target) = (try await source(v1), try target(v1))
    return .json(
      v1.metadata(try await forbidding { try await v1.club.files.move(node, to: target, autorename: false) }))
  }

  @Sendable private static func v1CreateFolder(_ v1: V1Call) async throws -> Response {
    let display = try v1.display(in: "path")
    guard !display.isEmpty else { throw V1Failure(403, "The root already exists.") }
    return .json(v1.metadata(try await forbidding { try await v1.club.files.createFolder(display, autorename: false) }))
  }

  @Sendable private static func v1Delete(_ v1: V1Call) async throws -> Response {
    let display = try v1.display(in: "path")
    let node = try await v1.node(display)
    guard !node.path.isRoot else { throw V1Failure(403, "The root cannot be deleted.") }
    try await v1.club.files.delete(node, rev: nil)
    var gone = node
    gone.isDeleted = true
    return .json(v1.metadata(try await v1.deleted(node.display) ?? gone))
  }
}
