import Glibc

/// The size of a terminal.
enum TerminalSize {
  /// Columns and rows; nil when the descriptor is no terminal, or the terminal does not know.
  static func of(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Columns; nil as above.
  static func columns(of descriptor: Int32) -> Int? { of(descriptor)?.columns }
}
