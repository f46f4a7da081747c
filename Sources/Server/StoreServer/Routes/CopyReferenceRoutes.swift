import Basics
import Database
import FileStores
import Hummingbird
import JSON

/// Copy references of both versions of the API (files.stone of Dropbox's API specification). A reference is sealed, and has
/// no row.
extension RouteTable {
  static let copyReferenceRoutes: [Route] = [
    Route("/2/files/copy_reference/get", .call, .member(scope: "files.content.write"), getReference),
    Route("/2/files/copy_reference/save", .call, .member(scope: "files.content.write"), saveReference),
  ]

  @Sendable private static func getReference(_ call: Call) async throws -> Response {
    let node = try await call.node(try call.path(.reading))
    let (word, end) = try call.copyReference(to: node)
    return .json(
      .members([
        "metadata": .metadata(node), "copy_reference": .string(word), "expires": .string(WireTime.text(end)),
      ]))
  }

  @Sendable private static func saveReference(_ call: Call) async throws -> Response {
    let target = try await call.target(try call.path([]), fails: "path")
    let node = try await call.copied(try call.argument.string("copy_reference"))
    do {
      let copy = try await writeErrors("path") {
        try await call.club.files.copy(node, to: target, autorename: false, by: try call.author)
      }
      return .json(.members(["metadata": .metadata(copy)]))
    } catch let fault as RelocationFault {
      switch fault {
      case .gone: throw APIFailure.route(Tagged("not_found"))
      case .intoItself: throw APIFailure.route(Tagged("path", .malformed("A folder cannot be copied into itself.")))
      case .tooMany: throw APIFailure.route(Tagged("too_many_files"))
      }
    }
  }
}

extension Call {
  private static let referenceSeconds: Int64 = 30 * 24 * 60 * 60

  /// A reference by which every member may copy the node, and the end of its time.
  func copyReference(to node: ServerNode) throws(APIFailure) -> (word: String, end: Int64) {
    let end = club.index.now() + Call.referenceSeconds
    return (club.seal.seal([try member.id, node.id, String(end)], for: "copy_ref"), end)
  }

  /// The node of a copy reference, which is valid while its issuer is a member.
  /// - Throws: `invalid_copy_reference`, `no_permission`, `not_found`.
  func copied(_ word: String) async throws -> ServerNode {
    guard let words = club.seal.open(word, for: "copy_ref"), words.count == 3, let end = Int64(words[2]),
      end > club.index.now()
    else { throw APIFailure.route(Tagged("invalid_copy_reference")) }
    let members = club.members
    guard try await club.index.pool.run({ () throws(StoreError) in try members.member(id: words[0]) }) != nil else {
      throw APIFailure.route(Tagged("no_permission"))
    }
    guard let node = try await club.index.find(.id(words[1], below: "")) else {
      throw APIFailure.route(Tagged("not_found"))
    }
    return node
  }
}
