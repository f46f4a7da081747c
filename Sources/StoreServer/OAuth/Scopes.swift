/// What a token may be used for, by the API's words.
enum Scopes {
  static let all: Set<String> = [
    "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read", "files.content.write",
    "sharing.read", "sharing.write",
  ]

  /// The scopes of a list; nil when it names an unknown one. An empty list means all, and who may write may read.
  static func read(_ text: String?) -> Set<String>? {
    let words = Set((text ?? "").split(separator: " ").map(String.init))
    if words.isEmpty { return all }
    guard words.isSubset(of: all) else { return nil }
    let writing = words.filter { $0.hasSuffix(".write") }
    return words.union(writing.map { $0.dropLast("write".count) + "read" })
  }

  static func text(_ scopes: Set<String>) -> String { scopes.sorted().joined(separator: " ") }
}
