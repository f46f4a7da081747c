extension TextEditor {
  /// Takes vi's keys from now on, in normal mode.
  public mutating func useVi() {
    guard vi == nil else { return }
    var vi = ViKeys()
    vi.settle(&self)
    self.vi = vi
  }

  /// The request of the last key, once.
  public mutating func takeRequest() -> ViKeys.Request? {
    defer { vi?.request = nil }
    return vi?.request
  }

  /// Ends a command that is not complete, a selection or insert mode, as Escape does. False if there was nothing to end.
  public mutating func endVi() -> Bool {
    guard vi?.isIdle == false else { return false }
    _ = handle(Key(.escape))
    return true
  }

  /// Looks for vi's words in the next part of the text.
  public mutating func seekOn() -> Outcome {
    guard vi?.isSeeking == true else { return .ignored }
    return withVi { $0.seekOn(&$1) } ?? .ignored
  }

  mutating func withVi(_ body: (inout ViKeys, inout TextEditor) -> Outcome) -> Outcome? {
    guard var keys = vi else { return nil }
    vi = nil
    let outcome = body(&keys, &self)
    vi = keys
    return outcome
  }
}

extension ViKeys {
  fileprivate mutating func seekOn(_ editor: inout TextEditor) -> EditOutcome {
    for _ in 0..<16 { lookOn(&editor) }
    return end(&editor)
  }
}
