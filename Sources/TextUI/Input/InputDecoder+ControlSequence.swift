extension InputDecoder {
  /// What a whole control sequence means.
  enum ControlSequence: Equatable {
    case key(Key)
    case mouse(InputEvent.Mouse)
    case pasteBegins
    /// The window is looked at, or no longer (xterm's mode 1004).
    case focus(Bool)
    /// A mouse report of the kind that has three bytes after it.
    case oldMouse
    /// An answer of the terminal, or a key that nothing here has.
    case other
    /// Nothing that a terminal sends: Alt and `[`, and then text.
    case typed

    /// Reads what stood between `ESC [` and the final byte.
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
      // `?`, `>` and `=` begin answers to questions.
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

    /// The final bytes of xterm's answers and of keys, known here or not.
    private static let finals = Set("@ABCDEFGHIMOPQRSTZ^acdmnqtuwxyz$~".utf8)

    /// The numbers between semicolons; what a colon introduces (kitty's alternates) is left out, nothing counts as 0.
    private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
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
      // Bits 2 to 4 are shift, meta and control; bit 5 is motion; bit 6 the wheel. Button 0 is the left one.
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
        // `CSI row ; column R` is where the cursor is; F3 with modifiers has 1 as its first number.
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
