import CQRCode
import POSIX
import TextUI

/// A QR code for this terminal.
enum QRPicture {
  /// Of version 40, the largest.
  private static let mostModules = 177 * 177
  /// Of the words and the prompt that come below the picture: it must not leave the screen.
  private static let rowsBelow = 8

  /// nil where it cannot be shown: no terminal, one without UTF-8 or too small, or no libqrencode.
  static func lines(of text: String) -> [String]? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, isUnicode, variable("TERM") != "dumb",
      ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    else { return nil }
    var modules = [UInt8](repeating: 0, count: mostModules)
    let width = cq_encode(text, &modules, modules.count)
    guard width > 0 else { return nil }
    let blocks = QRBlocks(modules.prefix(width * width).map { $0 == 1 }, width: width)
    return blocks.fits(columns: Int(size.ws_col), rows: Int(size.ws_row) - rowsBelow) ? blocks.lines : nil
  }

  /// True if the locale's encoding is UTF-8; the first of three variables that is set decides (setlocale(3)).
  private static var isUnicode: Bool {
    let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "C"
    let encoding = locale.prefix { $0 != "@" }.split(separator: ".").last ?? ""
    return encoding.lowercased().filter { $0 != "-" } == "utf8"
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
