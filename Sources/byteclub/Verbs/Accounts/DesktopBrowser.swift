import FileStores
import Glibc

/// The browser of the desktop that this terminal belongs to.
enum DesktopBrowser {
  /// Whether there is a display to show one on.
  static func isHere(_ environment: Environment) -> Bool {
    environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens an https address, or one of this machine, with `xdg-open`. Blocks until that has handed it on. False when it
  /// could not.
  static func open(_ address: String) -> Bool {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return false }
    // Ctrl-C in the terminal is for byteclub, not for the browser that may be started here.
    let program = ProgramStart(
      "xdg-open", ["xdg-open", address], streams: (.nothing, .nothing, .nothing), group: .own)
    guard let child = try? program.start() else { return false }
    // A browser that was not running before may stay in the foreground: it has then been opened all the same.
    for _ in 0..<100 {
      if let status = ProgramStart.ended(child) { return status == 0 }
      usleep(50_000)
    }
    return true
  }
}
