import Synchronization

/// Tokens that were asked for lately, so that not each call of a member asks the file.
final class RememberedTokens: Sendable {
  /// More than a club has; when it is full, all are forgotten.
  private static let most = 1000
  private let found = Mutex<(mark: FileMark?, tokens: [String: (token: ServerToken, member: ServerMember)])>((nil, [:]))

  /// The token as the file had it when it looked like `mark`; nil when that is not known.
  subscript(id: String, mark: FileMark) -> (token: ServerToken, member: ServerMember)? {
    found.withLock { $0.mark == mark ? $0.tokens[id] : nil }
  }

  /// Remembers what was read after the file had looked like `mark`.
  func remember(_ token: (token: ServerToken, member: ServerMember), at mark: FileMark) {
    guard mark.isSettled else { return }
    found.withLock { found in
      if found.mark != mark || found.tokens.count >= RememberedTokens.most { found = (mark, [:]) }
      found.tokens[token.token.id] = token
    }
  }
}

extension ServerMembersDatabase {
  /// The token with this id, and whose it is, when that was asked before and nothing was committed to the file since, by
  /// this process or another: a member who is removed is not known any more at once. Does not block.
  public func remembered(id: String) -> (token: ServerToken, member: ServerMember)? {
    FileMark(of: file.path).flatMap { remembered[id, $0] }
  }
}
