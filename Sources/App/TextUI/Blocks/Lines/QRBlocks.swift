/// A QR code in half-blocks: each cell has two modules, one above the other, and a module is as wide as it is high in the
/// usual fonts. `█` is dark, so a terminal with light text needs dark text on a light ground for it.
public struct QRBlocks: Sendable, Hashable {
  /// Less than the four modules that ISO/IEC 18004 asks for: phones read it, and more codes fit into a terminal.
  private static let quiet = 2

  public let lines: [String]

  /// - Parameters:
  ///   - modules: true for dark, row by row; as many as `width` times `width`.
  public init(_ modules: [Bool], width: Int) {
    func isDark(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - QRBlocks.quiet, column - QRBlocks.quiet)
      guard 0..<width ~= row, 0..<width ~= column else { return false }
      return modules[row * width + column]
    }
    let side = width + 2 * QRBlocks.quiet
    lines = stride(from: 0, to: side, by: 2).map { row in
      String(
        (0..<side).map { column -> Character in
          switch (isDark(row, column), isDark(row + 1, column)) {
          case (false, false): " "
          case (true, false): "▀"
          case (false, true): "▄"
          case (true, true): "█"
          }
        })
    }
  }

  /// True if the code is seen whole below a line of its own.
  public func fits(columns: Int, rows: Int) -> Bool {
    (lines.first?.count ?? 0) <= columns && lines.count < rows
  }
}
