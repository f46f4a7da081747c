import Synchronization

/// Nodes that were asked for lately, by key, so that a file that is asked for again and again costs no query.
final class RememberedNodes: Sendable {
  private struct State {
    var nodes: [String: ServerNode] = [:]
    /// How many changes there were: what was read before one and arrives after it is not remembered.
    var changes: UInt64 = 0
  }

  /// Some 300 bytes each; when it is full, all are forgotten.
  private static let most = 10_000
  private let state = Mutex(State())

  /// How many changes there were so far.
  var changes: UInt64 { state.withLock { $0.changes } }

  subscript(key: String) -> ServerNode? { state.withLock { $0.nodes[key] } }

  /// Remembers what was read when there had been so many changes.
  func remember(_ node: ServerNode, since changes: UInt64) {
    state.withLock { state in
      guard state.changes == changes else { return }
      if state.nodes.count >= RememberedNodes.most { state.nodes = [:] }
      state.nodes[node.key] = node
    }
  }

  /// Forgets all, once a change is committed: a row that is written may push out others (of the same id, or path).
  func forgetAll() {
    state.withLock { state in
      state.changes += 1
      if !state.nodes.isEmpty { state.nodes = [:] }
    }
  }
}
