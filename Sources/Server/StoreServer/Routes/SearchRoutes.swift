import Database
import Hummingbird
import JSON

extension RouteTable {
  static let searchRoutes: [Route] = [
    Route("/2/files/search_v2", .call, .member(scope: "files.metadata.read"), search),
    Route("/2/files/search/continue_v2", .call, .member(scope: "files.metadata.read"), continueSearch),
    Route("/2/files/search", .call, .member(scope: "files.metadata.read"), searchOld),
  ]

  private static func words(_ argument: Argument) throws -> [String] {
    let query = try argument.string("query")
    guard query.unicodeScalars.count <= 1000 else { throw argument.fault("query", "is longer than 1000 characters") }
    // Every second part is in quotation marks, and found as it stands.
    let parts = query.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { place, part -> [String] in
      let words = part.split(whereSeparator: \.isWhitespace)
      let isPhrase = place % 2 == 1 && place < parts.count - 1 && !words.isEmpty
      return isPhrase ? [words.joined(separator: " ")] : words.map(String.init)
    }.map(Folding.searched)
  }

  /// The key of the folder to search; nil if it does not exist.
  private static func folder(_ call: Call, _ argument: Argument) async throws -> String? {
    guard let node = try await call.club.index.find(try call.path(.folder, in: argument)) else { return nil }
    guard node.isFolder else { throw APIFailure.lookup("path", "not_folder") }
    return node.key
  }

  private static func invalid(_ sentence: String) -> APIFailure {
    .route(Tagged("invalid_argument", with: [JSONMember("invalid_argument", .string(sentence))]))
  }

  @Sendable private static func search(_ call: Call) async throws -> Response {
    let options = try call.argument.optionalObject("options") ?? Argument(nil)
    let fields = try call.argument.optionalObject("match_field_options") ?? Argument(nil)
    let folder = options.has("path") ? try await folder(call, options) : ""
    var search = NameSearch(words: try words(call.argument), folder: folder ?? "")
    if options.has("file_extensions") {
      search.endings = try options.strings("file_extensions", atMost: 1000).map { ending in
        Folding.searched(ending.hasPrefix(".") ? ending : "." + ending)
      }
    }
    if options.has("file_categories") {
      search.categories = Set(try options.tags("file_categories", among: FileCategory.allCases.map(\.rawValue)))
    }
    search.withDeleted = try options.tag("file_status", among: ["active", "deleted"], default: "active").0 == "deleted"
    search.isNewestFirst =
      try options.tag("order_by", among: ["relevance", "last_modified_time"], default: "relevance").0
      == "last_modified_time"
    if options.has("account_id") { throw invalid("This server does not search for one account's files.") }
    guard !search.words.isEmpty || !search.endings.isEmpty || !search.categories.isEmpty else {
      throw invalid("The query is empty.")
    }
    try options.bools("filename_only")
    let old = try call.argument.bool("include_highlights", default: false)
    let withSpans = try fields.bool("include_highlights", default: old)
    let limit = Int(try options.integer("max_results", in: 1...1000, default: 100))
    // As at Dropbox, nothing is found below a folder that does not exist.
    guard folder != nil else { return .json(.members(["matches": .array([]), "has_more": false])) }
    return try await answer(call, search, start: 0, limit: limit, withSpans: withSpans)
  }

  @Sendable private static func continueSearch(_ call: Call) async throws -> Response {
    let text = try call.argument.string("cursor")
    guard let words = call.club.seal.open(text, for: "search"), words.count == 9, words[0] == (try call.member).id,
      let start = Int(words[1]), let limit = Int(words[2]), let search = NameSearch(sealed: words[4...])
    else { throw invalid("The cursor is none of this server's.") }
    return try await answer(call, search, start: start, limit: limit, withSpans: words[3] == "h")
  }

  private static func answer(
    _ call: Call, _ search: NameSearch, start: Int, limit: Int, withSpans: Bool
  ) async throws -> Response {
    let (found, hasMore) = try await call.club.index.read { try search.matches($0, start: start, limit: limit) }
    var entries: [JSON] = []
    for node in found {
      entries.append(
        .members([
          "metadata": .members([".tag": "metadata", "metadata": JSON.metadata(node)]),
          "match_type": .tag("filename"), "highlight_spans": withSpans ? search.spans(node.name) : nil,
        ]))
    }
    let words =
      [try call.member.id, String(start + found.count), String(limit), withSpans ? "h" : ""] + search.sealable
    return .json(
      .members([
        "matches": .array(entries), "has_more": .bool(hasMore),
        "cursor": hasMore ? .string(call.club.seal.seal(words, for: "search")) : nil,
      ]))
  }

  @Sendable private static func searchOld(_ call: Call) async throws -> Response {
    let argument = call.argument
    let modes = ["filename", "filename_and_content", "deleted_filename"]
    let mode = try argument.tag("mode", among: modes, default: "filename").0
    guard mode != "filename_and_content" else { throw invalid("This server searches names alone.") }
    guard let folder = try await folder(call, argument) else { throw APIFailure.lookup("path", "not_found") }
    var search = NameSearch(words: try words(argument), folder: folder)
    guard !search.words.isEmpty else { throw invalid("The query is empty.") }
    search.withDeleted = mode == "deleted_filename"
    let start = Int(try argument.integer("start", in: 0...9999, default: 0))
    let limit = Int(try argument.integer("max_results", in: 1...1000, default: 100))
    let (found, hasMore) = try await call.club.index.read { [search] in
      try search.matches($0, start: start, limit: limit)
    }
    var matches: [JSON] = []
    for node in found {
      matches.append(.members(["match_type": .tag("filename"), "metadata": JSON.metadata(node)]))
    }
    return .json(
      .members([
        "matches": .array(matches), "more": .bool(hasMore), "start": .number(start + found.count),
      ]))
  }
}
