extension InputDecoder {
  enum ControlSequence: Equatable {
    case key(Key)
    case mouse(InputEvent.Mouse)
    case pasteBegins
    /// xterm's mode 1004.
    case focus(Bool)
    /// An old mouse report, which three bytes follow.
    case oldMouse
    case report(TerminalReport)
    case other
    /// No terminal sends it: Alt and `[`, followed by text.
    case typed

    var isKey: Bool { if case .key = self { true } else { false } }

    /// The bytes between `ESC [` and the final byte.
    init(_ parameters: ArraySlice<UInt8>, final: UInt8) {
      self = .other
      if parameters.first == 0x3C {
        if final == 0x4D || final == 0x6D {
          self = Self.mouse(Self.numbers(parameters.dropFirst()), isRelease: final == 0x6D)
        }
        return
      }
      if final == 0x4D, parameters.isEmpty {
        self = .oldMouse
        return
      }
      if parameters.isEmpty, final == 0x49 || final == 0x4F {
        self = .focus(final == 0x49)
        return
      }
      if let report = TerminalReport(parameters, final: final) {
        self = .report(report)
        return
      }
      // `?`, `>` and `=` begin answers to queries.
      guard parameters.allSatisfy({ $0 >= 0x30 && $0 <= 0x3B }) else { return }
      let numbers = Self.numbers(parameters)
      if final == 0x7E, numbers.first == 200 {
        self = .pasteBegins
      } else if let key = Self.key(numbers, final: final) {
        self = .key(key)
      } else if !Self.finals.contains(final) {
        self = .typed
      }
    }

    /// Of xterm's answers and of keys, supported or not.
    private static let finals = Set("@ABCDEFGHIMOPQRSTZ^acdmnqtuwxyz$~".utf8)

    /// An empty number is 0; kitty's alternates, after a colon, are ignored.
    static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
      parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
        var number = 0
        for byte in part {
          guard byte >= 0x30, byte <= 0x39 else { break }
          number = min(number * 10 + Int(byte - 0x30), 0x20_0000)
        }
        return number
      }
    }

    private static func mouse(_ numbers: [Int], isRelease: Bool) -> Self {
      guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return .other }
      let point = Point(numbers[1] - 1, numbers[2] - 1)
      // Bits 2 to 4 are shift, meta and control; bit 5 is motion; bit 6 is the wheel. Button 0 is the left one.
      switch numbers[0] & ~0b1_1100 {
      case 0: return .mouse(InputEvent.Mouse(isRelease ? .release : .press, at: point))
      case 32: return .mouse(InputEvent.Mouse(.drag, at: point))
      case 64: return isRelease ? .other : .mouse(InputEvent.Mouse(.wheelUp, at: point))
      case 65: return isRelease ? .other : .mouse(InputEvent.Mouse(.wheelDown, at: point))
      default: return .other
      }
    }

    private static func key(_ numbers: [Int], final: UInt8) -> Key? {
      let first = numbers.first ?? 0
      let modifiers = Key.Modifiers(xterm: numbers.count > 1 ? numbers[1] : 1)
      switch final {
      case 0x7E:  // ~
        if first == 27, numbers.count == 3 { return Key(codePoint: numbers[2], modifiers) }
        return Key(vt220: first).map { Key($0.code, modifiers) }
      case 0x5E: return Key(vt220: first).map { Key($0.code, .control) }  // ^ of rxvt
      case 0x24: return Key(vt220: first).map { Key($0.code, .shift) }  // $ of rxvt
      case 0x40: return Key(vt220: first).map { Key($0.code, [.control, .shift]) }  // @ of rxvt
      case 0x75: return numbers.isEmpty ? nil : Key(codePoint: first, modifiers)  // u
      case 0x5A: return Key(.backTab, modifiers.subtracting(.shift))
      case 0x61...0x64: return Key(arrow: final - 0x20).map { Key($0.code, .shift) }
      case 0x50...0x53:
        // `CSI row ; column R` is a cursor position report; F3 with modifiers has 1 as its first number.
        guard numbers.isEmpty || numbers.count == 1 && first <= 1 || numbers.count == 2 && first == 1 && numbers[1] > 1
        else { return nil }
        return Key(.function(Int(final) - 0x4F), modifiers)
      default:
        guard first <= 1, numbers.count <= 2 else { return nil }
        return Key(arrow: final).map { Key($0.code, modifiers) }
      }
    }
  }
}

/// Terminal strings (OSC, DCS, SOS, PM, APC) and unfinished sequences.
extension InputDecoder {
  /// Answers hold printable bytes and end with `ESC \`, or BEL for OSC. Any other control is a typed key, and so were
  /// the bytes before it.
  mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07 where held.first == 0x5D: endString()
    case 0..<0x20, 0x7F: giveBack(before: byte)
    case _ where held.count > Self.longestString: giveBack(before: byte)
    default: held.append(byte)
    }
  }

  /// `]11;`, `P>|`, `P1+r`, `_G`.
  var beginsAnswer: Bool {
    guard let introducer = held.first, held.count > 1 else { return false }
    let rest = held[1...]
    switch introducer {
    case 0x5D: return rest.first.map(Self.isDigit) == true
    case 0x50: return rest.first { !Self.isDigit($0) && $0 != 0x3B }.map("+$>!|".utf8.contains) ?? true
    case 0x5F: return rest.first == 0x47
    default: return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Treats an unfinished sequence as typed: an Alt key for its introducer, then the held bytes.
  mutating func giveBack() {
    let typed = held
    let isAlt = alt
    reset()
    // It was Escape, then an Alt key.
    if isAlt { emit(.escape) }
    guard let introducer = typed.first else { return }
    emit(Key(.character(Unicode.Scalar(introducer)), .alt))
    for byte in typed.dropFirst() { take(byte) }
  }

  mutating func giveBack(before byte: UInt8) {
    giveBack()
    take(byte)
  }
}

/// xterm's `ctlseqs`, X11's color names.
enum TerminalColor {
  /// 0xRRGGBB of an answer such as `]11;rgb:1e1e/2e2e/3434`; nil for other strings.
  static func background(in answer: ArraySlice<UInt8>) -> UInt32? {
    let introducer = Array("]11;rgb".utf8)
    guard answer.starts(with: introducer) else { return nil }
    var rest = answer.dropFirst(introducer.count)
    if rest.first == 0x61 { rest = rest.dropFirst() }  // rgba:
    guard rest.first == 0x3A else { return nil }
    let channels = rest.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false).prefix(4).map(channel)
    guard channels.count >= 3, let red = channels[0], let green = channels[1], let blue = channels[2] else {
      return nil
    }
    return red << 16 | green << 8 | blue
  }

  /// One to four hexadecimal digits, scaled to eight bits.
  private static func channel(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard (1...4).contains(digits.count), let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    return value * 255 / ((1 << UInt32(4 * digits.count)) - 1)
  }
}
