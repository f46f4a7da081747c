import Database
import Hummingbird
import JSON

extension RouteTable {
  static let v1VersionRoutes: [Route] = [
    v1("revisions/", scope: "files.metadata.read", v1Revisions),
    v1("restore/", scope: "files.content.write", v1Restore),
  ]

  /// The newest is first; a deleted file's versions follow its deletion.
  @Sendable private static func v1Revisions(_ v1: V1Call) async throws -> Response {
    let display = try v1.display
    let limit = Int(try v1.number("rev_limit", in: 1...1000, default: 10))
    let node = try await v1.club.index.find(display: display)
    if node?.isFolder == true { throw V1Failure(406, "A folder has no revisions.") }
    let key = node?.key ?? Folding.key(display)
    let old = try await v1.club.index.read { try $0.revisions(key: key, before: .max, limit: limit + 1) }
    var entries: [JSON] = []
    var newest = node
    if node == nil, let gone = try await v1.deleted(display), !gone.isFolder {
      entries.append(v1.metadata(gone))
      // Its last content, which may have moved elsewhere.
      newest = gone
      newest?.isDeleted = false
    }
    if let newest { entries.append(v1.metadata(newest)) }
    guard !entries.isEmpty || !old.isEmpty else { throw V1Failure.missing(display) }
    for version in old where version.rev != newest?.rev {
      entries.append(try await v1.club.files.isKept(version) ? v1.metadata(version) : v1.metadata(version).unkept)
    }
    return .json(.array(Array(entries.prefix(limit))))
  }

  @Sendable private static func v1Restore(_ v1: V1Call) async throws -> Response {
    let display = try v1.display
    guard let rev = try v1.rev("rev") else { throw V1Failure.malformed("Missing parameter 'rev'.") }
    let node = try await v1.club.index.find(display: display)
    if let node, node.rev == rev { return .json(v1.metadata(node)) }
    guard let old = try await v1.club.index.read({ try $0.revision(rev) }),
      old.key == Folding.key(display) || old.id == node?.id,
      let restored = try await v1.club.files.restore(old, to: display, by: try v1.call.author)
    else { throw V1Failure(404, "Unable to find the revision of '\(display)'.") }
    return .json(v1.metadata(restored))
  }
}
