internal import Basics

/// The addresses of a canvas's linked cells. Each cell holds a number, because cells are compared and copied by the
/// thousand.
public struct Hyperlinks: Sendable, Equatable {
  /// In bytes, as VTE has it; terminals ignore a link with a longer address.
  static let longestAddress = 2083
  /// Enough for each cell of a large screen that shows nothing but links.
  private static let most = 8192

  private var numbers: [String: UInt16] = [:]
  private var addresses: [UInt16: String] = [:]
  private var last: UInt16 = 0

  public init() {}

  public var isEmpty: Bool { addresses.isEmpty }

  var count: Int { addresses.count }

  var isFull: Bool { count >= Self.most }

  /// Printable ASCII, as terminals demand; nil for a cell without a link.
  public subscript(number: UInt16) -> String? { addresses[number] }

  /// 0 for an address that terminals would ignore.
  mutating func number(of address: String) -> UInt16 {
    if let known = numbers[address] { return known }
    let shown = Self.printable(address)
    guard !shown.isEmpty, shown.utf8.count <= Self.longestAddress else { return 0 }
    last = last == .max ? 1 : last + 1
    numbers[address] = last
    addresses[last] = shown
    return last
  }

  /// Numbers go on after the last one, so that no cell of the next frame equals one of this frame with another address.
  mutating func forget() {
    numbers.removeAll(keepingCapacity: true)
    addresses.removeAll(keepingCapacity: true)
  }

  /// Spaces, controls and bytes beyond ASCII become percent escapes.
  private static func printable(_ address: String) -> String {
    address.utf8.reduce(into: "") { text, byte in
      if (0x21..<0x7F).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += PercentEncoding.escape(byte)
      }
    }
  }
}

extension Canvas {
  /// Links all cells that `draw` writes to an address; nil draws without a link. Terminals that know hyperlinks (OSC 8)
  /// open it on a click; the others show the same cells.
  public mutating func linked(to address: String?, _ draw: (inout Canvas) -> Void) {
    let outer = link
    link = address.map { grid.links.number(of: $0) } ?? 0
    defer { link = outer }
    draw(&self)
  }
}
