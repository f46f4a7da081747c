import CQRCode
import POSIX
public import TextUI

extension QRBlocks {
  /// Of version 40, the largest.
  private static let mostModules = 177 * 177

  /// nil if the text is too long, or libqrencode is not there.
  public static func of(_ text: String) -> QRBlocks? {
    var modules = [UInt8](repeating: 0, count: mostModules)
    let width = cq_encode(text, &modules, modules.count)
    guard width > 0 else { return nil }
    return QRBlocks(modules.prefix(width * width).map { $0 == 1 }, width: width)
  }
}

/// A QR code for the terminal of standard output.
public enum QRPicture {
  /// Of the words and the prompt that come below the picture: it must not leave the screen.
  private static let rowsBelow = 8

  /// nil where it cannot be shown: no terminal, one without UTF-8 or too small, or no libqrencode.
  public static func lines(of text: String) -> [String]? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, isUnicode, variable("TERM") != "dumb",
      ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, let blocks = QRBlocks.of(text)
    else { return nil }
    return blocks.fits(columns: Int(size.ws_col), rows: Int(size.ws_row) - rowsBelow) ? blocks.lines : nil
  }

  /// Black on white, whatever the terminal's colours are (ECMA-48, SGR).
  /// - Parameter lines: half-blocks and spaces alone.
  public static func drawn(_ lines: [String]) -> String {
    lines.map { "\u{1B}[30;107m\($0)\u{1B}[0m\n" }.joined()
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
