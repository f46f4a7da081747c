internal import ClubServices
internal import FileStores

extension Frame {
  /// True, with a sentence, if the member changes nothing in this club.
  mutating func refusesChange() -> Bool {
    if isReader { complain(StoreError.reader) }
    return isReader
  }

  /// As `refusesChange`, for a command that changes the club or asks for what would.
  mutating func refuses(_ command: CommandID) -> Bool { command.changesClub && refusesChange() }
}

extension CommandID {
  /// True for the commands by which a change of the club, or a link for others, begins.
  var changesClub: Bool {
    switch self {
    case .notesNew, .notesExternal, .notesRename, .notesTrash, .readerEdit, .readerExternal, .readerRename,
      .readerTrash, .trashRestore, .historyRestore, .photosUpload, .photosAsk, .photosCaption, .photosRename,
      .photosMove, .notesMove, .photosTrash, .viewerCaption, .viewerRename, .viewerTrash, .viewerDoor, .viewerWalk,
      .marksWithdraw, .talkNew,
      .talkReply, .talkAgree, .talkFix,
      .talkWithdraw, .listLink,
      .readerLink, .viewerLink:
      true
    default: false
    }
  }
}
