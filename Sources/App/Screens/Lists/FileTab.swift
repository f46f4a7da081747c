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
}

extension FileTab {
  var count: Int? { files.table?.total }
  var newCount: Int { files.news.count }
  var isFinding: Bool { !hasView && files.find.isTyping }
  var canFind: Bool { !hasView }
  var isFiltered: Bool { files.find.isActive }
  var isCovered: Bool { hasView || isAsking || files.renaming != nil }
  var isBusy: Bool { files.isListing }
  var saysConnection: Bool { files.table == nil }

  mutating func stopWaiting(_ error: StoreError) -> Commands { list(files.stop(error)) }

  /// The list searches, as if the words were typed into find.
  mutating func search(_ words: String, _ frame: inout Frame) -> Commands {
    update(.files(.sought(words)), &frame)
  }

  /// The list's commands as the tab's.
  func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(Effect.files, Action.files) }
  }
}
