import ClubServices
import FileStores

/// Finds files by a name that a member has copied from a list or from JSON, for names that no one can type: they are not
/// UTF-8, or have characters that drive a terminal.
enum ShownName {
  /// - Returns: nil unless exactly one name is shown like this.
  /// - Throws: `badInput` if several are.
  static func find(
    _ typed: String, in entries: [FileEntry], _ name: (StorePath) -> [UInt8]
  ) throws(StoreError) -> FileEntry? {
    let found = entries.filter { isShown(typed, as: name($0.path)) }
    guard found.count > 1 else { return found.first }
    throw StoreError(
      .badInput, "\(found.count) names are shown as \"\(typed)\".",
      remedy: "Rename one of the files with another program.")
  }

  /// True for the name as a terminal or JSON shows it, also without `.md`.
  static func isShown(_ typed: String, as name: [UInt8]) -> Bool {
    let spellings = NotesService.spellings(of: typed)
    return spellings.contains(TerminalText.filtered(name)) || spellings.contains(String(decoding: name, as: UTF8.self))
  }

  /// Only such names differ from what is typed, so that a wrong name costs no listing.
  static func isPossible(_ typed: String) -> Bool {
    typed.unicodeScalars.contains("\u{FFFD}") || ["\\x", "^", "<"].contains { typed.contains($0) }
  }
}

extension NoteName {
  /// The note of a typed name, which may be the name as lists show it; the rest as in `NotesService.entry`.
  /// - Throws: errors of the store; `badName`; `badInput` if several notes are meant.
  static func find(
    _ name: String, _ notes: NotesService, ignoresCase: Bool = true, isAnywhere: Bool = true
  ) async throws(StoreError) -> FileEntry? {
    if let entry = try await notes.entry(named: name, ignoresCase: ignoresCase, isAnywhere: isAnywhere) {
      return entry
    }
    guard ShownName.isPossible(name) else { return nil }
    var all: [FileEntry] = []
    try await notes.names { all += $0.notes }
    guard let shown = try ShownName.find(name, in: all, \.bytes) else { return nil }
    return await notes.details(of: [shown.path]).first
  }
}

extension PhotoName {
  /// As `NoteName.find`.
  static func find(
    _ name: String, _ photos: PhotosService, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry? {
    if let entry = try await photos.entry(named: name, ignoresCase: ignoresCase) { return entry }
    guard ShownName.isPossible(name) else { return nil }
    var all: [FileEntry] = []
    try await photos.list { all += $0 }
    return try ShownName.find(name, in: all) { photos.name(of: $0) }
  }
}
