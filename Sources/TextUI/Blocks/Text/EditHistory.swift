/// What can be undone and done again, in steps.
///
/// Keys of one kind that follow each other at one place are one step; a step of typed text ends with a word.
struct EditHistory: Sendable {
  enum Kind: Sendable { case typing, backspace, delete, other }

  struct Step: Sendable {
    var offset: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    var cursor: Int
    var size: Int { removed.count + inserted.count + 64 }
  }

  /// Steps beyond this many bytes are forgotten, oldest first; the newest one always stays.
  let maximumBytes: Int

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private var open: Kind?
  private var bytes = 0
  /// How many steps were forgotten.
  private var forgotten = 0
  /// How many steps lead to the text as it was saved; nil when no number of them does.
  private var saved: Int? = 0

  init(maximumBytes: Int = 64 << 20) { self.maximumBytes = maximumBytes }

  var isModified: Bool { saved != forgotten + done.count }

  mutating func markSaved() {
    saved = forgotten + done.count
    close()
  }

  /// The next edit begins a step.
  mutating func close() { open = nil }

  mutating func record(_ step: Step, _ kind: Kind) {
    if let saved, saved > forgotten + done.count { self.saved = nil }
    undone = []
    if open != kind || !merge(step, kind) {
      done.append(step)
      bytes += step.size
    }
    open = kind == .other ? nil : kind
    forget()
  }

  mutating func undo() -> Step? {
    guard let step = done.popLast() else { return nil }
    bytes -= step.size
    undone.append(step)
    close()
    return step
  }

  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    bytes += step.size
    done.append(step)
    close()
    return step
  }

  private mutating func merge(_ step: Step, _ kind: Kind) -> Bool {
    guard var last = done.popLast() else { return false }
    let before = last.size
    var merged = last.removed.count + last.inserted.count < 1024
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
    var first = 0
    while bytes > maximumBytes, first < done.count - 1 {
      bytes -= done[first].size
      first += 1
    }
    guard first > 0 else { return }
    done.removeFirst(first)
    forgotten += first
    if let saved, saved < forgotten { self.saved = nil }
  }

  private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }
}
