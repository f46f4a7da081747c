public import FileStores

/// The paths of a club that are notes, and those of the folders that hold notes.
public struct NoteScope: Sendable, Hashable {
  /// Notes below more folders than this are not shown.
  public static let mostDepth = 64

  public let photosFolder: StorePath
  /// False if all notes are at the top.
  public let hasFolders: Bool
  /// True if the store takes names that differ in letter case alone for one.
  let ignoresCase: Bool

  public init(photosFolder: StorePath, hasFolders: Bool = true, ignoresCase: Bool = false) {
    (self.photosFolder, self.hasFolders, self.ignoresCase) = (photosFolder, hasFolders, ignoresCase)
  }

  public func isNote(_ entry: FileEntry) -> Bool { entry.kind == .file && isNote(entry.path) }

  /// At the top any name that is not hidden. In a folder, `.md`, `.markdown`, `.txt` (in any letter case) and names
  /// without an ending.
  public func isNote(_ path: StorePath) -> Bool { part(path, isFolder: false) == .note }

  /// True for the top and for the folders that may hold notes.
  public func isFolder(_ path: StorePath) -> Bool { path.isRoot || part(path, isFolder: true) == .folder }

  /// The place of an entry of a listing in the notes' tab.
  enum Part: Sendable {
    case note, folder
    /// A file beside notes that is none.
    case other
    /// A folder below `mostDepth` others.
    case tooDeep
    /// Hidden, of the photos, or below a folder that is too deep.
    case outside
  }

  func part(_ entry: FileEntry) -> Part {
    entry.kind == .other ? .outside : part(entry.path, isFolder: entry.kind == .folder)
  }

  private func part(_ path: StorePath, isFolder: Bool) -> Part {
    let bytes = path.bytes
    guard let depth = depth(bytes), isFolder || depth > 0 else { return .outside }
    guard isFolder || depth > 1 else { return .note }
    guard hasFolders, !isPhotos(bytes) else { return .outside }
    if isFolder {
      return depth <= NoteScope.mostDepth ? .folder : depth == NoteScope.mostDepth + 1 ? .tooDeep : .outside
    }
    guard depth <= NoteScope.mostDepth + 1 else { return .outside }
    return NoteScope.isNoteName(path.name) ? .note : .other
  }

  /// The number of parts of a path; nil if one is hidden.
  private func depth(_ bytes: [UInt8]) -> Int? {
    var (depth, last) = (bytes.isEmpty ? 0 : 1, slash)
    for byte in bytes {
      if byte == dot, last == slash { return nil }
      if byte == slash { depth += 1 }
      last = byte
    }
    return depth
  }

  /// True for the photos folder and all that is below it.
  func isPhotos(_ bytes: [UInt8]) -> Bool {
    let folder = photosFolder.bytes
    guard !folder.isEmpty else { return true }
    guard bytes.count == folder.count || bytes.count > folder.count && bytes[folder.count] == slash else {
      return false
    }
    return bytes.starts(with: folder) { $0 == $1 || ignoresCase && NoteScope.lower($0) == NoteScope.lower($1) }
  }

  /// True for the photos folder and the folders that it is in.
  func isAroundPhotos(_ folder: StorePath) -> Bool {
    NoteScope(photosFolder: folder, ignoresCase: ignoresCase).isPhotos(photosFolder.bytes)
  }

  /// True for a name that a note in a folder may have.
  public static func isNoteName(_ name: ArraySlice<UInt8>) -> Bool {
    guard let cut = name.lastIndex(of: dot) else { return true }
    let ending = name[(cut + 1)...]
    if endings.contains(where: { $0.count == ending.count && ending.elementsEqual($0) { lower($0) == $1 } }) {
      return true
    }
    return !NoteName.hasEnding(String(decoding: name, as: UTF8.self))
  }

  static func tooDeep(_ path: StorePath) -> StoreError {
    StoreError(
      .badName, "\"\(NoteName.shown("\(path)"))\" is deeper than \(mostDepth) folders.", remedy: "Choose another name.",
      path: path)
  }

  private static let endings = ["md", "txt", "markdown"].map { Array($0.utf8) }

  private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// True for notes, for other files beside notes, and for folders of notes.
  func holds(_ path: StorePath) -> Bool {
    switch part(path, isFolder: false) {
    case .note, .other: true
    case .folder, .tooDeep, .outside: false
    }
  }

  /// The listing of the top that has all notes. It may have more.
  func listing(_ detail: ListOptions.Detail) -> ListOptions {
    hasFolders
      ? ListOptions(
        detail, recursive: true, besides: photosFolder.isRoot ? [] : [photosFolder], skipsHidden: true,
        mostDepth: NoteScope.mostDepth)
      : ListOptions(detail)
  }

  /// - Throws: `badName` for a path that no list of notes would show.
  func check(_ path: StorePath) throws(StoreError) {
    guard !isNote(path) else { return }
    if hasFolders, !isPhotos(path.bytes), path.components.count > NoteScope.mostDepth + 1 {
      throw NoteScope.tooDeep(path)
    }
    let reason =
      if !hasFolders {
        "is in a folder, and this club's notes are at its top (notes.folders is false)."
      } else if isPhotos(path.bytes) {
        "is in the photos folder, which holds no notes."
      } else if path.components.contains(where: { $0.first == dot }) {
        "has a part that begins with a dot: such files are hidden and are not notes."
      } else {
        "cannot be shown: in folders, the names of notes end in .md, .markdown or .txt, or have no ending."
      }
    throw StoreError(.badName, "\"\(NoteName.shown("\(path)"))\" \(reason)", remedy: "Choose another name.", path: path)
  }
}

private let slash = UInt8(ascii: "/")
private let dot = UInt8(ascii: ".")

/// A page of the list of notes.
public struct NotePage: Sendable {
  public internal(set) var notes: [FileEntry] = []
  /// The folders that hold notes, or may.
  public internal(set) var folders: [StorePath] = []
  /// The numbers of other files, by their folder.
  public internal(set) var others: [StorePath: Int] = [:]
  /// Those of them that are pictures.
  public internal(set) var pictures: [StorePath] = []
  /// The folders that are too deep for their notes to be shown.
  public internal(set) var tooDeep: [StorePath] = []
  /// True if the notes have all properties; otherwise they have path and kind alone.
  public let isWhole: Bool

  public init(notes: [FileEntry], isWhole: Bool) { (self.notes, self.isWhole) = (notes, isWhole) }

  var isEmpty: Bool { notes.isEmpty && folders.isEmpty && others.isEmpty && tooDeep.isEmpty }

  /// - Parameter talks: gets the files that are named as remarks are.
  init(_ page: ListPage, _ scope: NoteScope, talks: inout [FileEntry]) {
    isWhole = page.isWhole
    let entries = page.entries
    // Many folders hold only notes; a copy of the page would cost as much as checking it.
    if entries.indices.allSatisfy({ scope.isNote(entries[$0]) && !Talk.isNamed(entries[$0].path) }) {
      notes = entries
      return
    }
    for index in entries.indices {
      let path = entries[index].path
      switch scope.part(entries[index]) {
      case .note: if Talk.isNamed(path) { talks.append(entries[index]) } else { notes.append(entries[index]) }
      case .folder: folders.append(path)
      case .other:
        others[path.parent, default: 0] += 1
        if NoteLinks.isPicture(String(decoding: path.name, as: UTF8.self)) { pictures.append(path) }
      case .tooDeep: tooDeep.append(path)
      case .outside: continue
      }
    }
  }
}
