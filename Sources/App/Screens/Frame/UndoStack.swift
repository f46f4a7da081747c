public import ClubServices
public import FileStores

/// Steps of all lists, newest last. Only one is undone at a time, because the next may depend on it.
public struct UndoStack: Sendable {
  private static let limit = 200

  /// A step, and the list that undoes it.
  struct Item: Sendable {
    let step: UndoStep
    let list: String
  }

  private(set) var items: [Item] = []
  private(set) var running: Item?
  /// Further requests to undo.
  private var wanted = 0

  var next: Item? { items.last }

  mutating func add(_ step: UndoStep, list: String) {
    items.append(Item(step: step, list: list))
    if items.count > UndoStack.limit { items.removeFirst() }
  }

  mutating func ask() { wanted += 1 }

  /// nil if another step is being undone, none is requested, or none is left.
  mutating func take() -> Item? {
    guard wanted > 0, running == nil else { return nil }
    wanted -= 1
    running = items.popLast()
    if running == nil { wanted = 0 }
    return running
  }

  /// `rest` is the part that can be tried again.
  mutating func end(rest: UndoStep?) {
    guard let item = running else { return }
    running = nil
    guard let rest else { return }
    items.append(Item(step: rest, list: item.list))
    // After a failure the member decides.
    wanted = 0
  }
}

/// A file operation of one key, undone as a whole.
public enum UndoStep: Sendable, Hashable {
  case restore([TrashedFile])
  case rename(StorePath, to: String)
  /// Move the files back to where they came from.
  case move([MovedFile])
  /// Give a folder its old path again.
  case moveFolder(FolderMoved)
  case restoreFolder(TrashedFolder)
  /// Mark these files as new again.
  case see([StorePath: NewsMark])
  /// End a link.
  case link(SharedLink)
  /// Bring links back as they were.
  case mend([MendedNote])
  /// The other member's text comes back, and the member's own waits as a conflict.
  case merge(MergedNote)

  var isOfFolder: Bool {
    switch self {
    case .moveFolder, .restoreFolder: true
    default: false
    }
  }
}

/// A file that was moved into another folder.
public struct MovedFile: Sendable, Hashable {
  public let origin: StorePath
  /// Where it is now.
  public let entry: FileEntry

  public init(_ origin: StorePath, _ entry: FileEntry) { (self.origin, self.entry) = (origin, entry) }
}
