internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// The choice of a tab's state; `ClubScreen` and `ClubPerformer` route actions and effects.
extension ClubState {
  public enum Tab: Sendable, Hashable {
    case notes, photos
    /// By its place in `added`.
    case added(Int)
  }

  /// From left to right.
  var tabs: [Tab] { [.notes, .photos] + added.indices.map(Tab.added) }

  /// Asks a tab in its place. As an `any ClubTab` its whole state would be copied, and each key asks many times.
  func ask<Answer>(
    _ tab: Tab, _ notes: (NotesState) -> Answer, _ photos: (PhotosState) -> Answer, _ other: (any ClubTab) -> Answer
  ) -> Answer {
    switch tab {
    case .notes: notes(self.notes)
    case .photos: photos(self.photos)
    case .added(let place): other(added[place])
    }
  }

  var hasView: Bool { ask(tab, { $0.hasView }, { $0.hasView }, { $0.hasView }) }
  var isTabAsking: Bool { ask(tab, { $0.isAsking }, { $0.isAsking }, { $0.isAsking }) }
  var isTabCovered: Bool { ask(tab, { $0.isCovered }, { $0.isCovered }, { $0.isCovered }) }
  var isTabLoading: Bool { ask(tab, { $0.isLoading }, { $0.isLoading }, { $0.isLoading }) }
  var isFiltered: Bool { ask(tab, { $0.isFiltered }, { $0.isFiltered }, { $0.isFiltered }) }
  var canFind: Bool { ask(tab, { $0.canFind }, { $0.canFind }, { $0.canFind }) }
  var takesText: Bool { ask(tab, { $0.takesText }, { $0.takesText }, { $0.takesText }) }
  var saysConnection: Bool { ask(tab, { $0.saysConnection }, { $0.saysConnection }, { $0.saysConnection }) }
  var problem: Problem? { ask(tab, { $0.problem }, { $0.problem }, { $0.problem }) }
  var vi: ViKeys? { ask(tab, { $0.vi }, { $0.vi }, { $0.vi }) }

  func count(on tab: Tab) -> Int? { ask(tab, { $0.count }, { $0.count }, { $0.count }) }

  func newCount(on tab: Tab) -> Int { ask(tab, { $0.newCount }, { $0.newCount }, { $0.newCount }) }

  /// Counts to the right of the visible tab; negative is left.
  func tab(by step: Int) -> Tab {
    let tabs = tabs
    let place = tabs.firstIndex(of: tab) ?? 0
    return tabs[(place + step + tabs.count) % tabs.count]
  }

  /// The note or photo of the remarks, and the place of a new one.
  var talked: (thing: StorePath, place: TalkItem.Aim)? {
    let selected = files(on: tab)?.selected.map { (thing: $0, place: TalkItem.Aim.whole) }
    switch tab {
    case .notes: return notes.reader.map { ($0.note.entry.path, .whole) } ?? selected
    case .photos:
      guard let viewer = photos.viewer else { return selected }
      return (viewer.path, viewer.look.map { .direction(yaw: $0.yawDegrees, pitch: $0.pitchDegrees) } ?? .whole)
    case .added: return selected
    }
  }

  func action(for event: InputEvent) -> ClubAction? {
    switch tab {
    case .notes: notes.action(for: event, frame.keys).map(ClubAction.notes)
    case .photos: photos.action(for: event, frame.keys).map(ClubAction.photos)
    case .added(let place): added[place].anyAction(for: event, frame.keys).map { .added(place, $0) }
    }
  }

  mutating func tell(_ event: TabEvent, to tab: Tab) -> ClubScreen.Commands {
    switch tab {
    case .notes: ClubState.outer(notes.take(event, &frame))
    case .photos: ClubState.outer(photos.take(event, &frame))
    case .added(let place): added[place].take(event, &frame, as: place)
    }
  }

  mutating func tell(_ event: TabEvent) -> ClubScreen.Commands { tell(event, to: tab) }

  mutating func tellAll(_ event: TabEvent) -> ClubScreen.Commands { tabs.flatMap { tell(event, to: $0) } }

  /// nil without a list of files.
  func files(on tab: Tab) -> FileList? {
    ask(tab, { $0.files }, { $0.files }, { ($0 as? any FileTab)?.files })
  }

  /// Does nothing without a list.
  mutating func search(_ words: String, on tab: Tab) -> ClubScreen.Commands {
    switch tab {
    case .notes: ClubState.outer(notes.search(words, &frame))
    case .photos: ClubState.outer(photos.search(words, &frame))
    case .added(let place): added[place].search(words, &frame, as: place)
    }
  }

  func run(_ effect: FileListEffect, on tab: Tab) -> ClubScreen.Commands {
    switch tab {
    case .notes: [.run(.notes(.files(effect)))]
    case .photos: [.run(.photos(.files(effect)))]
    case .added(let place): (added[place] as? any FileTab)?.run(effect, as: place) ?? []
    }
  }

  /// Undoes a step of the tab's list.
  mutating func undo(_ step: UndoStep, on tab: Tab) -> ClubScreen.Commands {
    switch tab {
    case .notes:
      if case .merge(let merged) = step { return [.run(.notes(.undoMerge(merged)))] }
      return [.run(.notes(.files(notes.files.undoing(step))))]
    case .photos: return [.run(.photos(.files(photos.files.undoing(step))))]
    case .added(let place):
      guard var files = added[place] as? any FileTab else { return [] }
      let effect = files.files.undoing(step)
      added[place] = files
      return files.run(effect, as: place)
    }
  }

  static func outer(_ commands: NotesState.Commands) -> ClubScreen.Commands {
    commands.map { $0.map(ClubEffect.notes, ClubPosting.notes, ClubAction.notes) }
  }

  static func outer(_ commands: PhotosState.Commands) -> ClubScreen.Commands {
    commands.map { $0.map(ClubEffect.photos, ClubAction.photos) }
  }
}

/// A tab beside notes and photos, with its performer. Its folder makes one; the program's wiring lists it.
public struct AddedTab: Sendable {
  let tab: any ClubTab
  /// For an effect or a posting of the tab.
  let perform: @Sendable (_ effect: any Sendable, _ place: Int, Sender<ClubAction>) async -> Void
  let post: @Sendable (_ posting: any Sendable) -> Void

  init<Tab: ClubTab>(_ tab: Tab, _ performer: some EffectPerformer<Tab.Effect, Tab.Posting, Tab.Action>) {
    self.tab = tab
    perform = { effect, place, sender in
      guard let effect = effect as? Tab.Effect else { return }
      await performer.perform(effect, sender.map { .added(place, $0) })
    }
    post = { posting in
      if let posting = posting as? Tab.Posting { performer.post(posting) }
    }
  }
}

extension ClubTab {
  fileprivate func anyAction(for event: InputEvent, _ keys: KeyTable) -> (any ClubTabAction)? {
    action(for: event, keys)
  }

  fileprivate mutating func take(_ event: TabEvent, _ frame: inout Frame, as place: Int) -> ClubScreen.Commands {
    Self.outer(take(event, &frame), place)
  }

  mutating func update(_ action: any Sendable, _ frame: inout Frame, as place: Int) -> ClubScreen.Commands {
    (action as? Action).map { Self.outer(update($0, &frame), place) } ?? []
  }

  fileprivate mutating func search(_ words: String, _ frame: inout Frame, as place: Int) -> ClubScreen.Commands {
    guard let type = Action.self as? any FileTabAction.Type else { return [] }
    return update(type.files(.sought(words)), &frame, as: place)
  }

  fileprivate static func outer(_ commands: Commands, _ place: Int) -> ClubScreen.Commands {
    commands.map { $0.map({ .added(place, $0) }, { .added(place, $0) }, { .added(place, $0) }) }
  }
}

extension FileTab {
  fileprivate func run(_ effect: FileListEffect, as place: Int) -> ClubScreen.Commands {
    [.run(.added(place, Effect.files(effect)))]
  }
}
