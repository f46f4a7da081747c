import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let searchRoutes: [Route] = [
    Route("/2/files/search_v2", .call, .member(scope: "files.metadata.read"), search),
    Route("/2/files/search/continue_v2", .call, .member(scope: "files.metadata.read"), continueSearch),
  ]

  /// The most that one search finds, over all its pages.
  private static let mostMatches = 10_000

  private struct Search {
    var words: [String]
    var endings: [String]
    var folder: String
    var withDeleted: Bool
    var limit: Int
    var after: String
    var found: Int
  }

  @Sendable private static func search(_ call: Call) async throws -> Response {
    let query = try call.argument.string("query")
    guard query.unicodeScalars.count <= 1000 else {
      throw call.argument.fault("query", "is longer than 1000 characters")
    }
    let options = try call.argument.optionalObject("options") ?? Argument(nil)
    var folder = ""
    if options.has("path") {
      let node = try await call.node(try call.path([.root, .id], in: options))
      guard node.isFolder else { throw APIFailure.lookup("path", "not_folder") }
      folder = node.key
    }
    var endings: [String] = []
    if options.has("file_extensions") {
      for ending in try options.array("file_extensions") {
        guard case .string(let text) = ending else { throw options.fault("file_extensions", "expected string") }
        endings.append(Folding.searched(text.hasPrefix(".") ? text : "." + text))
      }
    }
    let words = query.split(whereSeparator: \.isWhitespace).map { Folding.searched(String($0)) }
    guard !words.isEmpty || !endings.isEmpty else { throw APIFailure.route(Tagged("invalid_argument")) }
    let status = try options.tag("file_status", among: ["active", "deleted"], default: "active").0
    return try await answer(
      call,
      Search(
        words: words, endings: endings, folder: folder, withDeleted: status == "deleted",
        limit: Int(try options.integer("max_results", in: 1...1000, default: 100)), after: "", found: 0))
  }

  @Sendable private static func continueSearch(_ call: Call) async throws -> Response {
    let text = try call.argument.string("cursor")
    guard let words = call.club.seal.open(text, for: "search"), words.count == 8, words[0] == (try call.member).id,
      let limit = Int(words[5]), let found = Int(words[7])
    else { throw APIFailure.route(Tagged("invalid_argument")) }
    return try await answer(
      call,
      Search(
        words: words[1].split(separator: "\n").map(String.init),
        endings: words[2].split(separator: "\n").map(String.init), folder: words[3], withDeleted: words[4] == "d",
        limit: limit, after: words[6], found: found))
  }

  private static func answer(_ call: Call, _ search: Search) async throws -> Response {
    let (found, last): ([ServerNode], String?) = try await call.club.index.read { try matches($0, search) }
    var entries: [JSON] = []
    for node in found {
      entries.append(
        .members([
          "metadata": .members([".tag": "metadata", "metadata": try await call.metadata(node)]),
          "match_type": .tag("filename"),
        ]))
    }
    let total = search.found + found.count
    let hasMore = last != nil && total < mostMatches
    let member = try call.member.id
    let words = [
      member, search.words.joined(separator: "\n"), search.endings.joined(separator: "\n"), search.folder,
      search.withDeleted ? "d" : "", String(search.limit), last ?? "", String(total),
    ]
    return .json(
      .members([
        "matches": .array(entries), "has_more": .bool(hasMore),
        "cursor": hasMore ? .string(call.club.seal.seal(words, for: "search")) : nil,
      ]))
  }

  /// The next matches, and the key to go on after when there may be more.
  private static func matches(
    _ reading: ServerIndexReading, _ search: Search
  ) throws -> (matches: [ServerNode], last: String?) {
    var matches: [ServerNode] = []
    var after = search.after
    while true {
      let page = try reading.nodes(
        in: .subtree(search.folder), after: after, limit: 1000, deleted: search.withDeleted)
      guard let end = page.last else { return (matches, nil) }
      for node in page where node.isDeleted == search.withDeleted && isMatch(node, search) {
        matches.append(node)
        if matches.count == search.limit { return (matches, node.key) }
      }
      after = end.key
    }
  }

  private static func isMatch(_ node: ServerNode, _ search: Search) -> Bool {
    let name = Folding.searched(PathText.name(node.display))
    guard search.words.allSatisfy({ name.contains($0) }) else { return false }
    return search.endings.isEmpty || (!node.isFolder && search.endings.contains { name.hasSuffix($0) })
  }
}
