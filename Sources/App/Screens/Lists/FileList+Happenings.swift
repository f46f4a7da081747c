internal import ClubServices
internal import FileStores
internal import TextUI

/// Handles events from the service behind the list.
extension FileList {
  mutating func update(_ action: FileListAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .named(let table):
      // Another order needs what the names alone do not tell.
      guard self.table == nil, order == ListOrder() else { return [] }
      take(table)
      (isListing, hasNamesAlone) = (true, true)
    case .topNamed(let names): if table == nil, album == [] { prepare(top: names) }
    case .listed(let table):
      take(table)
      frame.end(.signIn)
      return begin()
    case .failed(.list, let error):
      guard error.kind != .cancelled else { return [] }
      if problem?.error.kind != error.kind { hasReportedProblem = false }
      (isListing, hasNamesAlone) = (false, false)
      problem = Problem(error, now: frame.now)
      // Without rows the error takes their place. An unreachable store is reported once for the whole app.
      if let signedOut = signedOut(error, frame) {
        frame.complain(signedOut, of: .signIn)
      } else if table != nil, !hasReportedProblem, !frame.isAway, !frame.showsFailure {
        hasReportedProblem = true
        let more = error.isTemporary ? "\(error.message) Trying again." : frame.sentence(error)
        frame.complain("byteclub could not list the \(words.many). \(more)")
      }
      return begin()
    case .detailed(let entries, let isLast):
      table?.merge(entries)
      guard isLast else { return [] }
      let chosen = selected
      table?.resort()
      choose(chosen)
    case .sought(let words):
      return seek(words, &frame)
    case .searching(let words, let files, let unread, let total):
      guard sought == words else { return [] }
      show(admitted(files, by: words), foundBy: words)
      let count = hits.isEmpty ? "" : "\(hits.count.grouped) found"
      let left = total == 0 ? "" : "\(unread.grouped) of \(total.grouped) \(self.words.many) are not searched yet"
      let known = [count, left].filter { !$0.isEmpty }.joined(separator: ", ")
      frame.say("Searching for \"\(words)\"\(known.isEmpty ? "" : ": " + known). Esc stops.")
    case .found(let words, let all, let total, let remark):
      guard sought == words else { return [] }
      let files = admitted(all, by: words)
      // The last result stands for all that came before it.
      (sought, hits) = (nil, [:])
      show(files, foundBy: words, isAll: true)
      hits = [:]
      let count = files.count
      let isPlain = NoteQuery(words, clock).isPlain
      let result =
        !isPlain
        ? "\(count == 0 ? "No" : count.grouped) \(count == 1 || count == 0 ? self.words.one : self.words.many) of \(total.grouped) \(count == 1 || count == 0 ? "matches" : "match") \(words)."
        : count == 0
          ? "No \(self.words.one) of \(total) has \"\(words)\" in its name or \(self.words.text)."
          : "\(count.grouped) of \(total.grouped) \(self.words.many) \(count == 1 ? "has" : "have") \"\(words)\" in name or \(self.words.text)."
      frame.say("\(result)\(remark) Esc shows all.")
    case .foundTexts(let words, let files): takeTexts(words, files)
    case .moreTexts(let words, let files, let unread): takeTexts(words, files, unread: unread)
    // The names are found all the same.
    case .failed(.searchTexts, _): return []
    case .failed(.search(let words), let error):
      guard sought == words, error.kind != .cancelled else { return [] }
      sought = nil
      frame.complain("byteclub could not search the \(self.words.many). \(error)")
    case .changed(let set):
      if let lateness = set.lateness {
        if !isLate { frame.complain("Others' changes arrive late: \(lateness)", of: .watching) }
      } else {
        frame.end(.watching)
      }
      isLate = set.lateness != nil
      frame.end(.signIn)
      guard !set.mustRelist else { return [list()] }
      let chosen = wanted ?? selected
      for case .absent(let path) in set.changes {
        marks.remove(path)
        news.forget(path)
      }
      table?.apply(set.changes)
      choose(chosen)
    case .news(let marks, let isListed): take(marks, isListed: isListed, &frame)
    case .remarks(let remarks, let isListed): take(remarks, isListed: isListed, &frame)
    case .seen(let path, let revision): news.see(path, revision)
    case .failed(.watch, let error):
      guard error.kind != .unsupported, error.kind != .cancelled else { return [] }
      if let signedOut = signedOut(error, frame) {
        frame.complain(signedOut, of: .signIn)
      } else {
        let key = frame.keys.name(of: .refresh)
        frame.complain("The list no longer follows others' changes: \(error) Press \(key) to refresh.")
      }
    case .watchInterrupted(let error):
      guard !frame.isAway else { return [] }
      frame.complain("Others' changes arrive late. \(error.message) Trying again.", of: .watching)
    case .watchResumed: frame.end(.watching)
    case .renamed(let old, let entry):
      movePins(from: old, to: entry.path)
      wanted = entry.path
      table?.apply([.absent(old), .present(entry)])
      news.forget(old)
      news.see(entry.path, entry.revision)
      table?.show(entry.path)
      find.keepChoice()
      choose(entry.path)
      if renaming?.path == old { renaming = renaming?.renamed(to: entry.path) }
      if marks.remove(old) != nil { marks.insert(entry.path) }
      frame.undo.add(.rename(entry.path, to: String(decoding: old.name, as: UTF8.self)), list: words.many)
      frame.say("Renamed \"\(old)\" to \"\(entry.path)\". \(frame.keys.name(of: .undo)) undoes.")
    case .failed(.rename(let path, _), let error), .failed(.moveFolder(let path, _, _), let error):
      refuse(path, error, &frame)
    case .folderMade(let folder): take(made: folder, &frame)
    case .folderMoved(let moved):
      movePins(from: moved.from, to: moved.to)
      take(moved, &frame)
      return [list()]
    case .folderTrashed(let trashed):
      take(trashed, &frame)
      return [list()]
    case .confirmedTrashOfFolder(let folder): return [.run(.trashFolder(folder))]
    case .moved(let files, let failed):
      for file in files { movePins(from: file.origin, to: file.entry.path) }
      take(files, failed: failed, &frame)
    // The tab asks.
    case .linksFound: return []
    case .mended(let outcome): take(outcome, &frame)
    case .confirmedMend(let plan): return [.run(.mend(plan))]
    case .declinedMend(let plan): return [.run(.leaveLinks(plan))]
    case .trashed(let files, let failed): take(files, failed: failed, &frame)
    case .undone(let outcome):
      take(outcome, &frame)
      if outcome.step.isOfFolder { return [list()] }
    case .linked(let link, let isNew):
      if isNew { frame.undo.add(.link(link), list: words.many) }
      let end = isNew ? "\(frame.keys.name(of: .undo)) ends it." : "It is no new one; byteclub link rm ends it."
      frame.show("Copied the link to \"\(link.path)\": \(link.url) \(link.terms) \(end)")
      return [.copy(link.url)]
    case .failed(_, let error): frame.complain(error)
    case .warned(let sentence): frame.complain(sentence)
    case .reported(let sentence): frame.say(sentence)
    case .confirmedTrash(let paths): return [.run(.trash(paths))]
    case .confirmedLink(let path, let end):
      frame.say("Asking for a link to \"\(path)\".")
      return [.run(.link(path, end))]
    }
    return []
  }

  /// The notice of an expired sign-in, on one line with the command that renews it.
  private func signedOut(_ error: StoreError, _ frame: Frame) -> String? {
    guard error.kind == .notSignedIn, !error.remedy.isEmpty else { return nil }
    if frame.canSignIn { return "Not signed in. \(frame.signInHint)" }
    return "Not signed in. \(error.remedy) (then press \(frame.keys.name(of: .refresh)))"
  }

  /// Adds hits to those that the search has found until now; without any, the list stays as it was.
  private mutating func show(_ files: [FoundFile], foundBy words: String, isAll: Bool = false) {
    guard isAll || !files.isEmpty else { return }
    hits.merge(files.map { ($0.path, $0) }) { first, _ in first }
    let before =
      find.isActive ? find.before : FindField.Choice(path: selected, album: selectedAlbum?.path, top: rows.top)
    let found = FindField.Found(words: words, files: hits)
    // Words that are being typed narrow the result.
    narrow(
      find.isTyping
        ? FindField(field: find.field, isTyping: true, before: before, found: found)
        : FindField(before: before, found: found))
  }

  /// Searches names and texts, which takes a while.
  private mutating func seek(_ words: String, _ frame: inout Frame) -> Commands {
    if let problem = NoteQuery(words, clock).problem {
      frame.complain(problem)
      return []
    }
    (sought, hits) = (words, [:])
    frame.say("Searching names and \(self.words.text)s for \"\(words)\". Esc stops.")
    return remember(words) + [.run(.search(words), key: self.words.key("search"))]
  }

  /// The list with the names at the top, which are drawn until all are listed; nil without them. No key means its rows.
  var atTop: FileList? {
    guard table == nil, problem == nil, album == [], order == ListOrder(), !find.isActive else { return nil }
    return top.first
  }

  private mutating func prepare(top names: EntryTable) {
    var list = self
    list.take(names)
    (list.isTop, list.rows.hasSelection) = (true, false)
    top = [list]
  }

  /// Takes a new listing, and keeps the filter, the order and the selection.
  private mutating func take(_ listed: EntryTable) {
    let chosen = wanted ?? selected
    var table = listed
    if let old = self.table {
      table.adoptDetails(of: old)
      table.look(as: old)
    } else {
      table.open(album)
    }
    if self.table == nil, order != ListOrder() {
      table.sort(order.by, isReversed: order.isReversed)
    }
    table.pins = pins
    (self.table, top) = (table, [])
    filterRows()
    news.keep(table.contains)
    (isListing, hasNamesAlone) = (false, false)
    problem = nil
    hasReportedProblem = false
    choose(chosen)
  }

  /// Starts work that can wait until the list is visible. Watching begins from the start of the listing.
  private mutating func begin() -> Commands {
    defer { hasBegun = true }
    return hasBegun ? [] : [.run(.watch, key: words.key("watch"))]
  }
}
