internal import TextUI

extension TextEditor {
  /// Does what a command of the editor's place says, whatever key it has in the config; nil for other commands.
  mutating func perform(_ command: CommandID) -> EditOutcome? {
    switch command {
    case .editorUndo: undo()
    case .editorRedo: redo()
    case .editorLineStart: handle(Key(.character("a"), .control))
    case .editorLineEnd: handle(Key(.character("e"), .control))
    case .editorWordBack: handle(Key(.character("b"), .alt))
    case .editorWordForward: handle(Key(.character("f"), .alt))
    case .editorDeleteWord: handle(Key(.character("w"), .control))
    case .editorKill: handle(Key(.character("k"), .control))
    case .editorYank: handle(Key(.character("y"), .control))
    default: nil
    }
  }
}
