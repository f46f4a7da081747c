/// Undo and redo steps. Consecutive keys of one kind at one place form a step; a word ends a step of typing.
struct EditHistory: Sendable {
  enum Kind: Sendable { case typing, backspace, delete, other }

  struct Step: Sendable {
    var offset: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    var cursor: Int
    /// Undone and redone together with the step before it.
    var continues = false
    var size: Int { removed.count + inserted.count + 64 }
  }

  private enum Group { case none, begun, going }

  /// Older steps beyond this limit are dropped, except for the newest.
  let maximumBytes: Int

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private var open: Kind?
  private var group = Group.none
  private var bytes = 0
  private var forgotten = 0
  /// The number of steps of which others have left nothing, in `done`. They do not count.
  private var empty = 0
  /// The number of steps from the first that lead to the saved text; nil if no number does.
  private var saved: Int? = 0

  init(maximumBytes: Int = 64 << 20) { self.maximumBytes = maximumBytes }

  private var count: Int { forgotten + done.count - empty }

  var isModified: Bool { saved != count }

  mutating func markSaved() {
    saved = count
    close()
  }

  /// No number of steps leads to the saved text any more.
  mutating func forgetSaved() { saved = nil }

  /// The next edit begins a new step.
  mutating func close() { open = nil }

  /// All edits until `endGroup` are undone together.
  mutating func beginGroup() {
    close()
    group = .begun
  }

  mutating func endGroup() {
    close()
    group = .none
  }

  /// The next edit begins a new group if one is open.
  mutating func splitGroup() { if group != .none { beginGroup() } }

  mutating func record(_ step: Step, _ kind: Kind) {
    guard !step.isEmpty else { return }
    if let saved, saved > count { self.saved = nil }
    undone = []
    if step.continues || open != kind || !merge(step, kind) {
      var step = step
      if group == .going { step.continues = true }
      done.append(step)
      bytes += step.size
    }
    open = kind == .other ? nil : kind
    if group == .begun { group = .going }
    forget()
  }

  /// The steps to take back, in this order; empty at the beginning. Steps of which others have left nothing are passed.
  mutating func undo() -> [Step] {
    splitGroup()
    var steps: [Step] = []
    while let step = done.popLast() {
      bytes -= step.size
      undone.append(step)
      if step.isEmpty { empty -= 1 } else { steps.append(step) }
      if !step.continues, !steps.isEmpty { break }
    }
    close()
    return steps
  }

  /// The steps to do again, in this order; empty at the end.
  mutating func redo() -> [Step] {
    splitGroup()
    var steps: [Step] = []
    while let step = undone.last, steps.isEmpty || step.continues {
      undone.removeLast()
      bytes += step.size
      done.append(step)
      if step.isEmpty { empty += 1 } else { steps.append(step) }
    }
    close()
    return steps
  }

  /// Only the others' bytes are between the old steps and these. No number of steps leads to the saved text any more.
  mutating func replaceSteps(done: [Step], undone: [Step]) {
    (self.done, self.undone, saved) = (done, undone, nil)
    bytes = done.reduce(0) { $0 + $1.size }
    empty = done.count { $0.isEmpty }
  }

  private mutating func merge(_ step: Step, _ kind: Kind) -> Bool {
    guard var last = done.popLast() else { return false }
    let before = last.size
    var merged = !last.isEmpty && last.removed.count + last.inserted.count < 1024
    switch kind {
    case .typing where step.removed.isEmpty && step.offset == last.offset + last.inserted.count:
      let wordBegins = Self.isSpace(last.inserted.last) && !Self.isSpace(step.inserted.first)
      merged = merged && !wordBegins
      if merged { last.inserted += step.inserted }
    case .backspace where step.offset + step.removed.count == last.offset:
      if merged {
        last.removed.insert(contentsOf: step.removed, at: 0)
        last.offset = step.offset
      }
    case .delete where step.offset == last.offset:
      if merged { last.removed += step.removed }
    default: merged = false
    }
    bytes += last.size - before
    done.append(last)
    return merged
  }

  private mutating func forget() {
    guard bytes > maximumBytes else { return }
    let newest = done.lastIndex { !$0.continues } ?? 0
    var first = 0
    while first < newest, bytes > maximumBytes || done[first].continues {
      bytes -= done[first].size
      if done[first].isEmpty { empty -= 1 } else { forgotten += 1 }
      first += 1
    }
    guard first > 0 else { return }
    done.removeFirst(first)
    if let saved, saved < forgotten { self.saved = nil }
  }

  private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }
}
