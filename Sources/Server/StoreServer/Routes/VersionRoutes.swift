import Database
import Hummingbird
import JSON

extension RouteTable {
  static let versionRoutes: [Route] = [
    Route("/2/files/list_revisions", .call, .member(scope: "files.metadata.read"), listRevisions),
    Route("/2/files/restore", .call, .member(scope: "files.content.write"), restore),
  ]

  @Sendable private static func listRevisions(_ call: Call) async throws -> Response {
    let argument = call.argument
    let path = try call.path([.id, .slashes])
    let limit = Int(try argument.integer("limit", in: 1...100, default: 10))
    let byID = try argument.tag("mode", among: ["path", "id"], default: "path").0 == "id"
    let word = try argument.optionalString("before_rev")
    let before = word.map(Rev.number) ?? Int64.max
    guard let before, before > 0 else { throw APIFailure.route(Tagged("invalid_before_rev")) }
    if byID, word != nil { throw APIFailure.route(Tagged("before_rev_not_supported")) }
    let withRestorable = try argument.bool("include_restorable_info", default: false)
    let node = try await call.club.index.find(path)
    if node?.isFolder == true { throw APIFailure.lookup("path", "not_file") }
    let key = try key(path, node)
    let old = try await call.club.index.read { reading -> [ServerRevision] in
      if byID, let id = node?.id { return try reading.revisions(id: id, before: before, limit: limit + 1) }
      return try reading.revisions(key: key, before: before, limit: limit + 1)
    }
    let gone = try await call.club.index.read { try $0.node(key: key, deleted: true) }
    if node == nil, gone?.isFolder == true { throw APIFailure.lookup("path", "not_file") }
    guard node != nil || gone != nil || !old.isEmpty else { throw APIFailure.lookup("path", "not_found") }
    var entries: [JSON] = []
    func add(_ metadata: JSON, isKept: Bool) {
      let restorable = withRestorable ? [JSONMember("is_restorable", .bool(isKept))] : []
      entries.append((isKept ? metadata : metadata.unkept).adding(restorable))
    }
    if let node, node.rev < before { add(JSON.metadata(node, tagged: false), isKept: true) }
    for version in old where version.rev != node?.rev {
      add(.metadata(version), isKept: try await call.club.files.isKept(version))
    }
    let deleted = node == nil ? gone.map { JSON.string(WireTime.text($0.serverModified)) } : nil
    return .json(
      .members([
        "is_deleted": .bool(node == nil), "server_deleted": deleted,
        "entries": .array(Array(entries.prefix(limit))), "has_more": .bool(entries.count > limit),
      ]))
  }

  private static func key(_ path: ClubPath, _ node: ServerNode?) throws -> String {
    if let node { return node.key }
    guard case .path(let display) = path else { throw APIFailure.lookup("path", "not_found") }
    return Folding.key(display)
  }

  @Sendable private static func restore(_ call: Call) async throws -> Response {
    let path = try call.path([], fails: "path_lookup")
    guard let rev = Rev.number(try call.argument.string("rev")) else {
      throw call.argument.fault("rev", "did not match pattern '[0-9a-f]+' of at least 9 digits")
    }
    let display = try await call.target(path, fails: "path_lookup")
    let node = try await call.club.index.find(display: display)
    if let node, node.rev == rev { return .json(JSON.metadata(node, tagged: false)) }
    guard let old = try await call.club.index.read({ try $0.revision(rev) }),
      old.key == Folding.key(display) || old.id == node?.id
    else { throw APIFailure.route(Tagged("invalid_revision")) }
    let restored = try await writeErrors("path_write") {
      try await call.club.files.restore(old, to: display, by: try call.author)
    }
    guard let restored else { throw APIFailure.route(Tagged("invalid_revision")) }
    return .json(JSON.metadata(restored, tagged: false))
  }
}
