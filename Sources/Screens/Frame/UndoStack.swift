public import FileStores

/// What can be undone, of all lists, the newest last. One step is undone at a time: the next may build on it.
public struct UndoStack: Sendable {
  /// How many steps are kept.
  private static let limit = 200

  /// A step, and the list that undoes it.
  struct Item: Sendable {
    let step: UndoStep
    /// What the list's files are called (`FileListWords.many`).
    let list: String
  }

  private(set) var items: [Item] = []
  /// The step that is being undone.
  private(set) var running: Item?
  /// How many more were asked for meanwhile.
  private var wanted = 0

  /// The step that the next undo undoes.
  var next: Item? { items.last }

  /// Something was done.
  mutating func add(_ step: UndoStep, list: String) {
    items.append(Item(step: step, list: list))
    if items.count > UndoStack.limit { items.removeFirst() }
  }

  /// One more step is to be undone.
  mutating func ask() { wanted += 1 }

  /// The step to undo now; nil while another is under way, when none is asked for, or there is none.
  mutating func take() -> Item? {
    guard wanted > 0, running == nil else { return nil }
    wanted -= 1
    running = items.popLast()
    if running == nil { wanted = 0 }
    return running
  }

  /// The step that was taken is over; `rest` is what of it can be tried again.
  mutating func end(rest: UndoStep?) {
    guard let item = running else { return }
    running = nil
    guard let rest else { return }
    items.append(Item(step: rest, list: item.list))
    // What was asked for beyond it waits for the member.
    wanted = 0
  }
}

/// What one key has done to files and another can undo: all of it at once.
public enum UndoStep: Sendable, Hashable {
  /// Back from the trash, all that went together.
  case restore([TrashedFile])
  /// The old name again.
  case rename(StorePath, to: String)
}
