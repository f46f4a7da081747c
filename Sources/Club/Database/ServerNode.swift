public import FileStores
import Synchronization

public struct ServerNode: Sendable, Equatable {
  /// The case-insensitive lookup key: the displayed path, folded, with a leading `/`; empty for the root.
  public var key: String
  /// It survives moves.
  public var id: String
  /// Its path as clients see it, with a leading `/`.
  public var display: String
  public var path: StorePath
  public var isFolder: Bool
  /// 0 for folders.
  public var size: UInt64
  /// The store's revision of the content in this row; nil for folders.
  public var storeRevision: Revision?
  /// The server's number for the content; 0 for folders.
  public var rev: Int64
  /// The checksum of the content; nil for folders, and for a file of an index of an earlier byteclub until it is read.
  public var hash: ContentHash?
  /// The modification time of the content according to the member's program, in seconds since 1970.
  public var clientModified: Int64
  /// The time at which the content arrived or was deleted, in seconds since 1970.
  public var serverModified: Int64
  public var sequence: Int64
  public var isDeleted: Bool
  /// nil for folders and for content that another program wrote.
  public var author: ServerAuthor?

  public init(
    key: String, id: String, display: String, path: StorePath, isFolder: Bool, size: UInt64 = 0,
    storeRevision: Revision? = nil, rev: Int64 = 0, hash: ContentHash? = nil, clientModified: Int64 = 0,
    serverModified: Int64 = 0, sequence: Int64 = 0, isDeleted: Bool = false, author: ServerAuthor? = nil
  ) {
    self.key = key
    self.id = id
    self.display = display
    self.path = path
    self.isFolder = isFolder
    self.size = size
    self.storeRevision = storeRevision
    self.rev = rev
    self.hash = hash
    self.clientModified = clientModified
    self.serverModified = serverModified
    self.sequence = sequence
    self.isDeleted = isDeleted
    self.author = author
  }
}

/// The member who wrote a version. The name stays known after the member has left.
public struct ServerAuthor: Sendable, Equatable {
  public let id: String
  public let name: String
  /// The name that somebody without an account gave who left the version on a page of this member; nil for the member's
  /// own.
  public let guest: String?

  public init(_ member: ServerMember, guest: String? = nil) { (id, name, self.guest) = (member.id, member.name, guest) }

  /// The name for clients. No member is called like a guest.
  public var shownName: String { guest.map { "\($0) (a guest of \(name))" } ?? name }

  /// The text of a row: the id, which has no space, the name, and a guest's name behind a line break, which no name has.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let names = parts[1].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    (id, name, guest) = (String(parts[0]), String(names[0]), names.count == 2 ? String(names[1]) : nil)
  }

  var text: String { id + " " + name + (guest.map { "\n" + $0 } ?? "") }
}

final class RememberedNodes: Sendable {
  private struct State {
    var nodes: [String: ServerNode] = [:]
    /// The number of changes: a node read before a change is not cached after it.
    var changes: UInt64 = 0
  }

  /// The most nodes, of some 300 bytes each; a full cache is emptied.
  private static let most = 10_000
  private let state = Mutex(State())

  var changes: UInt64 { state.withLock { $0.changes } }

  subscript(key: String) -> ServerNode? { state.withLock { $0.nodes[key] } }

  func remember(_ node: ServerNode, since changes: UInt64) {
    state.withLock { state in
      guard state.changes == changes else { return }
      if state.nodes.count >= RememberedNodes.most { state.nodes = [:] }
      state.nodes[node.key] = node
    }
  }

  /// Empties the cache after a commit: a written row may replace others (of the same id, or path).
  func forgetAll() {
    state.withLock { state in
      state.changes += 1
      if !state.nodes.isEmpty { state.nodes = [:] }
    }
  }
}
