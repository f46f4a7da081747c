internal import Basics
public import FileStores

public struct OpenNote: Sendable {
  public enum Content: Sendable, Hashable {
    /// UTF-8 without a NUL.
    case text
    /// UTF-16 and Latin-1, which are shown in UTF-8, or damaged text: read-only.
    case notUTF8
    /// Contains a NUL: shown read-only.
    case binary
  }

  /// Its `revision` is the base of a later save.
  public let entry: FileEntry
  /// As it is shown: in UTF-8, if it is text.
  public let bytes: [UInt8]
  public let content: Content
  /// The newest unsaved draft that is not open in another byteclub.
  public let draft: Draft?
  public var remarks = PlacedTalk.none
  /// nil if it was not asked for.
  public var writer: NoteWriter?

  public init(entry: FileEntry, bytes: [UInt8], draft: Draft?) {
    (self.entry, self.draft) = (entry, draft)
    content = OpenNote.kind(of: bytes)
    self.bytes = content == .notUTF8 ? TextEncoding.shown(bytes) : bytes
  }

  static func kind(of bytes: [UInt8]) -> Content {
    switch TextEncoding(bytes) {
    case .utf8: bytes.contains(0) ? .binary : .text
    case .other: bytes.contains(0) ? .binary : .notUTF8
    case .utf16, .latin1: .notUTF8
    }
  }
}

struct NoteBytes {
  private(set) var bytes: [UInt8] = []
  private let path: StorePath
  private let limit: Int
  private let binaryLimit: Int
  private var isBinary = false

  /// Every file at the top of a club is a note, even a film. The first block decides if it is text.
  private static let firstBlock = 8 * 1024

  /// Accepts at most `limit` bytes, and at most `binaryLimit` of a file with a NUL in its first block.
  init(of path: StorePath, limit: Int, binaryLimit: Int) {
    (self.path, self.limit, self.binaryLimit) = (path, limit, binaryLimit)
  }

  /// - Throws: `tooLarge` past the limit; `unsupported` past the limit of a file that is not text.
  mutating func add(_ chunk: ByteChunk) throws(StoreError) {
    if bytes.count < NoteBytes.firstBlock, !isBinary {
      let block = bytes + chunk.prefix(NoteBytes.firstBlock - bytes.count)
      isBinary = block.contains(0) && TextEncoding.mark(of: block) == nil
    }
    let count = bytes.count + chunk.count
    if isBinary, count > binaryLimit {
      throw StoreError(
        .unsupported, "\"\(path)\" is not text.", remedy: "Open it with another program (o in the list of notes).",
        path: path)
    }
    guard count <= limit else {
      throw StoreError(
        .tooLarge, "\"\(path)\" is larger than a note can be (\(limit >> 20) MiB).",
        remedy: "Open it with another program (o in the list of notes).", path: path)
    }
    bytes.append(contentsOf: chunk)
  }
}

extension NotesService {
  public static let mostNoteBytes = 256 << 20
  private static let mostBinaryBytes = 1 << 20

  /// Reads a whole note, and keeps it as a version.
  /// - Throws: as `FileStore.read`; `tooLarge`; `unsupported` for a large file that is not text.
  func readNote(
    _ path: StorePath, progress: ([UInt8]) -> Void = { _ in }
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    var note = NoteBytes(of: path, limit: NotesService.mostNoteBytes, binaryLimit: NotesService.mostBinaryBytes)
    let entry = try await store.read(path, from: 0, ifRevision: nil) { chunk throws(StoreError) in
      try note.add(chunk)
      progress(note.bytes)
    }
    past?.keep(note.bytes, of: entry)
    return (note.bytes, entry)
  }

  /// Writes a whole note, and keeps it as a version: the text of the store then, not that of the editor.
  /// - Throws: as `FileStore.put`.
  func writeNote(_ text: [UInt8], at path: StorePath, _ mode: WriteMode) async throws(StoreError) -> FileEntry {
    let entry = try await store.put(DataSource(text), at: path, mode: mode)
    past?.keep(text, of: entry, isOwn: true)
    return entry
  }

  /// Reads a whole note for a search of its text.
  /// - Throws: as `readNote`; `unsupported` for any file that is not text.
  func readSearched(_ entry: FileEntry) async throws(StoreError) -> [UInt8] {
    do throws(StoreError) {
      // With the listed revision, a store that repeats calls need not ask for it before each text.
      return try await readSearched(entry.path, ReadOptions(ifRevision: entry.revision, expected: entry.size))
    } catch {
      guard entry.revision != nil, !Task.isCancelled else { throw error }
      // The note has changed since; or the store is away, and its copy has an earlier text.
      var isOther = error.kind == .conflict
      if error.isTemporary { isOther = await club.copy?.hasText(of: entry.path) == true }
      guard isOther else { throw error }
      return try await readSearched(entry.path, ReadOptions(expected: entry.size))
    }
  }

  private func readSearched(_ path: StorePath, _ options: ReadOptions) async throws(StoreError) -> [UInt8] {
    var note = NoteBytes(of: path, limit: Int(NotesService.mostSearchedBytes), binaryLimit: 0)
    _ = try await store.read(path, options) { chunk throws(StoreError) in try note.add(chunk) }
    return TextEncoding.shown(note.bytes)
  }

  /// Reads the first bytes of a note, without waiting for a save; `isOwn` if they are the member's and the club does
  /// not have them yet.
  /// - Returns: at most `limit` bytes, cut between characters, and true if the note goes on.
  /// - Throws: as `FileStore.read`.
  public func beginning(
    of path: StorePath, limit: Int
  ) async throws(StoreError) -> (bytes: [UInt8], isCut: Bool, isOwn: Bool) {
    let own = try await own(path)?.bytes
    let first =
      if let own { FileBeginning(of: own, limit: limit) } else { try await store.readBeginning(path, limit: limit) }
    return (first.text, first.isCut, own != nil)
  }

  /// True if the local copy has the note's present text.
  public func hasCopied(_ path: StorePath) async -> Bool { await club.copy?.hasPresentText(of: path) == true }

  /// The head of a note of which more has to come, as it is shown; nil if it is not text.
  public static func head(of bytes: [UInt8], limit: Int) -> [UInt8]? {
    let head = FileBeginning(of: bytes, limit: min(limit, max(0, bytes.count - 1))).text
    return TextFinder.isText(head) ? head : nil
  }
}

extension FileBeginning {
  /// The bytes as text, cut between characters.
  public var text: [UInt8] {
    var bytes = bytes
    if TextEncoding.mark(of: bytes) != nil {
      if isCut { bytes = Array(bytes.prefix(bytes.count & ~1)) }
    } else if isCut {
      // A cut character would be shown as its bytes.
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    return TextEncoding.shown(bytes)
  }
}
