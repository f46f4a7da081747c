/// How a terminal shows pictures.
public enum GraphicsMode: String, Sendable, Hashable, CaseIterable {
  /// Blocks of one, four or six pixels a half or a whole cell, in two colours a cell.
  case halfBlocks = "half-blocks"
  case quadrants
  case sextants
  case sixel
  /// iTerm2's inline images.
  case iTerm2 = "iterm2"
  /// kitty's graphics protocol.
  case kitty
  /// kitty's protocol through tmux: cells of text stand for the picture.
  case kittyInTmux = "kitty in tmux"

  /// The terminal draws real pixels.
  public var hasPixels: Bool {
    switch self {
    case .halfBlocks, .quadrants, .sextants: false
    case .sixel, .iTerm2, .kitty, .kittyInTmux: true
    }
  }

  /// The terminal scales a picture and shows a part of it, so that neither needs new pixels.
  public var movesParts: Bool { self == .kitty }
}

/// The member's choice in the config.
public enum GraphicsSetting: String, Sendable, Hashable, CaseIterable {
  case auto
  case kitty
  case sixel
  case iterm2
  case sextants
  case quadrants
  case halfBlocks = "half-blocks"
}

extension TerminalAbilities {
  /// The square pixels of a cell in which screens make pictures: two for half-blocks, eight for the finer blocks.
  public var pixelsOfCell: Size {
    switch graphics {
    case .halfBlocks: Size(1, 2)
    case .quadrants, .sextants: Size(2, 4)
    case .sixel, .iTerm2, .kitty, .kittyInTmux: cell
    }
  }
}

/// A terminal's answer to a query (xterm's `ctlseqs`, kitty's graphics protocol).
public enum TerminalReport: Sendable, Hashable {
  /// DA1. 4 stands for sixel.
  case attributes([Int])
  /// XTVERSION: name and version, as the terminal writes them.
  case version(String)
  /// The pixels of a cell.
  case cell(Size)
  /// The pixels of the text area.
  case window(Size)
  /// `OK`, or the reason why the terminal cannot show a picture.
  case graphics(id: Int, message: String)
  /// DECRPM: 0 for an unknown mode, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, setting: Int)

  /// The bytes between `ESC [` and the final byte.
  init?(_ parameters: ArraySlice<UInt8>, final: UInt8) {
    switch final {
    case UInt8(ascii: "c") where parameters.first == UInt8(ascii: "?"):
      self = .attributes(InputDecoder.ControlSequence.numbers(parameters.dropFirst()))
    case UInt8(ascii: "t"):
      let numbers = InputDecoder.ControlSequence.numbers(parameters)
      guard numbers.count == 3, (1...100_000).contains(numbers[1]), (1...100_000).contains(numbers[2]) else {
        return nil
      }
      let size = Size(numbers[2], numbers[1])
      switch numbers[0] {
      case 6: self = .cell(size)
      case 4: self = .window(size)
      default: return nil
      }
    case UInt8(ascii: "y") where parameters.first == UInt8(ascii: "?") && parameters.last == UInt8(ascii: "$"):
      let numbers = InputDecoder.ControlSequence.numbers(parameters.dropFirst().dropLast())
      guard numbers.count == 2 else { return nil }
      self = .mode(numbers[0], setting: numbers[1])
    default: return nil
    }
  }

  /// A terminal string from its introducer on, such as `P>|kitty(0.35.2)` or `_Gi=31;OK`.
  init?(string: ArraySlice<UInt8>) {
    let text = String(decoding: string, as: UTF8.self)
    if text.hasPrefix("P>|") {
      self = .version(String(text.dropFirst(3).prefix(100)))
    } else if text.hasPrefix("_G"), let end = text.firstIndex(of: ";") {
      let keys = text[..<end].dropFirst(2).split(separator: ",")
      guard let id = keys.first(where: { $0.hasPrefix("i=") }).flatMap({ Int($0.dropFirst(2)) }) else { return nil }
      self = .graphics(id: id, message: String(text[text.index(after: end)...].prefix(100)))
    } else {
      return nil
    }
  }
}
