import Accounts
import Basics
import FileStores

/// The accounts of a club's tokens, as the service has named them: a known token needs no request. Calls block.
struct AccountMemory: Sendable {
  private static let name = "accounts"
  /// For programs that print a new token each time.
  private static let mostTokens = 50
  private let files: StateFolder

  /// - Parameter data: the folder of what must not be lost: without it, waiting texts would have no account.
  init(data: String, place: String) { files = StateFolder(data + "/accounts", club: place) }

  /// The words of a token, from which it cannot be found out.
  static func words(of token: String, at origin: String) -> String {
    SHA256.hexadecimal(of: Array("byteclub account\n\(origin)\n\(token)".utf8))
  }

  func account(of token: String) -> String? { lines.last { $0.token == token }?.account }

  /// The words of tokens and their accounts, oldest first.
  var accounts: [(token: String, account: String)] { lines }

  /// The account that this club last had on this machine; nil if it never had one.
  var last: String? { lines.last?.account }

  /// Notes the account of a token as the newest one.
  func remember(_ account: String, of token: String) throws(StoreError) {
    let before = lines
    let line = (token: token, account: account.split(separator: "\n").joined(separator: " "))
    if let last = before.last, last == line { return }
    let kept = before.filter { $0.token != token }.suffix(Self.mostTokens - 1) + [line]
    try files.write(kept.map { "\($0.token) \($0.account)\n" }.joined(), as: Self.name)
  }

  private var lines: [(token: String, account: String)] {
    (files.text(Self.name) ?? "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}
