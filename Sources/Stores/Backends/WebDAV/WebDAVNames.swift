internal import FileStores

/// The characters whose names a server loses: it takes an address apart at them, or decodes it twice.
struct WebDAVNames: Sendable, Hashable {
  /// Those that the self-test tries.
  static let odd: [Character] = ["%", "&", "#", "?", ";", "\\"]

  private let characters: [Character]

  /// nil for a server that keeps all names, or was not tested.
  static func lost(_ findings: ServerFindings) -> WebDAVNames? {
    guard let answer = findings["names"], answer != "kept" else { return nil }
    let characters = odd.filter { answer.contains($0) }
    return characters.isEmpty ? nil : WebDAVNames(characters: characters)
  }

  func isIn(_ path: StorePath) -> Bool {
    path.bytes.contains { byte in characters.contains { $0.asciiValue == byte } }
  }

  /// For people: "?, # or ;".
  var words: String {
    let all = characters.map(String.init)
    guard let last = all.last, all.count > 1 else { return all.first ?? "" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}
