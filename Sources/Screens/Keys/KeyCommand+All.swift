internal import TextUI

extension KeyCommand {
  /// All that can be done with keys, in the order of help.
  public static let all: [KeyCommand] =
    everywhere + lists + notes + reader + history + editor + form + photos + viewer + transfers + questions

  /// The command of an id.
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
      .commandLine, .everywhere, [char(":")], "command line: note, photo, search, waiting, help, quit; Tab completes"),
    KeyCommand(.refresh, .everywhere, [char("r")], hint: "refresh", "refresh the list"),
    KeyCommand(.transfers, .everywhere, [char("t")], hint: "transfers", "the transfers: all uploads and downloads"),
    KeyCommand(.transferCancel, .everywhere, [char("x")], "cancel the transfer shown in the bar"),
    KeyCommand(.undo, .everywhere, [char("z")], "undo the last trash or rename"),
    KeyCommand(.help, .everywhere, [char("?"), Key(.function(1))], hint: "help", "this help"),
    KeyCommand(.redraw, .everywhere, [control("l")], "redraw the screen"),
    KeyCommand(.suspend, .everywhere, [control("z")], "suspend; `fg` comes back"),
    KeyCommand(.close, .everywhere, [Key(.escape)], "close a view; never quits"),
    KeyCommand(.quit, .everywhere, [char("q")], hint: "quit", "close a view and, on a tab, quit"),
    KeyCommand(.interrupt, .everywhere, [control("c")], "ask to quit; never loses text"),
  ]

  private static let lists: [KeyCommand] = [
    KeyCommand(.listUp, .lists, [Key(.up), char("k")], "one up"),
    KeyCommand(.listDown, .lists, [Key(.down), char("j")], "one down"),
    KeyCommand(.listPageUp, .lists, [Key(.pageUp), control("b")], "a page up"),
    KeyCommand(.listPageDown, .lists, [Key(.pageDown), control("f")], "a page down"),
    KeyCommand(.listHalfUp, .lists, [control("u")], "half a page up"),
    KeyCommand(.listHalfDown, .lists, [control("d")], "half a page down"),
    KeyCommand(.listFirst, .lists, [char("g"), Key(.home)], "the first"),
    KeyCommand(.listLast, .lists, [char("G"), Key(.end)], "the last"),
    KeyCommand(.listOpen, .lists, [Key(.enter)], hint: "open", "open"),
    KeyCommand(.listMark, .lists, [char(" ")], "mark for actions on several"),
    KeyCommand(.listSort, .lists, [char("s")], hint: "sort", "sort by name, date or size"),
    KeyCommand(.listOpenOutside, .lists, [char("o")], "open with the desktop's program"),
    KeyCommand(.listCopyName, .lists, [char("y")], "copy the name"),
  ]

  private static let notes: [KeyCommand] = [
    KeyCommand(.notesNew, .notes, [char("n"), char("+")], hint: "new", "write a new note"),
    KeyCommand(.notesExternal, .notes, [char("e")], hint: "$EDITOR", "edit in $VISUAL or $EDITOR"),
    KeyCommand(.notesRename, .notes, [char("R")], hint: "rename", "rename"),
    KeyCommand(.notesTrash, .notes, [char("D")], hint: "trash", "move to the trash (asks)"),
    KeyCommand(.notesHistory, .notes, [char("H")], "history: older versions"),
  ]

  private static let history: [KeyCommand] = [
    KeyCommand(
      .historyRestore, .history, [char("R")], hint: "restore", "restore this version (asks)")
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
    KeyCommand(.readerFindNext, .reader, [char("n")], hint: "next", "the next match"),
    KeyCommand(.readerFindPrevious, .reader, [char("N")], hint: "previous", "the previous match"),
  ]

  private static let editor: [KeyCommand] = [
    KeyCommand(.editorDone, .editor, [control("s")], hint: "Done", "Done: save and close"),
    KeyCommand(.editorCancel, .editor, [Key(.escape)], hint: "Cancel", "Cancel: asks if the text has changed"),
    KeyCommand(.editorUndo, .editor, [control("_"), alt("u")], hint: "undo", "undo"),
    KeyCommand(.editorRedo, .editor, [alt("r"), control("r"), alt("_")], hint: "redo", "redo"),
    KeyCommand(.editorLineStart, .editor, [control("a"), Key(.home)], "start of the line"),
    KeyCommand(.editorLineEnd, .editor, [control("e"), Key(.end)], "end of the line"),
    KeyCommand(.editorWordBack, .editor, [alt("b")], "a word back"),
    KeyCommand(.editorWordForward, .editor, [alt("f")], "a word forward"),
    KeyCommand(.editorDeleteWord, .editor, [control("w")], "delete the word before the cursor"),
    KeyCommand(.editorKill, .editor, [control("k")], "cut to the end of the line"),
    KeyCommand(.editorYank, .editor, [control("y")], "paste the cut text"),
  ]

  private static let form: [KeyCommand] = [
    KeyCommand(.formDone, .form, [control("s")], hint: "Done", "Done: save the new note"),
    KeyCommand(.formNext, .form, [Key(.tab), Key(.backTab)], hint: "name/text", "from the name to the text and back"),
    KeyCommand(.formCancel, .form, [Key(.escape)], hint: "Cancel", "Cancel: asks if you typed anything"),
  ]

  private static let photos: [KeyCommand] = [
    KeyCommand(.photosUpload, .photos, [char("u")], hint: "upload", "upload photos: a path, Tab completes"),
    KeyCommand(.photosDownload, .photos, [char("d")], hint: "download", "download the photo or the marked ones"),
    KeyCommand(.photosInfo, .photos, [char("i")], hint: "info", "size, date, camera, panorama"),
    KeyCommand(.photosRename, .photos, [char("R")], "rename"),
    KeyCommand(.photosTrash, .photos, [char("D")], hint: "trash", "move to the trash (asks)"),
  ]

  private static let viewer: [KeyCommand] = [
    KeyCommand(.viewerLeft, .viewer, [Key(.left), char("h")], "pan left"),
    KeyCommand(.viewerRight, .viewer, [Key(.right), char("l")], "pan right"),
    KeyCommand(.viewerUp, .viewer, [Key(.up), char("k")], "pan up"),
    KeyCommand(.viewerDown, .viewer, [Key(.down), char("j")], "pan down"),
    KeyCommand(.viewerIn, .viewer, [char("+"), char("=")], hint: "zoom", "zoom in"),
    KeyCommand(.viewerOut, .viewer, [char("-")], "zoom out"),
    KeyCommand(.viewerReset, .viewer, [char("0")], hint: "whole", "the whole photo"),
    KeyCommand(.viewerFill, .viewer, [char("f")], hint: "fill", "fill the height"),
    KeyCommand(.viewerNext, .viewer, [char("n")], hint: "next", "the next photo"),
    KeyCommand(.viewerPrevious, .viewer, [char("p")], hint: "previous", "the previous photo"),
    KeyCommand(.viewerInfo, .viewer, [char("i")], "size, date, camera, panorama"),
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
    KeyCommand(.conflictMine, .conflict, [char("m")], hint: "mine", "save my text over theirs"),
    KeyCommand(.conflictTheirs, .conflict, [char("t")], hint: "theirs", "keep theirs, discard mine (asks)"),
    KeyCommand(.conflictBoth, .conflict, [char("b")], hint: "both", "keep theirs, save mine as a new note"),
    KeyCommand(
      .conflictEdit, .conflict, [char("e"), Key(.enter)], hint: "edit mine", "edit my text, to save over theirs"),
    KeyCommand(.conflictLater, .conflict, [Key(.escape)], hint: "later", "decide later; my text is kept"),
    KeyCommand(.pathComplete, .path, [Key(.tab)], hint: "complete", "complete the path or the command"),
    KeyCommand(
      .pathMark, .path, [control("t"), Key(.insert)], hint: "mark",
      "mark the chosen file; several are uploaded together"),
    KeyCommand(.pathAccept, .path, [Key(.enter)], hint: "go", "accept the path, run the command"),
    KeyCommand(.pathCancel, .path, [Key(.escape)], hint: "cancel", "close"),
  ]
}
