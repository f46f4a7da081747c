internal import ClubServices
public import FileStores
internal import TextUI

/// Messages and state changes after trash and undo.
extension FileList {
  mutating func take(_ trashed: [TrashedFile], failed: [FileFailure], _ frame: inout Frame) {
    marks.removeAll()
    remove(trashed.map(\.origin))
    if !trashed.isEmpty { frame.undo.add(.restore(trashed), list: words.many) }
    sayMoved(trashed.map(\.origin), "\(trashed.count)", to: " to the trash", failed, &frame)
  }

  mutating func take(_ moved: [MovedFile], failed: [FileFailure], _ frame: inout Frame) {
    marks.removeAll()
    table?.apply(moved.flatMap { [.absent($0.origin), .present($0.entry)] })
    for file in moved {
      news.forget(file.origin)
      news.see(file.entry.path, file.entry.revision)
    }
    // They are still in view if all photos are shown.
    choose(moved.last?.entry.path)
    if !moved.isEmpty { frame.undo.add(.move(moved), list: words.many) }
    let place = moved.first.map { " to \"\($0.entry.path.parent)/\"" } ?? ""
    sayMoved(moved.map(\.origin), moved.count.grouped, to: place, failed, &frame)
  }

  private mutating func sayMoved(
    _ moved: [StorePath], _ number: String, to place: String, _ failed: [FileFailure], _ frame: inout Frame
  ) {
    let undo = moved.isEmpty ? "" : " \(frame.keys.name(of: .undo)) undoes."
    let what = moved.count == 1 ? "\"\(moved[0])\"" : "\(number) \(words.many)"
    guard let first = failed.first else { return frame.say("Moved \(what)\(place).\(undo)") }
    // A file of which something else failed has moved.
    let stay = failed.filter { !moved.contains($0.path) }
    let count = moved.count + stay.count
    // Failed files stay marked, so the same key tries them again.
    if count > 1 { marks = Set(stay.map(\.path).filter { table?.contains($0) != false }) }
    if moved.isEmpty, stay.count == 1 { return frame.complain("\(first.error)") }
    frame.complain(
      stay.isEmpty
        ? "Moved \(what)\(place). \(first.error)\(undo)"
        : "Moved \(moved.count) of \(count) \(words.many)\(place). Not moved: \(Self.names(stay)). "
          + "\((stay.first ?? first).error)\(undo)")
  }

  mutating func take(_ outcome: MendOutcome, _ frame: inout Frame) {
    if !outcome.mended.isEmpty { frame.undo.add(.mend(outcome.mended), list: words.many) }
    let said = outcome.sentence("Mended") + (outcome.mended.isEmpty ? "" : " \(frame.keys.name(of: .undo)) undoes.")
    if outcome.isWhole { frame.say(said) } else { frame.complain(said) }
  }

  /// The question before links are mended.
  static func question(_ plan: LinkMendPlan) -> Question<FileListAction> {
    var question = Question<FileListAction>(
      plan.question, answers: [.init("y", "mend", .confirmedMend(plan)), .init("n", "leave them", .declinedMend(plan))])
    question.subject = "mend"
    return question
  }

  mutating func take(_ outcome: UndoOutcome, _ frame: inout Frame) {
    frame.undo.end(rest: outcome.rest)
    // The notes of mended links need not be in this list.
    let back = if case .mend = outcome.step { [FileEntry]() } else { outcome.back }
    if case .move(let files) = outcome.step {
      let stuck = Set(outcome.failed.map(\.path))
      table?.apply(files.map(\.entry.path).filter { !stuck.contains($0) }.map { .absent($0) })
    }
    if case .rename(let path, _) = outcome.step, !outcome.back.isEmpty { table?.apply([.absent(path)]) }
    if case .see(let marks) = outcome.step { unsee(marks) }
    if case .moveFolder(let moved) = outcome.step, outcome.failed.isEmpty { move(moved.to, to: moved.from) }
    if case .restoreFolder(let trashed) = outcome.step, outcome.failed.isEmpty {
      table?.make(folder: trashed.folder)
      show(folder: trashed.folder)
    }
    for entry in back { add(entry, isChosen: entry == back.last) }
    let said = sentence(outcome)
    let next = frame.undo.next.map { " " + Self.sentence($0, key: frame.keys.name(of: .undo)) } ?? ""
    guard let first = outcome.failed.first else { return frame.say(said + next) }
    guard first.error.kind != .cancelled else { return }
    frame.complain(said.isEmpty ? "\(first.error)\(next)" : "\(said) \(first.error)\(next)")
  }

  private func sentence(_ outcome: UndoOutcome) -> String {
    switch outcome.step {
    case .rename(let path, _): return outcome.back.first.map { "Renamed \"\(path)\" back to \"\($0.path)\"." } ?? ""
    case .move(let files):
      if files.count == 1 {
        return outcome.back.first.map { "Moved \"\(files[0].entry.path)\" back to \"\($0.path)\"." } ?? ""
      }
      if outcome.failed.isEmpty { return "Moved \(outcome.back.count) \(words.many) back." }
      return
        "Moved \(outcome.back.count) of \(files.count) \(words.many) back. Not back: \(Self.names(outcome.failed))."
    case .restore(let files):
      let back = outcome.back.count
      if files.count == 1 { return outcome.back.first.map { "\"\($0.path)\" is back." } ?? "" }
      if outcome.failed.isEmpty { return "\(back) \(words.many) are back." }
      let part = "\(back) of \(files.count) \(words.many) \(back == 1 ? "is" : "are") back."
      return "\(part) Not back: \(Self.names(outcome.failed))."
    case .moveFolder(let moved):
      return outcome.failed.isEmpty ? "Moved \"\(moved.to)/\" back to \"\(moved.from)/\"." : ""
    case .restoreFolder(let trashed): return outcome.failed.isEmpty ? "\"\(trashed.folder)/\" is back." : ""
    case .see(let marks): return "Marked \(words.count(marks.count)) as new again."
    case .mend(let notes):
      return outcome.failed.isEmpty
        ? "The links in \(notes.count == 1 ? "1 note" : "\(notes.count) notes") are as before." : ""
    case .link(let link): return outcome.failed.isEmpty ? "The link to \"\(link.path)\" has ended." : ""
    case .merge: return ""
    }
  }

  private static func sentence(_ next: UndoStack.Item, key: String) -> String {
    switch next.step {
    case .rename(_, let old): "\(key) undoes the rename of \"\(old)\"."
    case .restore(let files):
      files.count == 1
        ? "\(key) brings back \"\(files[0].origin)\"." : "\(key) brings back \(files.count) \(next.list)."
    case .move(let files):
      files.count == 1
        ? "\(key) moves \"\(files[0].origin)\" back." : "\(key) moves \(files.count) \(next.list) back."
    case .moveFolder(let moved): "\(key) moves \"\(moved.from)/\" back."
    case .restoreFolder(let trashed): "\(key) brings back \"\(trashed.folder)/\"."
    case .see: "\(key) marks \(next.list) as new again."
    case .mend(let notes): "\(key) undoes the mended links in \(notes.count == 1 ? "1 note" : "\(notes.count) notes")."
    case .link(let link): "\(key) ends the link to \"\(link.path)\"."
    case .merge(let merged): "\(key) undoes the merge of \"\(merged.entry.path)\"."
    }
  }

  private static func names(_ failed: [FileFailure]) -> String {
    let shown = failed.prefix(3).map { "\"\($0.path)\"" }.joined(separator: ", ")
    return failed.count > 3 ? "\(shown) and \(failed.count - 3) more" : shown
  }
}

/// A file for which an action failed.
public struct FileFailure: Sendable {
  public let path: StorePath
  public let error: StoreError

  public init(_ path: StorePath, _ error: StoreError) { (self.path, self.error) = (path, error) }
}

/// The result of undoing a step.
public struct UndoOutcome: Sendable {
  public let step: UndoStep
  public let back: [FileEntry]
  public let failed: [FileFailure]

  public init(_ step: UndoStep, back: [FileEntry], failed: [FileFailure] = []) {
    (self.step, self.back, self.failed) = (step, back, failed)
  }

  /// The part that can be tried again: files with a temporary error, or cancelled ones.
  var rest: UndoStep? {
    let again = failed.filter { $0.error.isTemporary || $0.error.kind == .cancelled }.map(\.path)
    guard !again.isEmpty else { return nil }
    switch step {
    case .restore(let files): return .restore(files.filter { again.contains($0.origin) })
    case .move(let files): return .move(files.filter { again.contains($0.entry.path) })
    case .rename, .see, .link, .mend, .merge, .moveFolder, .restoreFolder: return step
    }
  }
}
