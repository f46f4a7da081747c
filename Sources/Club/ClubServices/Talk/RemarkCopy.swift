internal import Basics
public import FileStores

/// The text of a remark that is typed, as a file for the member's own editor. The draft of the remark stays meanwhile.
///
/// An editor that does not wait (`code`) has ended when its window is still open, and byteclub may end before the editor.
/// So the copy stays until its text is in a draft, or untouched for a day; a later start makes a draft of a new text.
public struct RemarkCopy: Sendable {
  public let thing: StorePath
  public let aim: TalkItem.Aim
  /// On this machine.
  public var file: String { directory.path(of: RemarkCopy.name) }
  private let before: String
  fileprivate let directory: PrivateDirectory

  /// The editor takes it for Markdown.
  private static let name = "remark.md"
  private static let aboutName = "about"
  private static let prefix = "remark-"

  fileprivate static func newDirectory(in edits: String) -> String { "\(edits)/\(prefix)\(DraftJournal.newID())" }

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

/// The facts that a later start needs of a copy: lines of Base64.
extension RemarkCopy {
  fileprivate func keepAbout(owner: String, club: String) throws(StoreError) {
    let fields = [owner, club, Draft.title(of: aim), before].map { Array($0.utf8) } + [thing.bytes]
    try directory.write(
      Array(fields.map { Base64.text(of: $0) }.joined(separator: "\n").utf8), as: RemarkCopy.aboutName)
  }

  /// Nil for a copy of another club or of a process that lives, and for one that does not tell what it is about.
  fileprivate init?(left directory: PrivateDirectory, of clubs: [String], _ isLive: (String) -> Bool) throws(StoreError)
  {
    guard let about = try directory.read(RemarkCopy.aboutName, limit: 2 * Talk.mostBytes) else { return nil }
    let fields = about.split(separator: 0x0A, omittingEmptySubsequences: false)
      .compactMap { Base64.bytes(of: String(decoding: $0, as: UTF8.self)) }
    // A damaged one tells nothing.
    guard fields.count == 5, let thing = try? StorePath(fields[4]) else { return nil }
    let words = fields.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard clubs.contains(words[1]), !isLive(words[0]), let aim = Draft.aim(ofTitle: words[2]) else { return nil }
    (self.thing, self.aim, self.directory, before) = (thing, aim, directory, words[3])
  }

  /// The copies below a directory whose process has ended.
  fileprivate static func left(
    in edits: PrivateDirectory, of clubs: [String], _ isLive: (String) -> Bool
  ) throws(StoreError) -> [RemarkCopy] {
    var copies: [RemarkCopy] = []
    for name in try edits.names() where name.hasPrefix(prefix) {
      if let copy = try RemarkCopy(left: try edits.directory(name), of: clubs, isLive) { copies.append(copy) }
    }
    return copies
  }

  /// True while an editor may have it open that its byteclub has not waited for.
  fileprivate func isFresh(_ now: Int64) -> Bool {
    guard let facts = directory.facts(of: RemarkCopy.name) else { return false }
    return now - facts.changed < NotesService.leftSeconds
  }
}

extension NotesService {
  /// Makes the copy: mode 0600, in its own directory with mode 0700.
  /// - Throws: errors of writing it.
  public func beginEdit(
    of text: [UInt8], _ aim: TalkItem.Aim, about thing: StorePath
  ) async throws(StoreError) -> RemarkCopy {
    try await pool.run { () throws(StoreError) in
      try self.drafts.owner.take()
      let copy = try RemarkCopy(text, aim, about: thing, in: RemarkCopy.newDirectory(in: self.editsDirectory))
      try copy.keepAbout(owner: self.drafts.owner.word, club: self.club.key)
      return copy
    }
  }

  /// Reads the copy, which stays.
  /// - Returns: nil if the text is empty, or as it was.
  public func endEdit(_ copy: RemarkCopy) async throws(StoreError) -> String? {
    do throws(StoreError) {
      return try await pool.run { () throws(StoreError) in try copy.newText() }
    } catch {
      throw StoreError(
        error.kind, error.message, remedy: "Your text is kept in \"\(copy.file)\".", path: copy.thing)
    }
  }

  /// Removes a copy whose text is in a draft, once that is durable.
  public func drop(_ copy: RemarkCopy) async {
    await drafts.flush()
    guard drafts.failure.value == nil else { return }
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try copy.directory.removeAll() }
  }

  /// Makes drafts of texts that an editor wrote into copies whose byteclub has ended.
  func rescueRemarks() async throws(StoreError) {
    let clubs = [club.key] + (club.strays.map { [$0] } ?? [])
    let left = try await pool.run { () throws(StoreError) -> [(copy: RemarkCopy, text: String?)] in
      let edits = PrivateDirectory(at: self.editsDirectory)
      var left: [(copy: RemarkCopy, text: String?)] = []
      for copy in try RemarkCopy.left(in: edits, of: clubs, self.drafts.owner.isLive) {
        let text: String?
        do throws(StoreError) { text = try copy.newText() } catch {
          // The others are rescued, too; this one stays.
          self.drafts.onFailure(error)
          continue
        }
        if text != nil || !copy.isFresh(self.now().seconds) { left.append((copy, text)) }
      }
      return left
    }
    for (copy, text) in left {
      if let text { _ = drafts.begin(copy.aim, on: copy.thing, text: Array(text.utf8)) }
      await drop(copy)
    }
  }
}
