internal import TextUI

extension KeyCommand {
  /// In the order of the help.
  public static let all: [KeyCommand] =
    everywhere + moves + lists + notes + page + openNote + besideNote + reader + history + scrub + editor + completion
    + editorFind
    + form
    + photos
    + grid + albums + viewer + marks + film + wall + transfers + questions + news + talk + clubs

  public static func named(_ id: CommandID) -> KeyCommand? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private static func char(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar)) }
  private static func control(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar), .control) }
  private static func alt(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar), .alt) }

  private static let everywhere: [KeyCommand] = [
    KeyCommand(.tabNotes, .everywhere, [char("1")], "the notes"),
    KeyCommand(.tabPhotos, .everywhere, [char("2")], "the panoramic photos"),
    KeyCommand(.tabNext, .everywhere, [Key(.tab)], "the next tab"),
    KeyCommand(.tabPrevious, .everywhere, [Key(.backTab)], "the previous tab"),
    KeyCommand(.find, .everywhere, [char("/")], hint: "find", "find as you type, in a list or a note; Esc clears"),
    KeyCommand(
      .commandLine, .everywhere, [char(":")],
      "command line: note, photo, mkdir, search, tags, today, broken, news, who, wall, waiting, trash, club, join, help, "
        + "quit; Tab completes"),
    KeyCommand(.refresh, .everywhere, [char("r")], hint: "refresh", "refresh the list"),
    KeyCommand(.transfers, .everywhere, [char("t")], hint: "transfers", "the transfers: all uploads and downloads"),
    KeyCommand(.transferCancel, .everywhere, [char("x")], "cancel the transfer shown in the bar"),
    KeyCommand(
      .undo, .everywhere, [char("z")], hint: "undo", "undo the last trash, rename, move, merge or mark as seen"),
    KeyCommand(.mergeShow, .everywhere, [char("C")], "show the last merge: the words of the other change"),
    KeyCommand(
      .talk, .everywhere, [char("@")], hint: "remarks", "the remarks on this note, photo or direction; add one"),
    KeyCommand(.news, .everywhere, [char("w")], "what happened in the club: changes and remarks, by day and member"),
    KeyCommand(.clubs, .everywhere, [char("L")], "the clubs of this machine: change to one, add one, join one"),
    KeyCommand(.signIn, .everywhere, [char("A")], "sign in to the club's service"),
    KeyCommand(.help, .everywhere, [char("?"), Key(.function(1))], hint: "help", "this help"),
    KeyCommand(.redraw, .everywhere, [control("l")], "redraw the screen"),
    KeyCommand(.suspend, .everywhere, [control("z")], "suspend; `fg` comes back"),
    KeyCommand(.close, .everywhere, [Key(.escape)], "close a view; never quits"),
    KeyCommand(.quit, .everywhere, [char("q")], hint: "quit", "close a view and, on a tab, quit"),
    KeyCommand(.interrupt, .everywhere, [control("c")], "ask to quit; never loses text"),
  ]

  private static let news: [KeyCommand] = [
    KeyCommand(.newsOpen, .news, [Key(.enter), Key(.right), char("l")], hint: "go there", "go to the note or photo")
  ]

  private static let talk: [KeyCommand] = [
    KeyCommand(.talkNew, .talk, [char("n"), char("@")], hint: "new remark", "a new remark"),
    KeyCommand(.talkReply, .talk, [Key(.enter)], hint: "answer", "answer the selected remark"),
    KeyCommand(.talkAgree, .talk, [char("+")], hint: "agree", "agree with the selected remark"),
    KeyCommand(.talkFix, .talk, [char("e")], hint: "correct", "correct a remark of yours"),
    KeyCommand(.talkWithdraw, .talk, [char("D")], hint: "withdraw", "withdraw a remark of yours"),
    KeyCommand(
      .talkExternal, .remark, [control("o"), alt("e")], hint: "$EDITOR",
      "write the remark in $VISUAL or $EDITOR; its lines are kept"),
  ]

  private static let moves: [KeyCommand] = [
    KeyCommand(.listUp, .moves, [Key(.up), char("k")], "one up"),
    KeyCommand(.listDown, .moves, [Key(.down), char("j")], "one down"),
    KeyCommand(.listPageUp, .moves, [Key(.pageUp), control("b")], "a page up"),
    KeyCommand(.listPageDown, .moves, [Key(.pageDown), control("f")], "a page down"),
    KeyCommand(.listHalfUp, .moves, [control("u")], "half a page up"),
    KeyCommand(.listHalfDown, .moves, [control("d")], "half a page down"),
    KeyCommand(.listFirst, .moves, [char("g"), Key(.home)], "the first"),
    KeyCommand(.listLast, .moves, [char("G"), Key(.end)], "the last"),
  ]

  private static let lists: [KeyCommand] = [
    KeyCommand(.listOpen, .lists, [Key(.enter), Key(.right), char("l")], hint: "open", "open"),
    KeyCommand(.listMark, .lists, [char(" ")], "mark for actions on several"),
    KeyCommand(.listSort, .lists, [char("s")], hint: "sort", "sort by name, date or size"),
    KeyCommand(.listReverse, .lists, [char("S")], "reverse the order"),
    KeyCommand(.listNextNew, .lists, [char("N")], hint: "unseen", "the next new or changed file"),
    KeyCommand(.listSeeAll, .lists, [char("M")], "mark all as seen"),
    KeyCommand(.listOpenOutside, .lists, [char("o")], "open with the desktop's program"),
    KeyCommand(.listCopyName, .lists, [char("y")], "copy the name"),
    KeyCommand(.listLink, .lists, [char("Y")], "copy a link that shares the file with anyone"),
    KeyCommand(.previewToggle, .lists, [char("P")], hint: "preview", "show or hide the preview"),
    KeyCommand(.previewDown, .lists, [char("J")], "scroll the preview down"),
    KeyCommand(.previewUp, .lists, [char("K")], "scroll the preview up"),
    KeyCommand(.previewWider, .lists, [char("<")], "a wider preview"),
    KeyCommand(.previewNarrower, .lists, [char(">")], "a narrower preview"),
  ]

  private static let notes: [KeyCommand] = [
    KeyCommand(.notesNew, .notes, [char("n"), char("+")], hint: "new", "write a new note, or one from a template"),
    KeyCommand(.notesExternal, .notes, [char("e")], hint: "$EDITOR", "edit in $VISUAL or $EDITOR"),
    KeyCommand(.notesRename, .notes, [char("R")], hint: "rename", "rename"),
    KeyCommand(.notesTrash, .notes, [char("D")], hint: "trash", "move to the trash (asks)"),
    KeyCommand(
      .notesMove, .notes, [char("m")], hint: "move",
      "move the note, the marked ones or the folder into a folder, old or new"),
    KeyCommand(.notesFlat, .notes, [char("a")], hint: "all/folders", "all notes in one list, or by folders"),
    KeyCommand(.notesBack, .notes, [Key(.backspace)], hint: "to the note", "back to the note whose tag led here"),
    KeyCommand(.notesTrashView, .notes, [char("T")], "the trash: removed notes and photos, to restore"),
    KeyCommand(.notesBroken, .notes, [char("B")], "the links of all notes that lead nowhere"),
    KeyCommand(.notesHistory, .notes, [char("H")], "history: older versions"),
    KeyCommand(.notesPin, .notes, [char("p")], "pin to the top of the list, on this machine; or unpin"),
    KeyCommand(.notesTags, .notes, [char("#")], "the tags of the club, with the number of notes of each"),
  ]

  private static let history: [KeyCommand] = [
    KeyCommand(
      .historyRestore, .history, [char("R")], hint: "restore", "restore this version (asks)"),
    KeyCommand(
      .historyDifference, .history, [char("d")], hint: "difference", "the words that this version changed"),
  ]

  private static let scrub: [KeyCommand] = [
    KeyCommand(.scrubOlder, .scrub, [Key(.left), char("h")], hint: "older", "the version before"),
    KeyCommand(.scrubNewer, .scrub, [Key(.right), char("l")], hint: "newer", "the version after"),
  ]

  private static let page: [KeyCommand] = [
    KeyCommand(
      .pageFollow, .page, [Key(.enter)], hint: "follow", "follow the link, toggle the check box; without one, edit"),
    KeyCommand(.pageNextLink, .page, [Key(.tab)], hint: "link", "the next link, picture, tag or check box"),
    KeyCommand(.pagePreviousLink, .page, [Key(.backTab)], "the previous one"),
    KeyCommand(.pageToggle, .page, [char(" ")], hint: "toggle", "toggle the check box; without one, a page down"),
  ]

  private static let openNote: [KeyCommand] = [
    KeyCommand(.readerBack, .openNote, [Key(.backspace)], "back to the note that led here"),
    KeyCommand(.readerRaw, .openNote, [char("m")], hint: "raw", "show Markdown rendered or raw"),
    KeyCommand(.readerOutline, .openNote, [char("O")], "the outline: all headings"),
    KeyCommand(.readerBacklinks, .openNote, [char("B")], "the notes that link here"),
    KeyCommand(.readerNextNote, .openNote, [control("n")], "the next note of the list"),
    KeyCommand(.readerPreviousNote, .openNote, [control("p")], "the previous note of the list"),
    KeyCommand(.readerLink, .openNote, [char("Y")], "copy a link that shares the note with anyone"),
    KeyCommand(.readerRename, .openNote, [char("R")], "rename the note"),
    KeyCommand(.readerTrash, .openNote, [char("D")], "move the note to the trash (asks)"),
    KeyCommand(.readerHistory, .openNote, [char("H")], "history: older versions"),
    KeyCommand(.readerBlame, .openNote, [char("b")], "who wrote each line"),
  ]

  /// The lists that a note opens.
  private static let besideNote: [KeyCommand] = [
    KeyCommand(.outlineOpen, .outline, [Key(.enter)], hint: "go there", "go to the heading"),
    KeyCommand(.backlinksOpen, .backlinks, [Key(.enter)], hint: "open", "open the note at its link"),
    KeyCommand(
      .trashRestore, .trash, [Key(.enter), char("R")], hint: "restore", "put the file back, or the marked ones"),
    KeyCommand(.trashMark, .trash, [char(" ")], hint: "mark", "mark for restoring several"),
    KeyCommand(.blameOpen, .blame, [Key(.enter)], hint: "difference", "the words that changed with the line"),
  ]

  private static let reader: [KeyCommand] = [
    KeyCommand(
      .readerEdit, .reader, [char("i"), Key(.enter)], hint: "edit", "edit, from the first line in view"),
    KeyCommand(.readerExternal, .reader, [char("e")], hint: "$EDITOR", "edit in $VISUAL or $EDITOR"),
    KeyCommand(.readerUp, .reader, [Key(.up), char("k")], "one row up"),
    KeyCommand(.readerDown, .reader, [Key(.down), char("j")], "one row down"),
    KeyCommand(.readerPageUp, .reader, [Key(.pageUp), control("b")], "a page up"),
    KeyCommand(
      .readerPageDown, .reader, [Key(.pageDown), char(" "), control("f")], hint: "page", "a page down"),
    KeyCommand(.readerHalfUp, .reader, [control("u")], "half a page up"),
    KeyCommand(.readerHalfDown, .reader, [control("d")], "half a page down"),
    KeyCommand(.readerFirst, .reader, [char("g"), Key(.home)], "the beginning"),
    KeyCommand(.readerLast, .reader, [char("G"), Key(.end)], "the end"),
    KeyCommand(.readerNextChange, .reader, [char(".")], "the next changed line, in a note that others changed"),
    KeyCommand(.readerPreviousChange, .reader, [char(",")], "the previous changed line"),
    KeyCommand(.readerFindNext, .reader, [char("n")], hint: "next", "the next match"),
    KeyCommand(.readerFindPrevious, .reader, [char("N")], hint: "previous", "the previous match"),
  ]

  private static let editor: [KeyCommand] = [
    KeyCommand(.editorSave, .editor, [control("s")], hint: "save", "save, and go on writing"),
    KeyCommand(.editorDone, .editor, [control("q")], hint: "Done", "Done: save and close"),
    KeyCommand(.editorCancel, .editor, [Key(.escape)], hint: "Cancel", "Cancel: asks if the text has changed"),
    KeyCommand(.editorUndo, .editor, [control("_"), alt("u"), control("z")], hint: "undo", "undo"),
    KeyCommand(.editorRedo, .editor, [alt("r"), control("r"), alt("_")], hint: "redo", "redo"),
    KeyCommand(.editorLineStart, .editor, [control("a"), Key(.home)], "start of the line"),
    KeyCommand(.editorLineEnd, .editor, [control("e"), Key(.end)], "end of the line"),
    KeyCommand(.editorWordBack, .editor, [alt("b")], "a word back"),
    KeyCommand(.editorWordForward, .editor, [alt("f")], "a word forward"),
    KeyCommand(.editorDeleteWord, .editor, [control("w")], "delete the word before the cursor"),
    KeyCommand(.editorKill, .editor, [control("k")], "cut to the end of the line"),
    KeyCommand(.editorYank, .editor, [control("y"), control("v")], "paste the text that was cut or copied"),
    KeyCommand(.editorCopy, .editor, [alt("w")], "copy the selection (Ctrl-C, too); Shift with arrows selects"),
    KeyCommand(.editorCut, .editor, [control("x")], "cut the selection (Ctrl-W, too)"),
    KeyCommand(.editorIndent, .editor, [Key(.tab)], "indent the selected lines; without a selection, a tab"),
    KeyCommand(.editorUnindent, .editor, [Key(.backTab)], "take the indentation back"),
    KeyCommand(
      .editorInsert, .editor, [alt("i")], hint: "insert", "insert a picture, a link to a note, the date or a table"),
    KeyCommand(.editorFind, .editor, [control("f")], hint: "find", "find and replace"),
    KeyCommand(.editorGoTo, .editor, [control("g"), alt("g")], "go to a line by its number"),
  ]

  private static let completion: [KeyCommand] = [
    KeyCommand(.completionTake, .completion, [Key(.tab)], hint: "take", "write the selected name"),
    KeyCommand(
      .completionEnter, .completion, [Key(.enter)], "the same, once you typed a letter of it or chose; else a new line"),
    KeyCommand(.completionClose, .completion, [Key(.escape)], hint: "close", "close the list of names; typing goes on"),
    KeyCommand(.completionUp, .completion, [Key(.up), control("p")], "the name before"),
    KeyCommand(.completionDown, .completion, [Key(.down), control("n")], "the next name"),
  ]

  private static let editorFind: [KeyCommand] = [
    KeyCommand(
      .editorFindNext, .editorFind, [Key(.enter), Key(.down)], hint: "next",
      "the next match; replaces this one in the field for the new text"),
    KeyCommand(.editorFindPrevious, .editorFind, [Key(.up)], hint: "previous", "the previous match"),
    KeyCommand(
      .editorFindField, .editorFind, [Key(.tab), Key(.backTab)], hint: "replace",
      "from the words to the new text and back"),
    KeyCommand(.editorFindAll, .editorFind, [alt("a")], hint: "all", "replace all; one undo takes it back"),
    KeyCommand(.editorFindClose, .editorFind, [Key(.escape)], hint: "close", "back to the text"),
  ]

  private static let form: [KeyCommand] = [
    KeyCommand(.formSave, .form, [control("s")], hint: "save", "save the new note, and go on writing"),
    KeyCommand(.formDone, .form, [control("q")], hint: "Done", "Done: save the new note and close"),
    KeyCommand(.formNext, .form, [Key(.tab), Key(.backTab)], hint: "name/text", "from the name to the text and back"),
    KeyCommand(.formCancel, .form, [Key(.escape)], hint: "Cancel", "Cancel: asks if you typed anything"),
  ]

  private static let photos: [KeyCommand] = [
    KeyCommand(.photosUpload, .photos, [char("u")], hint: "upload", "upload photos: a path, Tab completes"),
    KeyCommand(
      .photosAsk, .photos, [char("U")], hint: "ask", "ask a friend for photos: a page for their phone, as a QR code"),
    KeyCommand(.photosDownload, .photos, [char("d")], hint: "download", "download the photo or the marked ones"),
    KeyCommand(.photosInfo, .photos, [char("i")], hint: "info", "size, date, camera, panorama"),
    KeyCommand(.photosCaption, .photos, [char("c")], hint: "caption", "write the photo's caption"),
    KeyCommand(.photosRename, .photos, [char("R")], "rename"),
    KeyCommand(.photosTrash, .photos, [char("D")], hint: "trash", "move to the trash (asks)"),
    KeyCommand(.photosLayout, .photos, [char("v")], hint: "grid/list", "a grid of pictures, or a list"),
    KeyCommand(.photosWall, .photos, [char("V")], "the wall: the newest photos full screen, one after the other"),
    KeyCommand(
      .photosMove, .photos, [char("m")], hint: "move", "move the photo, the marked ones or the album into an album"),
    KeyCommand(.photosFlat, .photos, [char("a")], hint: "all/albums", "all photos in one list, or by albums"),
    KeyCommand(.photosWalks, .photos, [char("W")], "the walks that members have recorded; Enter plays one"),
  ]

  private static let wall: [KeyCommand] = [
    KeyCommand(.wallPause, .wall, [char(" ")], "pause, and go on"),
    KeyCommand(.wallNext, .wall, [Key(.right), char("l"), char("n")], "the next photo"),
    KeyCommand(.wallPrevious, .wall, [Key(.left), char("h"), char("p")], "the photo before"),
    KeyCommand(.wallAsk, .wall, [char("U")], "ask for photos: a page for phones, as a QR code; hide it"),
  ]

  private static let grid: [KeyCommand] = [
    KeyCommand(.gridLeft, .grid, [Key(.left), char("h")], "the photo to the left"),
    KeyCommand(.gridRight, .grid, [Key(.right), char("l")], "the photo to the right"),
    KeyCommand(.gridLarger, .grid, [char("+"), char("=")], hint: "larger", "larger pictures, fewer in a row"),
    KeyCommand(.gridSmaller, .grid, [char("-")], "smaller pictures, more in a row"),
    KeyCommand(.gridHeads, .grid, [char("b")], "show or hide the heads of days, where dates decide the order"),
  ]

  private static let albums: [KeyCommand] = [
    KeyCommand(
      .albumsLeave, .albums, [Key(.backspace), Key(.left), char("h")], hint: "leave",
      "leave the album or folder; in a grid, where the others go to the left, Backspace; Esc, too")
  ]

  private static let viewer: [KeyCommand] = [
    KeyCommand(.viewerLeft, .viewer, [Key(.left), char("h")], "pan or turn left"),
    KeyCommand(.viewerRight, .viewer, [Key(.right), char("l")], "pan or turn right"),
    KeyCommand(.viewerUp, .viewer, [Key(.up), char("k")], "pan or turn up"),
    KeyCommand(.viewerDown, .viewer, [Key(.down), char("j")], "pan or turn down"),
    KeyCommand(.viewerIn, .viewer, [char("+"), char("=")], hint: "zoom", "zoom in"),
    KeyCommand(.viewerOut, .viewer, [char("-")], "zoom out"),
    KeyCommand(.viewerReset, .viewer, [char("0")], hint: "whole", "the whole photo"),
    KeyCommand(.viewerFill, .viewer, [char("f")], hint: "fill", "fill the height"),
    KeyCommand(.viewerNext, .viewer, [char("n")], hint: "next", "the next photo"),
    KeyCommand(.viewerPrevious, .viewer, [char("p")], hint: "previous", "the previous photo"),
    KeyCommand(.viewerSwitch, .viewer, [char("v")], hint: "look", "look around in the photo, or show it flat"),
    KeyCommand(.viewerTurn, .viewer, [char("a")], "turn by itself, and stop"),
    KeyCommand(.viewerMap, .viewer, [char("m")], "show or hide the compass and the strip"),
    KeyCommand(.viewerCaption, .viewer, [char("c")], hint: "caption", "write the photo's caption"),
    KeyCommand(.viewerInfo, .viewer, [char("i")], "size, date, camera, panorama"),
    KeyCommand(.viewerDownload, .viewer, [char("d")], hint: "download", "download the photo"),
    KeyCommand(.viewerLink, .viewer, [char("Y")], "copy a link that shares the photo with anyone"),
    KeyCommand(.viewerDoor, .viewer, [char("L")], "make a door in this direction: choose the panorama behind it"),
    KeyCommand(
      .viewerWalk, .viewer, [char("W")], hint: "end the walk", "begin a walk that others can play; end it, with a title"
    ),
    KeyCommand(
      .viewerFollow, .viewer, [char("F")], hint: "follow",
      "follow where another member looks, again: the next member; only in clubs of a byteclub serve"),
    KeyCommand(.viewerPoint, .viewer, [char("P")], "point at the middle of the view, for those who are here"),
    KeyCommand(.viewerRename, .viewer, [char("R")], hint: "rename", "rename the photo"),
    KeyCommand(.viewerTrash, .viewer, [char("D")], hint: "trash", "move the photo to the trash (asks), show the next"),
    KeyCommand(
      .viewerBack, .viewer, [Key(.backspace)], hint: "go back", "back to the panorama that led here, or to the list"),
  ]

  private static let marks: [KeyCommand] = [
    KeyCommand(.marksNext, .marks, [Key(.tab)], hint: "place", "turn to the next hot spot, to the right"),
    KeyCommand(.marksPrevious, .marks, [Key(.backTab)], "turn to the previous hot spot"),
    KeyCommand(
      .marksFollow, .marks, [Key(.enter)], hint: "go there", "go to the hot spot's panorama, or open its note"),
    KeyCommand(
      .marksWithdraw, .marks, [char("X")], hint: "withdraw", "withdraw a door of yours, and the way back (asks)"),
  ]

  private static let film: [KeyCommand] = [
    KeyCommand(.filmGoOn, .film, [Key(.enter)], hint: "go on", "go on with the walk; any other key stops it")
  ]

  private static let transfers: [KeyCommand] = [
    KeyCommand(
      .transfersPause, .transfers, [char("p"), char(" ")], hint: "pause", "pause or resume"),
    KeyCommand(.transfersPauseAll, .transfers, [char("P")], "pause all, or resume all when all are paused"),
    KeyCommand(.transfersCancel, .transfers, [char("x")], hint: "cancel", "cancel and remove the sent part"),
    KeyCommand(.transfersCancelAll, .transfers, [char("X")], hint: "cancel all", "cancel all (asks)"),
    KeyCommand(.transfersRetry, .transfers, [char("R")], hint: "retry", "retry a failed or cancelled one"),
    KeyCommand(.transfersDown, .transfers, [char("J")], hint: "down", "one place down in the queue"),
    KeyCommand(.transfersUp, .transfers, [char("K")], hint: "up", "one place up in the queue"),
    KeyCommand(.transfersDetails, .transfers, [Key(.enter)], hint: "details", "show its details"),
    KeyCommand(
      .transfersMark, .transfers, [char("m"), Key(.insert)], hint: "mark",
      "mark for actions on several (Space pauses here)"),
    KeyCommand(
      .transfersDismiss, .transfers, [char("d")], hint: "remove", "remove a finished one from the list"),
    KeyCommand(.transfersDismissAll, .transfers, [char("D")], "remove all finished ones from the list"),
  ]

  private static let questions: [KeyCommand] = [
    KeyCommand(.draftOpen, .draft, [Key(.enter)], hint: "open", "continue the draft, open a waiting text"),
    KeyCommand(.draftDiscard, .draft, [char("x")], hint: "discard", "discard it; it is kept for a week (asks)"),
    KeyCommand(.draftLater, .draft, [Key(.escape)], hint: "later", "decide later"),
    KeyCommand(.conflictMine, .conflict, [char("m")], hint: "mine", "this part: mine"),
    KeyCommand(.conflictTheirs, .conflict, [char("t")], hint: "theirs", "this part: theirs"),
    KeyCommand(.conflictBoth, .conflict, [char("b")], hint: "both", "this part: both, mine first"),
    KeyCommand(
      .conflictEdit, .conflict, [char("e"), Key(.enter)], hint: "edit", "edit this part, with theirs beside it"),
    KeyCommand(.conflictNext, .conflict, [char("n")], hint: "next", "the next part"),
    KeyCommand(.conflictPrevious, .conflict, [char("p")], "the previous part"),
    KeyCommand(.conflictAllMine, .conflict, [char("M")], hint: "all mine", "all parts: mine"),
    KeyCommand(.conflictAllTheirs, .conflict, [char("T")], hint: "all theirs", "all parts: theirs"),
    KeyCommand(.conflictUndo, .conflict, [char("u"), char("z")], hint: "undo", "undo the last choice"),
    KeyCommand(.conflictRedo, .conflict, [char("U"), control("r")], "choose it again"),
    KeyCommand(.conflictCopy, .conflict, [char("c")], hint: "copy", "keep theirs, save mine as a note beside it"),
    KeyCommand(
      .conflictDone, .conflict, [control("s"), control("q")], hint: "Done", "Done: save the chosen text"),
    KeyCommand(
      .conflictLater, .conflict, [Key(.escape)], hint: "later", "decide later; nothing is written, my text is kept"),
    KeyCommand(.pathComplete, .path, [Key(.tab)], hint: "complete", "complete the path or the command"),
    KeyCommand(
      .pathMark, .path, [control("t"), Key(.insert)], hint: "mark",
      "mark the chosen file; several are uploaded together"),
    KeyCommand(.pathAccept, .path, [Key(.enter)], hint: "go", "accept the path, run the command"),
    KeyCommand(.pathCancel, .path, [Key(.escape)], hint: "cancel", "close"),
  ]

  private static let clubs: [KeyCommand] = [
    KeyCommand(.clubsOpen, .clubs, [Key(.enter)], hint: "open", "open the club, or sign in to it"),
    KeyCommand(.clubsAdd, .clubs, [char("a")], hint: "add", "add a club"),
    KeyCommand(.clubsLine, .clubs, [char("i")], hint: "invite", "a line with the club's place for a friend"),
    KeyCommand(.clubsDevice, .clubs, [char("d")], hint: "device", "a line that signs in your next device"),
    KeyCommand(.clubPlacesTake, .clubPlaces, [Key(.enter)], hint: "choose", "take the chosen place; digits choose"),
    KeyCommand(
      .clubFormEnter, .clubForm, [Key(.enter)], hint: "go on", "the next field; in the last one, send the form"),
    KeyCommand(.clubFormNext, .clubForm, [Key(.tab), Key(.down)], hint: "next", "the next field"),
    KeyCommand(.clubFormPrevious, .clubForm, [Key(.backTab), Key(.up)], "the field before"),
    KeyCommand(.clubFormSend, .clubForm, [control("s")], hint: "send", "send the form"),
    KeyCommand(.clubFormCopy, .clubForm, [alt("w")], hint: "copy", "copy the address of the page"),
    KeyCommand(.clubFormCancel, .clubForm, [Key(.escape)], hint: "back", "stop waiting for the server; go back"),
    KeyCommand(.clubLineCopy, .clubLine, [char("y")], hint: "copy", "copy the line"),
  ]
}
