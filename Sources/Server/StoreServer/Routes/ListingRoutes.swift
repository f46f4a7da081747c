import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let listingRoutes: [Route] = [
    Route("/2/files/list_folder", .call, .member(scope: "files.metadata.read"), listFolder),
    Route("/2/files/list_folder/continue", .call, .member(scope: "files.metadata.read"), continueListing),
    Route("/2/files/list_folder/get_latest_cursor", .call, .member(scope: "files.metadata.read"), latestCursor),
    Route(
      "/2/files/list_folder/longpoll", .call,
      .everyone(because: "the cursor is sealed, names its member, and tells only whether there is something new"),
      longpoll),
  ]

  @Sendable private static func listFolder(_ call: Call) async throws -> Response {
    var word = try await begin(call, isListed: true)
    word.after = ""
    var page = try await page(call, word)
    let listing = word.listing
    if listing.isRecursive, !listing.key.isEmpty,
      let folder = try await call.club.index.read({ try $0.node(id: listing.id) })
    {
      page.entries.insert(.metadata(folder), at: 0)
    }
    return .json(page.json(call.club.seal))
  }

  @Sendable private static func continueListing(_ call: Call) async throws -> Response {
    let word = try await cursor(call)
    guard word.member == (try call.member).id else { throw APIFailure.route(Tagged("reset")) }
    return .json(try await page(call, word).json(call.club.seal))
  }

  @Sendable private static func latestCursor(_ call: Call) async throws -> Response {
    .json(.members(["cursor": .string(try await begin(call, isListed: false).sealed(call.club.seal))]))
  }

  @Sendable private static func longpoll(_ call: Call) async throws -> Response {
    let seconds = try call.argument.integer("timeout", in: 30...480, default: 30)
    let word = try await cursor(call)
    let index = call.club.index
    let isThere: @Sendable () async throws -> Bool = {
      try await index.read { try !$0.changes(in: word.listing.scope, after: word.sequence, limit: 1).isEmpty }
    }
    let found = try await call.polling(for: word.member) {
      try await index.wait(seconds: Int64(seconds), until: isThere)
    }
    // A member who was removed meanwhile gets no answer.
    try await checkOwner(of: word, call)
    return .json(.members(["changes": .bool(found)]))
  }

  /// - Throws: unless this server and this index made the cursor and its member still exists.
  private static func cursor(_ call: Call) async throws -> ListCursorWord {
    let text = try call.argument.string("cursor")
    guard !text.isEmpty else { throw call.argument.fault("cursor", "must not be empty") }
    guard let word = ListCursorWord(text, call.club.seal) else {
      throw APIFailure.badArgument("cursor: Invalid \"cursor\" parameter")
    }
    let reset = APIFailure.route(Tagged("reset"))
    guard try await hasOwner(word, call) else {
      // A removed member may be back under the same name, with a new token and an old cursor. A cursor alone, which is all
      // that a longpoll has, ends with its member.
      throw call.caller.member == nil ? APIFailure.invalidToken : reset
    }
    guard try await call.club.index.read({ try $0.isCurrent(epoch: word.epoch, word.sequence) }) else { throw reset }
    return word
  }

  static func hasOwner(_ word: ListCursorWord, _ call: Call) async throws -> Bool {
    let members = call.club.members
    return try await call.club.index.pool.run { () throws(StoreError) in try members.member(id: word.member) } != nil
  }

  /// - Throws: 401 if the cursor's member no longer exists.
  static func checkOwner(of word: ListCursorWord, _ call: Call) async throws {
    guard try await hasOwner(word, call) else { throw APIFailure.invalidToken }
  }

  /// A cursor at the current state. A listing scans the folder first; a cursor for later changes needs no scan if the
  /// store reports changes, because unseen files then come as changes.
  private static func begin(_ call: Call, isListed: Bool) async throws -> ListCursorWord {
    let argument = call.argument
    try call.refuseProperties(argument)
    // There are no mounted folders and no files without download; Dropbox's listings have no media info since 2019.
    try argument.bools("include_mounted_folders", "include_non_downloadable_files", "include_media_info")
    let folder = try await folder(call)
    guard folder.isFolder else { throw APIFailure.lookup("path", "not_folder") }
    let listing = ListCursorWord.Listing(
      key: folder.key, id: folder.id, isRecursive: try argument.bool("recursive", default: false),
      withDeleted: try argument.bool("include_deleted", default: false),
      withMembers: try argument.bool("include_has_explicit_shared_members", default: false),
      withRestorable: try argument.bool("include_restorable_info", default: false),
      limit: Int(try argument.integer("limit", in: 1...2000, default: 1000)))
    let index = call.club.index
    do throws(StoreError) {
      if isListed || !index.isFollowing { try await index.scan(folder, recursive: listing.isRecursive) }
    } catch {
      if error.kind == .notFound || error.kind == .badInput { throw APIFailure.lookup("path", "not_found") }
      throw error
    }
    let (epoch, newest) = try await index.read { (try $0.epoch(), try $0.newestNumber()) }
    return ListCursorWord(
      member: try call.member.id, epoch: epoch, listing: listing, after: nil, sequence: newest)
  }

  /// The folder to list: by its path, or by a shared link and the path below that.
  private static func folder(_ call: Call) async throws -> ServerNode {
    guard let link = try call.argument.optionalObject("shared_link") else {
      return try await call.node(try call.path(.folder))
    }
    guard try !call.argument.bool("recursive", default: false) else {
      throw call.argument.fault("recursive", "a shared link lists one folder at a time")
    }
    do {
      return try await call.opened(link, password: "password", below: try call.argument.string("path")).file
    } catch APIFailure.route {
      throw APIFailure.lookup("path", "not_found")
    }
  }

  private struct Page {
    var entries: [JSON]
    var word: ListCursorWord
    var hasMore: Bool

    func json(_ seal: Seal) -> JSON {
      .members(["entries": .array(entries), "cursor": .string(word.sealed(seal)), "has_more": .bool(hasMore)])
    }
  }

  private static func page(_ call: Call, _ word: ListCursorWord) async throws -> Page {
    let listing = word.listing
    let found = try await call.club.index.read { reading -> [ServerNode]? in
      guard try listing.key.isEmpty || reading.node(id: listing.id)?.key == listing.key else { return nil }
      guard let after = word.after else {
        return try reading.changes(in: listing.scope, after: word.sequence, limit: listing.limit + 1)
      }
      return try reading.listed(
        in: listing.scope, after: after, limit: listing.limit + 1, deleted: listing.withDeleted)
    }
    guard let found else { throw APIFailure.lookup("path", "not_found") }
    var next = word
    // One extra node shows that more follow.
    let hasMore = found.count > listing.limit
    let nodes = Array(found.prefix(listing.limit))
    if word.after != nil {
      next.after = hasMore ? nodes.last?.key : nil
    } else if let last = nodes.last {
      next.sequence = last.sequence
    }
    var entries = nodes.map { JSON.metadata($0).withMembers(listing.withMembers) }
    if listing.withRestorable {
      for (place, node) in nodes.enumerated() where node.isDeleted {
        let isRestorable = try await call.club.files.isRestorable(node)
        entries[place] = entries[place].adding([JSONMember("is_restorable", .bool(isRestorable))])
      }
    }
    return Page(entries: entries, word: next, hasMore: hasMore)
  }
}
