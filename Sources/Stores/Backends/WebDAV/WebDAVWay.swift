internal import FileStores

/// The way of writing that the findings about a server allow, best first.
enum WebDAVWay: Sendable, Hashable {
  /// PUT with `If-Match` or `If-None-Match: *`.
  case condition
  /// LOCK, look, write, UNLOCK.
  case lock
  case none

  init(_ findings: ServerFindings) {
    let keeps = findings["create"] == "kept" && findings["replace"] == "kept" && WebDAVWay.matches(findings)
    if findings["revisions"] == "never" {
      self = .none
      return
    }
    // A server that compares before the body arrives lets two bodies that arrive together pass.
    if keeps, findings["overlap"] == "kept", findings["answer"] == "tag" {
      self = .condition
    } else if findings["lock"] == "kept" {
      self = .lock
    } else {
      self = keeps ? .condition : .none
    }
  }

  /// True if the server compares a file's own ETag, not only a wrong one.
  private static func matches(_ findings: ServerFindings) -> Bool { ["strong", "weak"].contains(findings["match"]) }

  /// The reason why no save is safe at a server, as the end of a sentence.
  static func danger(_ findings: ServerFindings) -> String {
    let way =
      if findings["revisions"] == "never" {
        "shows no change of a file by its ETag, time or size"
      } else if findings["create"] == "kept", findings["replace"] == "kept", findings["tag"] != "none" {
        "refuses a file's own ETag as a condition, and has no locks"
      } else {
        "keeps no conditions and no locks"
      }
    return way + ": a save could destroy what another member saves"
  }

  var conditions: WriteConditions {
    switch self {
    case .condition: .kept
    case .lock: .byLock
    case .none: .none
    }
  }

  var hasLocks: Bool { self == .lock }

  /// True where a lock alone does not keep other byteclubs out between look and change. No test shows that a server
  /// compares and writes in one step: sabre/dav seems to, and does not. Where files are written by a MOVE over the old one,
  /// the lock may go with that: WsgiDAV deletes the target first, and its locks with it.
  func needsLease(_ findings: ServerFindings) -> Bool {
    self != .lock || findings["held"] != "kept" || findings["body"] != "whole"
  }
}
