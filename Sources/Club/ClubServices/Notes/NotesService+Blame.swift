internal import Basics
public import FileStores
internal import Merge

/// The version that brought each line of a note.
public struct NoteBlame: Sendable {
  public let path: StorePath
  public let lines: [[UInt8]]
  /// The versions that were compared, the newest first.
  public let versions: [FileEntry]
  /// For each line the place of its version in `versions`.
  public let origins: [Int]
  /// True if older versions were not compared: lines of the last one may be older.
  public let isCut: Bool

  public init(path: StorePath, lines: [[UInt8]], versions: [FileEntry], origins: [Int], isCut: Bool) {
    (self.path, self.lines, self.versions, self.origins, self.isCut) = (path, lines, versions, origins, isCut)
  }
}

extension NoteBlame {
  /// The authors of each line that begins a list item, in their order, and nil for one that may be older; empty if no
  /// version has an author.
  public var authors: [String: [String?]] {
    var authors: [String: [String?]] = [:]
    guard versions.contains(where: { $0.member != nil }) else { return authors }
    for (line, origin) in zip(lines, origins) where line.starts(with: "- ".utf8) {
      let isOlder = isCut && origin == versions.count - 1
      let text = String(decoding: line, as: UTF8.self).prefix { !$0.isNewline }
      authors[String(text), default: []].append(isOlder ? nil : versions[origin].member)
    }
    return authors
  }
}

extension NotesService {
  public static let mostBlamed = 50
  /// In bytes, of all versions together.
  public static let mostBlamedBytes: UInt64 = 16 << 20

  /// The version that brought each line of the note, from at most 50 of its versions.
  /// - Throws: as `history` and `version`; `unsupported` for a note that is no text, unless it `takesAnyBytes`; then its lines are
  ///   those of the bytes, in any encoding.
  public func blame(_ path: StorePath, takesAnyBytes: Bool = false) async throws(StoreError) -> NoteBlame {
    let all = try await history(of: path, limit: NotesService.mostBlamed + 1)
    var versions: [FileEntry] = []
    var bytes: UInt64 = 0
    for version in all.prefix(NotesService.mostBlamed) where version.isKept {
      bytes += version.size ?? 0
      guard versions.isEmpty || bytes <= NotesService.mostBlamedBytes else { break }
      versions.append(version)
    }
    var texts: [[UInt8]] = []
    var read: [FileEntry] = []
    for version in versions {
      guard let revision = version.revision else { continue }
      do throws(StoreError) {
        if takesAnyBytes {
          texts.append(try await self.read(revision, of: path).bytes)
        } else {
          let note = try await self.version(revision, of: path)
          guard note.content == .text else {
            guard texts.isEmpty else { break }
            throw StoreError(
              .unsupported, "\"\(path)\" is not text, so it has no lines.", remedy: "The history shows its versions.",
              path: path)
          }
          texts.append(note.bytes)
        }
        read.append(version)
      } catch  where error.kind == .notFound && !texts.isEmpty {
        // The store has dropped it meanwhile, and those before it.
        break
      }
    }
    let isCut = read.count < all.count
    let found = (read, texts)
    return await pool.run { NotesService.blame(path, found.0, found.1, isCut: isCut) }
  }

  /// - Parameter texts: of the versions, in the same order.
  public static func blame(_ path: StorePath, _ versions: [FileEntry], _ texts: [[UInt8]], isCut: Bool) -> NoteBlame {
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func lines(_ text: [UInt8]) -> [Int] {
      text.lines.map { line in
        if let known = numbers[line] { return known }
        numbers[line] = numbers.count
        return numbers.count - 1
      }
    }
    var before: [Int] = []
    var origins: [Int] = []
    for place in texts.indices.reversed() {
      let now = lines(texts[place])
      var next = Array(repeating: place, count: now.count)
      for (line, partner) in SequenceDiff.partners(before, now).enumerated() {
        if let partner { next[partner] = origins[line] }
      }
      (before, origins) = (now, next)
    }
    return NoteBlame(
      path: path, lines: (texts.first ?? []).lines.map { Array($0) }, versions: versions, origins: origins,
      isCut: isCut)
  }
}

extension [UInt8] {
  /// The lines without their line feeds.
  fileprivate var lines: [ArraySlice<UInt8>] {
    var lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
