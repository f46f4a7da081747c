import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let metadataRoutes: [Route] = [
    Route("/2/files/get_metadata", .call, .member(scope: "files.metadata.read"), getMetadata)
  ]

  @Sendable private static func getMetadata(_ call: Call) async throws -> Response {
    let text = try call.argument.string("path")
    guard !text.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    let path = try call.path([.id, .rev])
    if let node = try await call.club.index.find(path) { return .json(try await call.metadata(node)) }
    if case .rev(let rev) = path, let old = try await call.club.index.read({ try $0.revision(rev) }) {
      return .json(JSON.metadata(old).adding([JSONMember(".tag", "file")], first: true))
    }
    if try call.argument.bool("include_deleted", default: false), case .path(let display) = path,
      let gone = try await call.club.index.read({ try $0.node(key: Folding.key(display), deleted: true) })
    {
      return .json(.metadata(gone))
    }
    throw APIFailure.lookup("path", "not_found")
  }
}
