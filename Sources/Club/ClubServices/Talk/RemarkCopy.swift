internal import Basics
public import FileStores

/// The text of a remark that is typed, as a file for the member's own editor. The draft of the remark stays meanwhile.
public struct RemarkCopy: Sendable {
  public let thing: StorePath
  public let aim: TalkItem.Aim
  /// On this machine.
  public var file: String { directory.path(of: RemarkCopy.name) }
  fileprivate let before: String
  fileprivate let directory: PrivateDirectory

  /// The editor takes it for Markdown.
  private static let name = "remark.md"

  /// Makes the file in a directory that it alone uses.
  /// - Throws: `notPermitted`, `quota` or `server`, naming the directory.
  public init(
    _ text: [UInt8], _ aim: TalkItem.Aim, about thing: StorePath, in directory: String
  ) throws(StoreError) {
    (self.thing, self.aim, before) = (thing, aim, RemarkCopy.plain(text))
    self.directory = try PrivateDirectory(making: directory)
    // Editors expect a line end.
    try self.directory.write(text.isEmpty ? [] : text + [0x0A], as: RemarkCopy.name)
  }

  /// nil if it is empty, or as it was.
  fileprivate func newText() throws(StoreError) -> String? {
    guard let bytes = try directory.read(RemarkCopy.name, limit: Talk.mostBytes) else { return nil }
    let text = RemarkCopy.plain(bytes)
    return text == before || text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Line ends are line feeds, and none is at the end.
  private static func plain(_ bytes: [UInt8]) -> String {
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}

extension NotesService {
  /// Makes the copy: mode 0600, in its own directory with mode 0700.
  /// - Throws: errors of writing it.
  public func beginEdit(
    of text: [UInt8], _ aim: TalkItem.Aim, about thing: StorePath
  ) async throws(StoreError) -> RemarkCopy {
    try await pool.run { () throws(StoreError) in
      try RemarkCopy(text, aim, about: thing, in: "\(self.editsDirectory)/remark-\(DraftJournal.newID())")
    }
  }

  /// Reads the copy and removes it.
  /// - Returns: nil if the text is empty, or as it was.
  /// - Throws: errors of reading it; it stays then.
  public func endEdit(_ copy: RemarkCopy) async throws(StoreError) -> String? {
    let text: String?
    do throws(StoreError) {
      text = try await pool.run { () throws(StoreError) in try copy.newText() }
    } catch {
      throw StoreError(
        error.kind, error.message, remedy: "Your text is kept in \"\(copy.file)\".", path: copy.thing)
    }
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try copy.directory.removeAll() }
    return text
  }
}
