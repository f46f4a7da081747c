/// Turns the bytes of a terminal into events. Pure: no clock, no I/O.
/// Input may be split anywhere. Complete sequences that only terminals send are dropped, so late answers never become
/// keys; unfinished sequences become typed input, and no typed byte is lost.
///
/// - Sequences follow ECMA-48. Keys are those of xterm (`ctlseqs`), rxvt, the Linux console and VT220, with arrows in
///   both cursor modes, and `CSI … u` of kitty and xterm.
/// - The return key is `enter`; a line feed is Ctrl-J. DEL and BS are both `backspace`.
/// - ESC followed by a key is that key with Alt.
public struct InputDecoder: Sendable {
  /// A longer paste becomes several events, cut between characters.
  public static let longestPaste = 16 << 20

  /// A longer terminal string becomes input again.
  public static let longestString = 64 << 10

  /// Longer numbers of a control sequence were typed.
  private static let longestNumbers = 64

  enum State {
    case ground
    /// `missing` bytes of the character are still to come.
    case character(missing: Int)
    case escape
    case controlSequence
    /// After `ESC [ [`: a function key of the Linux console.
    case consoleFunction
    case singleShift
    /// Inside OSC, DCS, SOS, PM or APC, which end with ESC \; OSC may also end with BEL.
    case string
    case stringEscape
    case swallow(Int)
    /// The matched bytes of the end mark.
    case paste(matched: Int)
  }

  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  var state = State.ground
  var alt = false
  private var escapes = 0
  private var value: UInt32 = 0
  private var least: UInt32 = 0
  private var parameters: [UInt8] = []
  /// The bytes after the ESC of an unfinished sequence.
  var held: [UInt8] = []
  private var pasted: [UInt8] = []
  private var pastedReturn = false
  private var events: [InputEvent] = []

  public init() {
    parameters.reserveCapacity(64)
  }

  /// The milliseconds of silence before `flush`; nil if no input is undecided. Undecided input may be a key, typed text
  /// or the start of a longer sequence.
  public var patience: Int? {
    switch state {
    case .escape: 25
    case .singleShift, .consoleFunction: held.count > 1 ? 1000 : 25
    case .controlSequence: parameters.isEmpty ? 25 : 1000
    // A slow line may cut an answer anywhere; no member types the start of an answer within milliseconds.
    case .string, .stringEscape: beginsAnswer ? 1000 : 50
    case .swallow: 1000
    default: nil
    }
  }

  public var isPasting: Bool { if case .paste = state { true } else { false } }

  /// The events that the bytes complete, in order.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] { decode(Array(bytes)[...]) }

  /// Not generic: a terminal calls it for each key.
  public mutating func decode(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
    for byte in bytes { take(byte) }
    defer { events.removeAll() }
    return events
  }

  /// Decides undecided input after a silence: ESC was the Escape key, `ESC [` and `ESC _` were Alt keys, and the bytes
  /// after them were typed.
  public mutating func flush() -> [InputEvent] {
    switch state {
    case .escape:
      for _ in 0..<escapes { emit(.escape) }
      reset()
    case .stringEscape:
      giveBack()
      emit(.escape)
    case .controlSequence, .consoleFunction, .singleShift, .string, .swallow: giveBack()
    default: return []
    }
    defer { events.removeAll() }
    return events
  }

  mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .character(let missing): takeContinuation(byte, missing: missing)
    case .escape: takeEscape(byte)
    case .controlSequence: takeControlSequence(byte)
    case .consoleFunction:
      guard byte >= 0x41, byte <= 0x45 else { return giveBack(before: byte) }
      reset()
      emit(.function(Int(byte) - 0x40))
    case .singleShift: takeSingleShift(byte)
    case .string: takeString(byte)
    case .stringEscape:
      if byte == 0x5C { return endString() }
      giveBack()
      beginEscape()
      takeEscape(byte)
    case .swallow(let count):
      held.append(byte)
      if count > 1 { state = .swallow(count - 1) } else { reset() }
    case .paste(let matched): takePasted(byte, matched: matched)
    }
  }

  mutating func reset() {
    state = .ground
    alt = false
    escapes = 0
    if !held.isEmpty { held.removeAll(keepingCapacity: held.count <= 64) }
  }

  mutating func emit(_ code: Key.Code) { emit(Key(code, alt ? .alt : [])) }

  mutating func emit(_ key: Key) { events.append(.key(key)) }

  /// Reports the colour of the background and the answers about pictures, drops others.
  mutating func endString() {
    let background = TerminalColor.background(in: held[...])
    let report = TerminalReport(string: held[...])
    reset()
    if let background { events.append(.background(background)) }
    if let report { events.append(.report(report)) }
  }

  private mutating func takeGround(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    case 0x20..<0x7F:
      emit(.character(Unicode.Scalar(byte)))
      reset()
    case 0..<0x20, 0x7F:
      var key = Key.ofControl(byte)
      if alt { key.modifiers.insert(.alt) }
      emit(key)
      reset()
    case 0xC2..<0xF5:
      let missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
      value = UInt32(byte) & (0x3F >> UInt32(missing))
      least = missing == 1 ? 0x80 : missing == 2 ? 0x800 : 0x10000
      state = .character(missing: missing)
    default: reset()
    }
  }

  private mutating func takeContinuation(_ byte: UInt8, missing: Int) {
    guard byte & 0xC0 == 0x80 else {
      reset()
      return takeGround(byte)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    if missing > 1 {
      state = .character(missing: missing - 1)
      return
    }
    // C1 controls are not text.
    if value >= least, value >= 0xA0, let scalar = Unicode.Scalar(value) { emit(.character(scalar)) }
    reset()
  }

  mutating func beginEscape() {
    state = .escape
    alt = false
    escapes = 1
    parameters.removeAll(keepingCapacity: true)
    held.removeAll(keepingCapacity: true)
  }

  private mutating func takeEscape(_ byte: UInt8) {
    // ESC ESC [ A is Alt and an arrow in rxvt; ESC ESC x is Escape, then Alt and x.
    let introduces = byte == 0x5B || byte == 0x4F
    if byte == 0x1B {
      if escapes == 2 { emit(.escape) } else { escapes = 2 }
      return
    }
    if escapes == 2, !introduces { emit(.escape) }
    alt = escapes == 2 && introduces
    held.append(byte)
    switch byte {
    case 0x5B: state = .controlSequence
    case 0x4F: state = .singleShift
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string
    default:
      reset()
      alt = true
      takeGround(byte)
    }
  }

  private mutating func takeControlSequence(_ byte: UInt8) {
    switch byte {
    case 0x5B where parameters.isEmpty:
      held.append(byte)
      state = .consoleFunction
    case 0x24 where parameters.first != 0x3F: endControlSequence(byte)
    case 0x20...0x3F where parameters.count < Self.longestNumbers:
      held.append(byte)
      parameters.append(byte)
    case 0x40...0x7E: endControlSequence(byte)
    default: giveBack(before: byte)
    }
  }

  private mutating func endControlSequence(_ final: UInt8) {
    let isAlt = alt
    // Arrows repeat while the key is held down.
    if parameters.isEmpty, !isAlt, let key = Key(arrow: final) {
      reset()
      return emit(key)
    }
    let sequence = ControlSequence(parameters[...], final: final)
    if sequence == .typed { return giveBack(before: final) }
    reset()
    // A terminal sends an Alt key in this form, but never an answer: that Escape was a key.
    if isAlt, !sequence.isKey { emit(.escape) }
    switch sequence {
    case .key(var key):
      if isAlt { key.modifiers.insert(.alt) }
      emit(key)
    case .mouse(let mouse): events.append(.mouse(mouse))
    case .focus(let isFocused): events.append(.focus(isFocused))
    case .report(let report): events.append(.report(report))
    case .pasteBegins:
      state = .paste(matched: 0)
      pastedReturn = false
    case .oldMouse:
      held = [0x5B, 0x4D]
      state = .swallow(3)
    case .other, .typed: break
    }
  }

  private mutating func takeSingleShift(_ byte: UInt8) {
    if byte >= 0x30, byte <= 0x39, parameters.count < 3 {
      held.append(byte)
      return parameters.append(byte)
    }
    guard byte >= 0x20, var key = Key(singleShift: byte, modifiers: Key.Modifiers(digits: parameters[...])) else {
      return giveBack(before: byte)
    }
    if alt { key.modifiers.insert(.alt) }
    reset()
    emit(key)
  }

  private mutating func takePasted(_ byte: UInt8, matched: Int) {
    if byte == Self.pasteEnd[matched] {
      if matched + 1 < Self.pasteEnd.count {
        state = .paste(matched: matched + 1)
        return
      }
      endPaste()
      return reset()
    }
    for place in 0..<matched { append(Self.pasteEnd[place]) }
    state = .paste(matched: 0)
    // The mark's only ESC is its first byte, so only an ESC begins another match.
    if byte == 0x1B { state = .paste(matched: 1) } else { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    defer { pastedReturn = byte == 0x0D }
    if byte == 0x0A, pastedReturn { return }
    if pasted.count >= Self.longestPaste, byte & 0xC0 != 0x80 { endPaste() }
    pasted.append(byte == 0x0D ? 0x0A : byte)
  }

  private mutating func endPaste() {
    if !pasted.isEmpty { events.append(.paste(pasted)) }
    pasted = []
  }
}
