public import FileStores

/// What a member wants: one file, from here to a store or from there to here. Everything that another process needs to
/// carry it out later.
public struct TransferOrder: Sendable, Hashable {
  /// Which way, with what belongs to it.
  public enum Work: Sendable, Hashable {
    /// A file of this machine, to `path` of the store.
    /// - Parameters:
    ///   - file: where it is, in full.
    ///   - contentHash: what it held when it was ordered, where that is known. Another content is sent, too, but said.
    ///   - name: what its name in the store is made from (`FileName.numbered`), and `number`: which number `path` carries.
    ///     When `path` is taken, the next number is tried: `garage.jpg`, `garage (2).jpg`, …
    case upload(file: String, size: UInt64, contentHash: ContentHash?, name: [UInt8], number: Int)
    /// The file at `path` of the store, into a folder of this machine, under its own name or the next that is free.
    case download(folder: String)
  }

  /// The club's name, for people.
  public let club: String
  /// Which store the club had when this was ordered: the word by which it is opened again (`TransferStores`).
  public let store: String
  /// Which way.
  public let work: Work
  /// Where the file is to be, or is, in the store.
  public let path: StorePath
  /// What people call it: the name of the file. Not filtered for a terminal.
  public let name: String
  /// The name that it has on this machine, when it was given another one.
  public let renamedFrom: String?

  /// Makes an order.
  public init(club: String, store: String, work: Work, path: StorePath, name: String, renamedFrom: String? = nil) {
    self.club = club
    self.store = store
    self.work = work
    self.path = path
    self.name = name
    self.renamedFrom = renamedFrom
  }

  /// Which way the bytes go.
  public var direction: Transfer.Direction {
    switch work {
    case .upload: .upload
    case .download: .download
    }
  }
}
