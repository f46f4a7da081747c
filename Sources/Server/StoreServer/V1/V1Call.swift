import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON

/// Version 1 has its parameters in the query or a form, and its path in the address.
struct V1Call: Sendable {
  let call: Call
  /// The decoded root and path of the address, after `/1/` and the route.
  private let words: [String]

  var club: ServedClub { call.club }

  init(_ call: Call, after route: String) throws {
    self.call = call
    words = try V1Call.words(call.head.barePath, after: route)
  }

  private static func words(_ path: Substring, after route: String) throws(V1Failure) -> [String] {
    var words: [String] = []
    for word in path.utf8.dropFirst(route.utf8.count).split(separator: UInt8(ascii: "/")) {
      // A plus sign is literal here, unlike in a query.
      guard let text = PercentEncoding.decoded(Substring(word), plusIsSpace: false),
        !text.utf8.contains(UInt8(ascii: "/"))
      else { throw V1Failure.malformed("The path in the address is not UTF-8, percent-encoded.") }
      words.append(text)
    }
    return words
  }

  // MARK: Parameters

  func text(_ name: String) throws -> String? { try call.argument.optionalString(name) }

  func required(_ name: String) throws -> String {
    guard let value = try text(name), !value.isEmpty else { throw V1Failure.malformed("Missing parameter '\(name)'.") }
    return value
  }

  func bool(_ name: String, default value: Bool) throws -> Bool {
    switch try text(name)?.lowercased() {
    case nil, "": return value
    case "true", "1": return true
    case "false", "0": return false
    default: throw V1Failure.malformed("Expected '\(name)' to be true or false.")
    }
  }

  /// Refuses options that this server does not support in version 1.
  func refuse(_ names: String...) throws {
    for name in names where try bool(name, default: false) {
      throw V1Failure.malformed("This server does not support '\(name)'.")
    }
  }

  func number(_ name: String, in range: ClosedRange<Int64>, default value: Int64) throws -> Int64 {
    guard let text = try text(name), !text.isEmpty else { return value }
    guard let number = Int64(text), number >= range.lowerBound else {
      throw V1Failure.malformed("Expected '\(name)' to be a number, \(range.lowerBound) or more.")
    }
    return min(number, range.upperBound)
  }

  /// nil if the parameter is missing.
  func rev(_ name: String) throws -> Int64? {
    guard let text = try text(name), !text.isEmpty else { return nil }
    guard let rev = Rev.number(text), rev > 0, rev < Rev.end else {
      throw V1Failure.malformed("The '\(name)' parameter is not a revision of this server.")
    }
    return rev
  }

  // MARK: Paths

  /// Empty for the root.
  var display: String {
    get throws { try V1Call.display(words, space: club.space) }
  }

  func display(in name: String) throws -> String { try V1Call.checked(try required(name), space: club.space) }

  private static func display(_ words: [String], space: String) throws -> String {
    guard let root = words.first, ["dropbox", "auto", "sandbox", "app_folder"].contains(root) else {
      throw V1Failure.malformed("The root in the address must be 'auto', 'dropbox' or 'sandbox'.")
    }
    return try checked(words.dropFirst().joined(separator: "/"), space: space)
  }

  private static func checked(_ text: String, space: String) throws -> String {
    let parts = PathText.parts(text)
    guard !parts.isEmpty else { return "" }
    guard case .path(let display) = try ClubPath(parts.map { "/" + $0 }.joined(), [], space: space) else {
      throw V1Failure.malformed("The path is not allowed here.")
    }
    return display
  }

  /// `isSandbox` is true for the root of an app folder.
  static func place(
    _ path: Substring, after route: String, space: String
  ) throws -> (display: String, isSandbox: Bool) {
    let words = try words(path, after: route)
    return (try display(words, space: space), isSandbox(words.first ?? ""))
  }

  /// - Throws: 404.
  func node(_ display: String) async throws -> ServerNode {
    guard let node = try await club.index.find(display: display) else { throw V1Failure.missing(display) }
    return node
  }

  /// - Throws: 404, also for a folder.
  func file(_ display: String) async throws -> ServerNode {
    let node = try await node(display)
    guard !node.isFolder else { throw V1Failure(404, "Path '\(display)' is a folder") }
    return node
  }

  func deleted(_ display: String) async throws -> ServerNode? {
    try await club.index.read { try $0.node(key: Folding.key(display), deleted: true) }
  }

  func metadata(_ node: ServerNode) -> JSON { .version1(node, isSandbox: isSandbox) }

  func metadata(_ revision: ServerRevision) -> JSON { .version1(ServerNode(revision), isSandbox: isSandbox) }

  private var isSandbox: Bool { V1Call.isSandbox(words.first ?? (try? text("root")) ?? "") }

  private static func isSandbox(_ root: String) -> Bool { root == "sandbox" || root == "app_folder" }
}

extension ServerNode {
  init(_ revision: ServerRevision) {
    self.init(
      key: revision.key, id: revision.id, display: revision.display, path: .root, isFolder: false, size: revision.size,
      rev: revision.rev, hash: revision.hash, clientModified: revision.clientModified,
      serverModified: revision.serverModified, author: revision.author)
  }
}
