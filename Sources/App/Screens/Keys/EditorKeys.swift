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
    default: true
    }
  }
}
