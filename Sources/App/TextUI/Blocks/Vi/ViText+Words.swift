/// Words. A word has letters, digits and `_`, or other characters that are no blanks; a big word has any of them.
/// The functions follow Vim's, so that ends of lines and of the text count as they do there.
extension ViText {
  /// 0 for blanks and ends of lines; characters of one kind make a word.
  mutating func kind(_ place: Int, isBig: Bool) -> Int {
    let scalar = scalar(place)
    if scalar == 0 || scalar == 0x20 || scalar == 0x09 || scalar == 0xA0 || scalar == 0x3000 { return 0 }
    if isBig { return 1 }
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0xB5, 0xC0...0xFF: return 2
    case ..<0x100: return 1
    case 0x2000...0x206F, 0x20A0...0x2BFF, 0x3001...0x3020, 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFFFD: return 1
    case 0x3040...0x309F: return 0x3040
    case 0x30A0...0x30FF: return 0x30A0
    case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return 0x4E00
    case 0xAC00...0xD7A3: return 0xAC00
    case 0x1F000...0x1FAFF: return 3
    default: return 2
    }
  }

  /// The end of the last line.
  private mutating func isTextEnd(_ place: Int) -> Bool {
    isLineEnd(place) && place + (place < count && byte(place) == 0x0D ? 2 : 1) >= count
  }

  /// To the next word. With `staysInLine` the last one ends at the end of its line. False at the end of the text.
  mutating func wordForward(_ place: inout Int, _ count: Int, isBig: Bool, staysInLine: Bool) -> Bool {
    let limit = place + Self.reach
    for left in (0..<count).reversed() {
      let isLast = left == 0 && staysInLine
      let kind = kind(place, isBig: isBig)
      var step = step(forward: &place)
      if step == .none || step == .toLineEnd && isTextEnd(place) { return false }
      if step != .within, isLast { return true }
      if kind != 0 {
        while self.kind(place, isBig: isBig) == kind, place < limit {
          step = self.step(forward: &place)
          if step == .none || step != .within && isLast { return true }
        }
      }
      while self.kind(place, isBig: isBig) == 0, place < limit, !isEmptyLine(place) {
        step = self.step(forward: &place)
        if step == .none || step == .toLineEnd && isTextEnd(place) { return true }
      }
    }
    return true
  }

  /// To the end of a word. With `staysInWord` the end of the present word counts, `stopsAtEmptyLine` that of an empty
  /// line. False at the end of the text.
  mutating func wordEnd(
    _ place: inout Int, _ count: Int, isBig: Bool, staysInWord: Bool = false, stopsAtEmptyLine: Bool = false
  ) -> Bool {
    let limit = place + Self.reach
    var stays = staysInWord
    for _ in 0..<count {
      defer { stays = false }
      let kind = kind(place, isBig: isBig)
      if step(forward: &place) == .none { return false }
      if kind != 0, self.kind(place, isBig: isBig) == kind {
        guard skipWord(kind, &place, isBig: isBig, limit) else { return false }
      } else if !stays || kind == 0 {
        var isEmpty = false
        while self.kind(place, isBig: isBig) == 0, place < limit {
          if stopsAtEmptyLine, isEmptyLine(place) {
            isEmpty = true
            break
          }
          if step(forward: &place) == .none { return false }
        }
        if isEmpty { continue }
        guard skipWord(self.kind(place, isBig: isBig), &place, isBig: isBig, limit) else { return false }
      }
      _ = step(backward: &place)
    }
    return true
  }

  private mutating func skipWord(_ kind: Int, _ place: inout Int, isBig: Bool, _ limit: Int) -> Bool {
    while self.kind(place, isBig: isBig) == kind, place < limit {
      if step(forward: &place) == .none { return false }
    }
    return true
  }

  /// False at the beginning of the text.
  mutating func wordBack(_ place: inout Int, _ count: Int, isBig: Bool) -> Bool {
    let limit = place - Self.reach
    for _ in 0..<count {
      if step(backward: &place) == .none { return false }
      var isEmpty = false
      while kind(place, isBig: isBig) == 0, place > limit {
        isEmpty = isEmptyLine(place)
        if isEmpty { break }
        if step(backward: &place) == .none { return true }
      }
      if isEmpty { continue }
      let kind = kind(place, isBig: isBig)
      while self.kind(place, isBig: isBig) == kind, place > limit {
        if step(backward: &place) == .none { return true }
      }
      _ = step(forward: &place)
    }
    return true
  }

  /// To the end of the word before. False at the beginning of the text.
  mutating func wordEndBack(_ place: inout Int, _ count: Int, isBig: Bool) -> Bool {
    let limit = place - Self.reach
    for _ in 0..<count {
      let kind = kind(place, isBig: isBig)
      if step(backward: &place) == .none { return false }
      if kind != 0 {
        while self.kind(place, isBig: isBig) == kind, place > limit {
          if step(backward: &place) == .none { return true }
        }
      }
      while self.kind(place, isBig: isBig) == 0, place > limit, !isEmptyLine(place) {
        if step(backward: &place) == .none { return true }
      }
    }
    return true
  }
}
