import Database
import Hummingbird
import JSON

extension RouteTable {
  static let metadataRoutes: [Route] = [
    Route("/2/files/get_metadata", .call, .member(scope: "files.metadata.read"), getMetadata),
    Route("/2/files/alpha/get_metadata", .call, .member(scope: "files.metadata.read"), getMetadata),
  ]

  @Sendable private static func getMetadata(_ call: Call) async throws -> Response {
    let text = try call.argument.string("path")
    guard !text.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    try call.refuseProperties(call.argument)
    let path = try call.path(.reading)
    let withMembers = try call.argument.bool("include_has_explicit_shared_members", default: false)
    if let node = try await call.club.index.find(path) {
      let metadata = JSON.metadata(node).withMembers(withMembers)
      guard try call.argument.bool("include_media_info", default: false) else { return .json(metadata) }
      let info = try await MediaInfo.json(of: node, in: call.club)
      return .json(metadata.adding(info.map { [JSONMember("media_info", $0)] } ?? []))
    }
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
