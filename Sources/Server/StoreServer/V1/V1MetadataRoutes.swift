import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON

extension RouteTable {
  static let v1MetadataRoutes: [Route] = [
    v1("metadata/", scope: "files.metadata.read", v1Metadata),
    v1("search/", scope: "files.metadata.read", v1Search),
  ]

  @Sendable private static func v1Metadata(_ v1: V1Call) async throws -> Response {
    let display = try v1.display
    try v1.refuse("include_media_info", "include_membership")
    if let rev = try v1.rev("rev") { return .json(try await old(rev, display, v1)) }
    guard let node = try await v1.club.index.find(display: display) else {
      guard let gone = try await v1.deleted(display) else { throw V1Failure.missing(display) }
      return .json(v1.metadata(gone))
    }
    guard node.isFolder, try v1.bool("list", default: true) else { return .json(v1.metadata(node)) }
    let limit = Int(try v1.number("file_limit", in: 1...25_000, default: 10_000))
    let withDeleted = try v1.bool("include_deleted", default: false)
    let isThere: Void? = try await ifThere(or: [.badInput]) { () throws(StoreError) in
      try await v1.club.index.scan(node, recursive: false)
    }
    if isThere == nil { throw V1Failure.missing(display) }
    let children = try await v1.club.index.read { reading in
      try reading.listed(in: .children(node.key), after: "", limit: limit + 1, deleted: withDeleted)
    }
    guard children.count <= limit else { throw V1Failure(406, "The folder has too many entries.") }
    // Every change of a child changes this hash.
    let facts = children.map { "\($0.key)\n\($0.sequence)\n\($0.rev)\n\($0.display)" }
    let hash = String(SHA256.hexadecimal(of: ([node.display] + facts).joined(separator: "\n\n").utf8).prefix(32))
    if try v1.text("hash") == hash { return Response(status: .notModified) }
    return .json(
      v1.metadata(node).adding([
        JSONMember("hash", .string(hash)), JSONMember("contents", .array(children.map(v1.metadata))),
      ]))
  }

  private static func old(_ rev: Int64, _ display: String, _ v1: V1Call) async throws -> JSON {
    if let node = try await v1.club.index.find(display: display), node.rev == rev, !node.isFolder {
      return v1.metadata(node)
    }
    guard let old = try await v1.club.index.read({ try $0.revision(rev) }), old.key == Folding.key(display) else {
      throw V1Failure.missing(display)
    }
    return v1.metadata(old)
  }

  @Sendable private static func v1Search(_ v1: V1Call) async throws -> Response {
    let folder = try await v1.node(try v1.display)
    guard folder.isFolder else { throw V1Failure(404, "Path '\(folder.display)' is not a folder") }
    let query = try v1.required("query")
    guard query.unicodeScalars.count >= 3 else {
      throw V1Failure.malformed("The query must have at least 3 characters.")
    }
    guard query.unicodeScalars.count <= 1000 else { throw V1Failure.malformed("The query is too long.") }
    let words = query.split(whereSeparator: \.isWhitespace).map { Folding.searched(String($0)) }
    let limit = Int(try v1.number("file_limit", in: 1...1000, default: 1000))
    let withDeleted = try v1.bool("include_deleted", default: false)
    let found = try await v1.club.index.read { reading -> [ServerNode] in
      var found: [ServerNode] = []
      var after = ""
      while true {
        let page = try reading.listed(in: .subtree(folder.key), after: after, limit: 1000, deleted: withDeleted)
        guard let last = page.last else { return found }
        for node in page {
          let name = Folding.searched(PathText.name(node.display))
          guard words.allSatisfy({ name.contains($0) }) else { continue }
          found.append(node)
          if found.count == limit { return found }
        }
        after = last.key
      }
    }
    return .json(.array(found.map(v1.metadata)))
  }
}
