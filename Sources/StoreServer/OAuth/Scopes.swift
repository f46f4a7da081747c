/// What a token may be used for, by the API's words.
enum Scopes {
  static let all: Set<String> = [
    "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read", "files.content.write",
    "sharing.read", "sharing.write",
  ]

  /// The scopes of a list; nil when it names an unknown one. An empty list means all.
  static func read(_ text: String?) -> Set<String>? {
    let words = Set((text ?? "").split(separator: " ").map(String.init))
    if words.isEmpty { return all }
    return words.isSubset(of: all) ? words : nil
  }

  static func text(_ scopes: Set<String>) -> String { scopes.sorted().joined(separator: " ") }
}
