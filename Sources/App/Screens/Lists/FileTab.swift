internal import ClubServices
internal import FileStores
internal import TextUI

/// The actions that all tabs of files share.
protocol FileTabAction: ClubTabAction, FailableAction {
  /// To the list.
  static func files(_ action: FileListAction) -> Self
}

/// The effects that all tabs of files share.
protocol FileTabEffect: Sendable {
  /// By the list.
  static func files(_ effect: FileListEffect) -> Self
}

/// A tab that is a list of files, with views over it.
protocol FileTab: ClubTab where Action: FileTabAction, Effect: FileTabEffect {
  var files: FileList { get set }
  /// Views over the list, the topmost last.
  var views: [any TabView<Self>] { get set }
}

extension FileTab {
  var hasView: Bool { !views.isEmpty }
  var count: Int? { files.table?.total }
  var newCount: Int { files.news.count }
  /// The reason why the topmost view is empty, if it is.
  var problem: Problem? {
    guard let view = views.last else { return files.table == nil ? files.problem : nil }
    return view.problem
  }
  var isFinding: Bool { views.last.map { $0.isFinding } ?? files.find.isTyping }
  var canFind: Bool { views.last.map { $0.canFind } ?? true }
  var isLoading: Bool { views.last?.isLoading ?? false }
  var vi: ViKeys? { views.last?.vi }
  var isFiltered: Bool { files.find.isActive }
  var isCovered: Bool { hasView || isAsking || files.renaming != nil }
  var isBusy: Bool { files.isListing }
  var saysConnection: Bool { files.table == nil }

  mutating func stopWaiting(_ error: StoreError) -> Commands { list(files.stop(error)) }

  /// The list searches, as if the words were typed into find.
  mutating func search(_ words: String, _ frame: inout Frame) -> Commands {
    update(.files(.sought(words)), &frame)
  }

  /// The topmost view takes a command; nil without one.
  mutating func runInView(_ command: CommandID, _ frame: inout Frame) -> Commands? {
    guard var view = views.last else { return nil }
    guard view.move(command) else { return view.handle(command, &self, &frame) }
    replaceTop(view)
    return []
  }

  /// The topmost view asks for its preview, if the screen has room for one.
  mutating func lookBeside(_ frame: Frame) -> Commands {
    SideFace.listWidth(frame.size.width) == nil ? [] : views.last?.lookBeside(&self) ?? []
  }

  /// The topmost view takes the mouse; nil without one.
  mutating func pointInView(_ mouse: InputEvent.Mouse, _ frame: inout Frame) -> Commands? {
    guard var view = views.last else { return nil }
    guard mouse.kind == .wheelUp || mouse.kind == .wheelDown else { return view.point(mouse, &self, &frame) }
    view.scroll(by: mouse.kind == .wheelUp ? -3 : 3)
    replaceTop(view)
    return []
  }

  mutating func replaceTop(_ view: any TabView<Self>) {
    guard !views.isEmpty else { return }
    views[views.count - 1] = view
  }

  /// The list's commands as the tab's.
  func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(Effect.files, Action.files) }
  }
}
