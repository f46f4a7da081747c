internal import CNcurses
internal import POSIX
public import TextUI

extension CursesTerminal {
  struct Window {
    let sequences = WindowSequences { name in getenv(name).map { String(cString: $0) } }
    var title: String?
    var progress: TerminalProgress?
  }

  /// Needs a terminal that is known to support the message. Title and progress are removed however the process ends,
  /// and while another program has the terminal.
  public func tell(_ message: TerminalMessage) {
    guard isOpen else { return }
    switch message {
    case .notification(let text): write(window.sequences.bytes(notifying: text))
    case .title(let title):
      guard window.sequences.hasTitle, title != window.title else { return }
      show(title: title)
    case .progress(let progress):
      guard window.sequences.hasProgress, progress != window.progress else { return }
      show(progress: progress)
    }
  }

  /// Asks by OSC 11, if the terminal is known to take unknown strings without printing them. A terminal that does not
  /// know the query stays silent.
  public func askBackground() {
    guard isOpen, window.sequences.hasTitle else { return }
    write(Array("\u{1B}]11;?\u{1B}\\".utf8))
  }

  func leaveWindow() {
    awaitAnswers()
    cn_leave_window()
  }

  func enterWindow() {
    useGraphemes()
    // The answers may have come while the terminal was given away.
    decideGraphemes()
    let (title, progress) = (window.title, window.progress)
    (window.title, window.progress) = (nil, nil)
    if let title { show(title: title) }
    if let progress { show(progress: progress) }
  }

  private func show(title: String?) {
    if let title {
      if window.title == nil { cn_keep_title() }
      write(WindowSequences.bytes(title: title))
    } else {
      cn_leave_title()
    }
    window.title = title
  }

  private func show(progress: TerminalProgress?) {
    if progress == nil { cn_leave_progress() } else { cn_keep_progress() }
    if let progress { write(WindowSequences.bytes(progress: progress)) }
    window.progress = progress
  }

  private func write(_ bytes: [UInt8]) { cn_write(bytes, bytes.count) }
}
