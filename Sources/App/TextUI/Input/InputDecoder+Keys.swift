extension Key {
  static func ofControl(_ byte: UInt8) -> Key {
    switch byte {
    case 0x00: Key(.character(" "), .control)
    case 0x08, 0x7F: Key(.backspace)
    case 0x09: Key(.tab)
    case 0x0D: Key(.enter)
    case 0x1B: Key(.escape)
    case 0x01...0x1A: Key(.character(Unicode.Scalar(byte + 0x60)), .control)
    default: Key(.character(Unicode.Scalar(byte & 0x1F + 0x40)), .control)
    }
  }

  /// The final byte is the same in both cursor modes.
  init?(arrow final: UInt8) {
    switch final {
    case 0x41: self.init(.up)
    case 0x42: self.init(.down)
    case 0x43: self.init(.right)
    case 0x44: self.init(.left)
    case 0x46: self.init(.end)
    case 0x48: self.init(.home)
    default: return nil
    }
  }

  /// `CSI number ~`.
  init?(vt220 number: Int) {
    switch number {
    case 1, 7: self.init(.home)
    case 2: self.init(.insert)
    case 3: self.init(.delete)
    case 4, 8: self.init(.end)
    case 5: self.init(.pageUp)
    case 6: self.init(.pageDown)
    case 11...15: self.init(.function(number - 10))
    case 17...21: self.init(.function(number - 11))
    case 23...26: self.init(.function(number - 12))
    case 28, 29: self.init(.function(number - 13))
    case 31...34: self.init(.function(number - 14))
    default: return nil
    }
  }

  /// `CSI code ; modifiers u`. nil for kitty's private codes.
  init?(codePoint: Int, _ modifiers: Modifiers) {
    guard let scalar = UInt32(exactly: codePoint).flatMap(Unicode.Scalar.init),
      !(0x80..<0xA0).contains(codePoint), !(0xE000..<0xF900).contains(codePoint)
    else { return nil }
    switch codePoint {
    case 9 where modifiers.contains(.shift): self.init(.backTab, modifiers.subtracting(.shift))
    case 8, 9, 13, 27, 127: self.init(Key.ofControl(UInt8(codePoint)).code, modifiers)
    case 0..<0x20: return nil
    case 0x41...0x5A where modifiers.contains(.control):
      self.init(.character(Unicode.Scalar(UInt8(codePoint) + 0x20)), modifiers)
    case _ where modifiers.isDisjoint(with: [.control, .alt]): self.init(.character(scalar))
    default: self.init(.character(scalar), modifiers)
    }
  }

  /// `ESC O byte`: arrows in application mode, F1 to F4, the keypad.
  init?(singleShift byte: UInt8, modifiers: Modifiers) {
    if let arrow = Key(arrow: byte) {
      self.init(arrow.code, modifiers)
      return
    }
    switch byte {
    case 0x20: self.init(.character(" "), modifiers)
    case 0x49: self.init(.tab, modifiers)
    case 0x4D: self.init(.enter, modifiers)
    case 0x50...0x53: self.init(.function(Int(byte) - 0x4F), modifiers)
    case 0x58: self.init(.character("="), modifiers)
    case 0x61...0x64:
      guard let arrow = Key(arrow: byte - 0x20) else { return nil }
      self.init(arrow.code, .control)
    case 0x6A...0x79: self.init(.character(Unicode.Scalar(byte - 0x40)), modifiers)
    default: return nil
    }
  }
}

extension Key.Modifiers {
  /// xterm's number: 1 plus the sum of 1 shift, 2 alt, 4 control, 8 meta.
  init(xterm number: Int) {
    let bits = max(0, number - 1)
    self = []
    if bits & 1 != 0 { insert(.shift) }
    if bits & 0b1010 != 0 { insert(.alt) }
    if bits & 4 != 0 { insert(.control) }
  }

  /// The last digit is xterm's number: no terminal sends `ESC O 1 ; 5 P`.
  init(digits: ArraySlice<UInt8>) {
    self.init(xterm: digits.last.map { Int($0) - 0x30 } ?? 1)
  }
}
