import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let v1ChangeRoutes: [Route] = [
    v1("delta", scope: "files.metadata.read", v1Delta),
    v1("delta/latest_cursor", scope: "files.metadata.read", v1LatestCursor),
    Route(
      "/1/longpoll_delta", .version1,
      .everyone(because: "the cursor is sealed, names its member, and tells only whether there is something new")
    ) { call in try await v1Longpoll(V1Call(call, after: "/1/longpoll_delta")) },
  ]

  private static let pageEntries = 1000

  @Sendable private static func v1LatestCursor(_ v1: V1Call) async throws -> Response {
    try v1.refuse("include_media_info")
    return .json(.members(["cursor": .string(try await begin(v1, listing: false).sealed(v1.club.seal))]))
  }

  @Sendable private static func v1Delta(_ v1: V1Call) async throws -> Response {
    try v1.refuse("include_media_info")
    var word: ListCursorWord
    var isReset = false
    if let text = try v1.text("cursor"), !text.isEmpty {
      word = try read(text, v1)
      guard word.member == (try v1.call.member).id else { throw V1Failure.malformed("The cursor is another member's.") }
      // A rebuilt index does not know which changes it reported before.
      if try await !v1.club.index.read({ [word] in try $0.isCurrent(epoch: word.epoch, word.sequence) }) {
        word = try await begin(v1, listing: true)
        isReset = true
      } else if let key = try prefix(v1), key != word.listing.key {
        guard PathText.isBelow(key, word.listing.key) else {
          throw V1Failure.malformed("The path_prefix differs from the cursor's.")
        }
        word = ListCursorWord(
          member: word.member, epoch: word.epoch, listing: listing(key), after: word.after, sequence: word.sequence)
      }
    } else {
      word = try await begin(v1, listing: true)
      isReset = true
    }
    let (nodes, next, hasMore) = try await page(v1, word)
    return .json(
      .members([
        "entries": .array(
          nodes.map { .array([.string($0.key), $0.isDeleted ? .null : v1.metadata($0)]) }),
        "reset": .bool(isReset), "cursor": .string(next.sealed(v1.club.seal)), "has_more": .bool(hasMore),
      ]))
  }

  /// A page after a cursor: first all existing files, then the changes since that listing began.
  private static func page(
    _ v1: V1Call, _ word: ListCursorWord
  ) async throws -> (nodes: [ServerNode], next: ListCursorWord, hasMore: Bool) {
    let (scope, key) = (word.listing.scope, word.listing.key)
    let isFirst = word.after == ""
    var (nodes, own) = try await v1.club.index.read { reading -> ([ServerNode], ServerNode?) in
      let own = key.isEmpty ? nil : try reading.node(key: key) ?? reading.node(key: key, deleted: true)
      if let after = word.after {
        return (try reading.listed(in: scope, after: after, limit: pageEntries), own?.isDeleted == false ? own : nil)
      }
      let changes = try reading.changes(in: scope, after: word.sequence, limit: pageEntries)
      return (changes, own.flatMap { $0.sequence > word.sequence ? $0 : nil })
    }
    let isFull = nodes.count == pageEntries
    var next = word
    if word.after != nil {
      next.after = isFull ? nodes.last?.key : nil
      if isFirst, let own { nodes.insert(own, at: 0) }
      // The next request reports changes made meanwhile.
      return (nodes, next, isFull)
    }
    if let last = nodes.last { next.sequence = last.sequence }
    if !isFull, let found = own {
      next.sequence = max(next.sequence, found.sequence)
      if found.isDeleted { nodes.append(found) } else { nodes.insert(found, at: 0) }
      own = nil
    }
    return (nodes, next, isFull)
  }

  @Sendable private static func v1Longpoll(_ v1: V1Call) async throws -> Response {
    let seconds = try v1.number("timeout", in: 1...480, default: 30)
    let word = try read(try v1.required("cursor"), v1)
    let index = v1.club.index
    try await checkOwner(of: word, v1.call)
    let key = word.listing.key
    let isThere: @Sendable () async throws -> Bool = {
      try await index.read { reading in
        if try word.after != nil || !reading.isCurrent(epoch: word.epoch, word.sequence) { return true }
        if try !reading.changes(in: word.listing.scope, after: word.sequence, limit: 1).isEmpty { return true }
        if key.isEmpty { return false }
        let own = try reading.node(key: key) ?? reading.node(key: key, deleted: true)
        return own.map { $0.sequence > word.sequence } ?? false
      }
    }
    let found = try await v1.call.polling(for: word.member) {
      try await index.wait(seconds: Int64(seconds), until: isThere)
    }
    try await checkOwner(of: word, v1.call)
    return .json(.members(["changes": .bool(found)]))
  }

  private static func read(_ text: String, _ v1: V1Call) throws -> ListCursorWord {
    guard let word = ListCursorWord(text, v1.club.seal) else {
      throw V1Failure.malformed("Invalid \"cursor\" parameter")
    }
    return word
  }

  private static func prefix(_ v1: V1Call) throws -> String? {
    guard let text = try v1.text("path_prefix"), !PathText.parts(text).isEmpty else { return nil }
    return Folding.key(try v1.display(in: "path_prefix"))
  }

  private static func listing(_ key: String) -> ListCursorWord.Listing {
    ListCursorWord.Listing(key: key, id: "", isRecursive: true, withDeleted: false, limit: pageEntries)
  }

  private static func begin(_ v1: V1Call, listing isListing: Bool) async throws -> ListCursorWord {
    let key = try prefix(v1) ?? ""
    let display = key.isEmpty ? "" : try v1.display(in: "path_prefix")
    if let folder = try await v1.club.index.find(display: display), folder.isFolder {
      // If the folder has just gone, nothing is listed.
      try await ifThere(or: [.badInput]) { () throws(StoreError) in
        try await v1.club.index.scan(folder, recursive: true)
      }
    }
    let (epoch, newest) = try await v1.club.index.read { (try $0.epoch(), try $0.newestNumber()) }
    return ListCursorWord(
      member: try v1.call.member.id, epoch: epoch, listing: listing(key), after: isListing ? "" : nil, sequence: newest)
  }
}
