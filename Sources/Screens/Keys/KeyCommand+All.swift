internal import TextUI

extension KeyCommand {
  /// All that can be done with keys, in the order of help.
  public static let all: [KeyCommand] = everywhere + lists + notes + reader + editor + form + photos + viewer + questions

  /// The command of an id.
  public static func named(_ id: String) -> KeyCommand? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private static func char(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar)) }
  private static func control(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar), .control) }
  private static func alt(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar), .alt) }

  private static let everywhere: [KeyCommand] = [
    KeyCommand("tab.notes", .everywhere, [char("1")], "the notes"),
    KeyCommand("tab.photos", .everywhere, [char("2")], "the panoramic photos"),
    KeyCommand("tab.next", .everywhere, [Key(.tab)], "the next tab"),
    KeyCommand("tab.previous", .everywhere, [Key(.backTab)], "the tab before"),
    KeyCommand("find", .everywhere, [char("/")], hint: "find", "find as you type; Esc clears"),
    KeyCommand("refresh", .everywhere, [char("r")], hint: "refresh", "list the club anew"),
    KeyCommand("transfer.cancel", .everywhere, [char("x")], "cancel the transfer shown in the bar"),
    KeyCommand("undo", .everywhere, [char("z")], "undo the last trash or rename"),
    KeyCommand("help", .everywhere, [char("?"), Key(.function(1))], hint: "help", "this help"),
    KeyCommand("redraw", .everywhere, [control("l")], "draw the screen anew"),
    KeyCommand("suspend", .everywhere, [control("z")], "suspend; `fg` comes back"),
    KeyCommand("close", .everywhere, [Key(.escape)], "close a view; never quits"),
    KeyCommand("quit", .everywhere, [char("q")], hint: "quit", "close a view and, on a tab, quit"),
    KeyCommand("interrupt", .everywhere, [control("c")], "ask to quit; never loses text"),
  ]

  private static let lists: [KeyCommand] = [
    KeyCommand("list.up", .lists, [Key(.up), char("k")], "one up"),
    KeyCommand("list.down", .lists, [Key(.down), char("j")], "one down"),
    KeyCommand("list.pageUp", .lists, [Key(.pageUp)], "a page up"),
    KeyCommand("list.pageDown", .lists, [Key(.pageDown)], "a page down"),
    KeyCommand("list.halfUp", .lists, [control("u")], "half a page up"),
    KeyCommand("list.halfDown", .lists, [control("d")], "half a page down"),
    KeyCommand("list.first", .lists, [char("g"), Key(.home)], "the first"),
    KeyCommand("list.last", .lists, [char("G"), Key(.end)], "the last"),
    KeyCommand("list.open", .lists, [Key(.enter)], hint: "open", "open"),
    KeyCommand("list.mark", .lists, [char(" ")], "mark, for what works on several"),
    KeyCommand("list.sort", .lists, [char("s")], hint: "sort", "sort by name, date, size in turn"),
    KeyCommand("list.openOutside", .lists, [char("o")], "open with the desktop's program"),
    KeyCommand("list.copyName", .lists, [char("y")], "copy the name"),
  ]

  private static let notes: [KeyCommand] = [
    KeyCommand("notes.new", .notes, [char("n"), char("+")], hint: "new", "write a new note"),
    KeyCommand("notes.external", .notes, [char("e")], hint: "$EDITOR", "edit in $VISUAL or $EDITOR"),
    KeyCommand("notes.rename", .notes, [char("R")], hint: "rename", "rename"),
    KeyCommand("notes.trash", .notes, [char("D")], hint: "trash", "move to the trash (asks)"),
  ]

  private static let reader: [KeyCommand] = [
    KeyCommand("reader.edit", .reader, [char("i"), Key(.enter)], hint: "edit", "edit, the cursor at the first character"),
    KeyCommand("reader.external", .reader, [char("e")], hint: "$EDITOR", "edit in $VISUAL or $EDITOR"),
    KeyCommand("reader.up", .reader, [Key(.up), char("k")], "one row up"),
    KeyCommand("reader.down", .reader, [Key(.down), char("j")], "one row down"),
    KeyCommand("reader.pageUp", .reader, [Key(.pageUp)], "a page up"),
    KeyCommand("reader.pageDown", .reader, [Key(.pageDown), char(" ")], hint: "page", "a page down"),
    KeyCommand("reader.halfUp", .reader, [control("u")], "half a page up"),
    KeyCommand("reader.halfDown", .reader, [control("d")], "half a page down"),
    KeyCommand("reader.first", .reader, [char("g"), Key(.home)], "the beginning"),
    KeyCommand("reader.last", .reader, [char("G"), Key(.end)], "the end"),
  ]

  private static let editor: [KeyCommand] = [
    KeyCommand("editor.done", .editor, [control("s")], hint: "Done", "Done: save and close"),
    KeyCommand("editor.cancel", .editor, [Key(.escape)], hint: "Cancel", "Cancel: asks if the text was changed"),
    KeyCommand("editor.undo", .editor, [control("_")], hint: "undo", "undo"),
    KeyCommand("editor.redo", .editor, [alt("_")], "redo"),
    KeyCommand("editor.lineStart", .editor, [control("a"), Key(.home)], "start of the line"),
    KeyCommand("editor.lineEnd", .editor, [control("e"), Key(.end)], "end of the line"),
    KeyCommand("editor.wordBack", .editor, [alt("b")], "a word back"),
    KeyCommand("editor.wordForward", .editor, [alt("f")], "a word forward"),
    KeyCommand("editor.deleteWord", .editor, [control("w")], "delete the word before the cursor"),
    KeyCommand("editor.kill", .editor, [control("k")], "cut to the end of the line"),
    KeyCommand("editor.yank", .editor, [control("y")], "put back what was cut"),
  ]

  private static let form: [KeyCommand] = [
    KeyCommand("form.done", .form, [control("s")], hint: "Done", "Done: save the new note"),
    KeyCommand("form.next", .form, [Key(.tab), Key(.backTab)], hint: "name/text", "from the name to the text and back"),
    KeyCommand("form.cancel", .form, [Key(.escape)], hint: "Cancel", "Cancel: asks if anything was typed"),
  ]

  private static let photos: [KeyCommand] = [
    KeyCommand("photos.upload", .photos, [char("u")], hint: "upload", "upload photos: a path, Tab completes"),
    KeyCommand("photos.download", .photos, [char("d")], hint: "download", "download the photo or the marked ones"),
    KeyCommand("photos.info", .photos, [char("i")], hint: "info", "size, date, camera, panorama data"),
    KeyCommand("photos.rename", .photos, [char("R")], "rename"),
    KeyCommand("photos.trash", .photos, [char("D")], hint: "trash", "move to the trash (asks)"),
  ]

  private static let viewer: [KeyCommand] = [
    KeyCommand("viewer.left", .viewer, [Key(.left), char("h")], "pan left"),
    KeyCommand("viewer.right", .viewer, [Key(.right), char("l")], "pan right"),
    KeyCommand("viewer.up", .viewer, [Key(.up), char("k")], "pan up"),
    KeyCommand("viewer.down", .viewer, [Key(.down), char("j")], "pan down"),
    KeyCommand("viewer.in", .viewer, [char("+"), char("=")], hint: "zoom", "zoom in"),
    KeyCommand("viewer.out", .viewer, [char("-")], "zoom out"),
    KeyCommand("viewer.reset", .viewer, [char("0")], hint: "whole", "the whole photo"),
    KeyCommand("viewer.fill", .viewer, [char("f")], hint: "fill", "fill the height"),
    KeyCommand("viewer.next", .viewer, [char("n")], hint: "next", "the next photo"),
    KeyCommand("viewer.previous", .viewer, [char("p")], hint: "previous", "the photo before"),
    KeyCommand("viewer.info", .viewer, [char("i")], "size, date, camera, panorama data"),
  ]

  private static let questions: [KeyCommand] = [
    KeyCommand("draft.open", .draft, [Key(.enter)], hint: "open the draft", "go on with the draft"),
    KeyCommand("draft.discard", .draft, [char("x")], hint: "discard", "discard it (asks)"),
    KeyCommand("draft.later", .draft, [Key(.escape)], hint: "later", "decide later"),
    KeyCommand("conflict.mine", .conflict, [char("m")], hint: "mine", "save my text over theirs"),
    KeyCommand("conflict.theirs", .conflict, [char("t")], hint: "theirs", "keep theirs, drop mine (asks)"),
    KeyCommand("conflict.both", .conflict, [char("b")], hint: "both", "keep theirs, save mine as a new note"),
    KeyCommand("conflict.edit", .conflict, [char("e"), Key(.enter)], hint: "edit mine", "edit my text, theirs is the new base"),
    KeyCommand("conflict.later", .conflict, [Key(.escape)], hint: "later", "decide later; my text stays safe"),
    KeyCommand("path.complete", .path, [Key(.tab)], hint: "complete", "complete the path"),
    KeyCommand("path.accept", .path, [Key(.enter)], hint: "go", "take this path"),
    KeyCommand("path.cancel", .path, [Key(.escape)], hint: "cancel", "close"),
  ]
}
