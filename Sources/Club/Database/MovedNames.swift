public import FileStores

/// New paths of files, all at once, so that two can change places: of single files, and of all that is below a folder.
public struct MovedNames: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public var files: [StorePath: StorePath]
  /// Of folders within each other the nearest one counts.
  public var folders: [StorePath: StorePath]

  public init(_ files: [StorePath: StorePath], folders: [StorePath: StorePath] = [:]) {
    (self.files, self.folders) = (files, folders)
  }

  public init(dictionaryLiteral names: (StorePath, StorePath)...) {
    self.init(Dictionary(names) { _, last in last })
  }

  public var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// nil for a path that stays.
  public subscript(path: StorePath) -> StorePath? {
    if let target = files[path] { return target }
    guard !folders.isEmpty else { return nil }
    var folder = path
    while !folder.isRoot {
      if let target = folders[folder] { return path.moved(with: folder, to: target) }
      folder = folder.parent
    }
    return nil
  }
}

/// A kept text of a file that has another path, and perhaps another revision.
public struct MovedText: Sendable {
  public let path: StorePath
  public let target: StorePath
  public let revision: Revision

  public init(path: StorePath, target: StorePath, revision: Revision) {
    (self.path, self.target, self.revision) = (path, target, revision)
  }
}

extension StorePath {
  /// The path after this folder, or one above it, has another path; nil if this is elsewhere.
  public func moved(with folder: StorePath, to target: StorePath) -> StorePath? {
    self == folder ? target : relative(to: folder).map { target.descending($0) }
  }

  /// True for two equal paths, and if one is below the other.
  public func touches(_ other: StorePath) -> Bool {
    self == other || relative(to: other) != nil || other.relative(to: self) != nil
  }

  /// The path and the folders above it, without the top.
  public var withFolders: UnfoldFirstSequence<StorePath> {
    sequence(first: self) { $0.parent.isRoot ? nil : $0.parent }
  }

  /// The first key after all those below this folder, in the order of their bytes; those begin with it and a slash.
  var endOfContents: [UInt8] { bytes + [UInt8(ascii: "/") + 1] }
}
