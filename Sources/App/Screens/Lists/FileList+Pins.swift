internal import FileStores
internal import TextUI

/// Files that stay at the top of their list, on this machine.
extension FileList {
  /// One more is refused.
  static let mostPins = 500

  /// Pins the selected file, or lets it go; the selection stays with it. False, with a sentence, if it cannot.
  mutating func togglePin(_ frame: inout Frame) -> Bool {
    guard let path = selected else {
      frame.say("Folders are not pinned; notes are.")
      return false
    }
    let name = "\(path)"
    if pins.remove(path) == nil {
      guard pins.count < FileList.mostPins else {
        frame.complain(
          "\"\(name)\" is not pinned: \(FileList.mostPins) \(words.many) are, the most that there may be. "
            + "\(frame.keys.name(of: .notesPin)) on one unpins it.")
        return false
      }
      pins.insert(path)
      frame.say("Pinned \"\(name)\": it stays at the top, on this machine.")
    } else {
      frame.say("Unpinned \"\(name)\".")
    }
    table?.pins = pins
    choose(path)
    return true
  }

  /// Pins follow a file, or those in a folder.
  mutating func movePins(from old: StorePath, to new: StorePath) {
    let moved = pins.filter { $0 == old || $0.relative(to: old) != nil }
    guard !moved.isEmpty else { return }
    pins.subtract(moved)
    pins.formUnion(moved.map { pin in pin.relative(to: old).map { new.descending($0) } ?? new })
    table?.pins = pins
  }
}
