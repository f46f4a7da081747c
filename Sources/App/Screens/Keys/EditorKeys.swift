internal import TextUI

/// The keys of the editor, by the config's `ui.editorKeys`.
public enum EditorKeys: String, Sendable, CaseIterable {
  case emacs, vi
}

extension ViKeys {
  /// True if vi's keys have a key before the table of keys. Keys for saving stay, and in insert mode those for finding.
  func takes(_ key: Key, from command: CommandID) -> Bool {
    switch command {
    case .editorSave, .editorDone, .formSave, .formDone: false
    case .formNext: mode == .insert
    case .editorFind, .editorGoTo: mode != .insert || openLine != nil
    case .help, .redraw, .suspend, .interrupt: false
    case .completionTake, .completionEnter, .completionUp, .completionDown: false
    // Escape ends insert mode, and the list with it.
    case .completionClose: key.code == .escape
    default: true
    }
  }
}

/// vi's keys for the help and the manual. They are fixed: the config's `keys` does not change them.
public enum ViKeyTable {
  public static let title = "Editor with vi's keys (ui.editorKeys)"

  public static let rows: [(keys: String, help: String)] = [
    ("i a I A o O", "insert: before, behind, at the start or end of the line, in a new line below or above"),
    ("Esc", "back to normal mode; it never closes the editor"),
    (":w", "save, and go on writing; Ctrl-S does it in every mode"),
    (":wq :x ZZ", "save and close; Ctrl-Q does it in every mode"),
    (":q", "Cancel: asks if the text has changed"),
    (":q! ZQ", "discard the text; it stays in :waiting for a week"),
    (":NUMBER G gg", "go to a line, to the last, to the first"),
    ("h j k l w b e ge 0 ^ $ _ | + -", "motions; W B E gE go by words between blanks"),
    ("f F t T ; ,", "to a character of the line, again, and back"),
    ("( ) { } % H M L", "sentences, paragraphs, the matching bracket, the rows in view"),
    ("gj gk", "by rows of the screen"),
    ("Ctrl-D Ctrl-U Ctrl-F Ctrl-B", "half a page and a page, down and up; Ctrl-E Ctrl-Y zz zt zb move the view"),
    ("/ ? n N * #", "search words, without case and accents; again; the word at the cursor"),
    ("d c y > < gu gU g~", "delete, change, yank, indent, case: with a motion, an object, or doubled for lines"),
    ("iw aw ip ap i\" a\" i( a( i[ i{ i<", "objects: word, paragraph, quoted text, brackets; a takes what is around"),
    ("x X D C s S Y r ~ J gJ", "short forms; join lines"),
    ("p P", "paste behind and before; what is yanked goes to the terminal's clipboard, too"),
    ("u Ctrl-R .", "undo, redo, repeat the last change; counts work everywhere"),
    ("v V gv o", "select characters or lines, again, the other end; then an operator"),
    ("Ctrl-F Ctrl-G", "while inserting: find and replace, go to a line"),
  ]
}
