internal import FileStores

/// The characters whose names a server loses: it takes an address apart at them, or decodes it twice. The self-tests of
/// all servers look for them in one way.
struct LostNames: Sendable, Hashable {
  /// Those that the self-tests try. The space and the plus sign are in many names: servers take one for the other.
  static let odd: [Character] = [" ", "+", "%", "&", "#", "?", ";", "\\"]

  private let characters: [Character]

  /// nil for a server that keeps all names, or was not tested.
  init?(_ findings: ServerFindings) {
    guard let answer = findings["names"], answer != "kept" else { return nil }
    characters = LostNames.odd.filter { answer.contains($0) }
    if characters.isEmpty { return nil }
  }

  func isIn(_ path: StorePath) -> Bool {
    path.bytes.contains { byte in characters.contains { $0.asciiValue == byte } }
  }

  /// For people: "spaces, ? or #".
  var words: String {
    let all = characters.map { $0 == " " ? "spaces" : String($0) }
    guard let last = all.last, all.count > 1 else { return all.first ?? "" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Two files of the self-test in a folder of their own: `first` is written under its name, and a copy of `part`, or
  /// `part` itself, gets the name `second`. Their text is their property's name.
  struct Trial: Sendable {
    let folder: StorePath
    let part: StorePath
    let first: StorePath
    let second: StorePath

    /// Each character comes before two digits, which a server that decodes twice takes for its code.
    fileprivate init(_ characters: [Character], in folder: StorePath) throws(StoreError) {
      let name = characters.map { "a\($0)41" }.joined()
      (self.folder, part) = (folder, try folder.parent.appending("part"))
      (first, second) = (try folder.appending(name + "1"), try folder.appending(name + "2"))
    }
  }

  /// The folder's files and their sizes, as the server lists them, and the texts of both files.
  struct Found: Sendable, Hashable {
    var listed: [StorePath: UInt64]
    var first: String
    var second: String
  }

  /// The answer `names` of a self-test: `kept`, or the lost characters. Tries a name with all of them; if that is lost,
  /// adds one after the other to those that the server keeps.
  /// - Parameter look: carries out a trial, and tells what the server has then.
  static func answer(
    in folder: StorePath, _ look: (Trial) async throws(StoreError) -> Found
  ) async throws(StoreError) -> String {
    func holds(_ characters: [Character], _ number: Int) async throws(StoreError) -> Bool {
      let trial = try Trial(characters, in: try folder.appending(String(number)))
      do throws(StoreError) {
        let whole = Found(listed: [trial.first: 5, trial.second: 6], first: "first", second: "second")
        return try await look(trial) == whole
      } catch {
        // A server may fail at such a name.
        guard error.kind == .server else { throw error }
        return false
      }
    }
    if try await holds(odd, odd.count) { return "kept" }
    var (kept, lost): ([Character], String) = ([], "")
    for (number, character) in odd.enumerated() {
      if try await holds(kept + [character], number) { kept.append(character) } else { lost.append(character) }
    }
    return lost.isEmpty ? "kept" : lost
  }
}

extension ServerFindings {
  /// - Throws: `badName` for a name that the server would lose.
  func checkHeld(_ path: StorePath, by server: String) throws(StoreError) {
    guard let lost = LostNames(self), lost.isIn(path) else { return }
    throw StoreError(
      .badName, "\(server) cannot keep the name \"\(path)\": it loses files with \(lost.words) in their names.",
      remedy: "Choose another name.", path: path)
  }
}
