internal import FileStores

/// The bytes of a note while they come, with the bounds of what is held in memory.
struct NoteBytes {
  private(set) var bytes: [UInt8] = []
  private let path: StorePath
  private let limit: Int
  private let binaryLimit: Int
  private var isBinary = false

  /// At the top of a club every file is a note, a film too. The first block decides whether it is text.
  private static let firstBlock = 8 * 1024

  /// Takes at most `limit` bytes, and at most `binaryLimit` of a file whose first block has a NUL.
  init(of path: StorePath, limit: Int, binaryLimit: Int) {
    (self.path, self.limit, self.binaryLimit) = (path, limit, binaryLimit)
  }

  /// - Throws: `tooLarge` past the limit; `unsupported` past the limit of a file that is not text.
  mutating func add(_ chunk: ByteChunk) throws(StoreError) {
    if bytes.count < NoteBytes.firstBlock, !isBinary {
      isBinary = chunk.prefix(NoteBytes.firstBlock - bytes.count).contains(0)
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
  /// Larger files are not opened as notes.
  public static let mostNoteBytes = 256 << 20
  /// Larger files that are not text are not opened as notes.
  private static let mostBinaryBytes = 1 << 20

  /// A whole note.
  /// - Throws: as `FileStore.read`; `tooLarge`; `unsupported` for a large file that is not text.
  func readNote(_ path: StorePath) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    var note = NoteBytes(of: path, limit: NotesService.mostNoteBytes, binaryLimit: NotesService.mostBinaryBytes)
    let entry = try await store.read(path, from: 0, ifRevision: nil) { chunk throws(StoreError) in try note.add(chunk) }
    return (note.bytes, entry)
  }

  /// A whole note that is text and can be searched.
  /// - Throws: as `readNote`; `unsupported` for any file that is not text.
  func readSearched(_ path: StorePath) async throws(StoreError) -> [UInt8] {
    var note = NoteBytes(of: path, limit: Int(NotesService.mostSearchedBytes), binaryLimit: 0)
    _ = try await store.read(path, from: 0, ifRevision: nil) { chunk throws(StoreError) in try note.add(chunk) }
    return note.bytes
  }
}
