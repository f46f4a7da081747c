import Basics
public import FileStores

/// One item of a talk file: a remark, or a change of an earlier one.
///
///     - **ann** 2026-11-26 18:04Z k3f9q2xa @132.0,-8.5: That is the vice.
///
/// More lines of the text are indented by two spaces, as a list item of CommonMark goes on.
public struct TalkItem: Sendable, Hashable {
  public enum Aim: Sendable, Hashable {
    case whole
    /// In degrees: 0, 0 is the centre of the picture; right and up are positive.
    case direction(yaw: Double, pitch: Double)
    case words(String)
    case reply(to: String)
    case correction(of: String)
    case withdrawal(of: String)
    case agreement(with: String)
    case door(Door)
  }

  /// As the file claims.
  public let member: String
  /// To the minute.
  public let time: Timestamp
  /// Eight small letters and digits.
  public let id: String
  public let aim: Aim
  public let text: String

  public init(member: String, time: Timestamp, id: String, aim: Aim, text: String) {
    self.member = TalkItem.clean(member).isEmpty ? "someone" : TalkItem.clean(member)
    self.time = Timestamp(seconds: time.seconds - (time.seconds % 60 + 60) % 60)
    (self.id, self.aim, self.text) = (id, aim, text)
  }

  public static let idLength = 8
  private static let idLetters = Array("abcdefghijkmnopqrstuvwxyz023456789")

  public static func newID(using random: inout some RandomNumberGenerator) -> String {
    String((0..<idLength).map { _ in idLetters[Int.random(in: idLetters.indices, using: &random)] })
  }

  public static func newID() -> String {
    var random = SystemRandomNumberGenerator()
    return newID(using: &random)
  }

  /// The id of a remark that was typed in a draft: each time the same, so that a remark that is sent again is known.
  /// - Parameter number: 0, or more where other items have the ids before.
  public static func id(of draft: Draft.ID, number: Int) -> String {
    let digest = SHA256.digest(of: Array("\(draft) \(number)".utf8)).prefix(idLength)
    return String(digest.map { idLetters[Int($0) % idLetters.count] })
  }

  public static func isID(_ text: some StringProtocol) -> Bool {
    text.utf8.count == idLength && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// True for the same item at whatever time, as it stands in a file.
  public func isRepeated(by other: TalkItem) -> Bool {
    let again = TalkItem(member: other.member, time: time, id: other.id, aim: other.aim, text: other.text)
    return again.markdown == markdown
  }

  /// The remark that this item names.
  public var target: String? {
    switch aim {
    case .whole, .direction, .words, .door: nil
    case .reply(let id), .correction(let id), .withdrawal(let id), .agreement(let id): id
    }
  }

  // MARK: Writing

  /// With a line feed at its end.
  public var markdown: String {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let first = lines.first.map { $0.isEmpty ? ":" : ": \($0)" } ?? ""
    let rest = lines.dropFirst().map { $0.isEmpty ? "\n" : "\n  \($0)" }.joined()
    return
      "- **\(TalkItem.escaped(member, "*"))** \(TalkItem.written(time)) \(id)\(TalkItem.written(aim))\(first)\(rest)\n"
  }

  static func written(_ aim: Aim) -> String {
    switch aim {
    case .whole: ""
    case .direction(let yaw, let pitch): " @\(TalkItem.degrees(yaw)),\(TalkItem.degrees(pitch))"
    case .door(let door): " door \(door.link) @\(TalkItem.degrees(door.yaw)),\(TalkItem.degrees(door.pitch))"
    case .words(let words): " on \"\(TalkItem.escaped(TalkItem.clean(words), "\""))\""
    case .reply(let id): " re \(id)"
    case .correction(let id): " fix \(id)"
    case .withdrawal(let id): " gone \(id)"
    case .agreement(let id): " +1 \(id)"
    }
  }

  private static func written(_ time: Timestamp) -> String {
    let utc = CivilTime(secondsSince1970: Int(time.seconds)).utc
    return "\(utc.prefix(10)) \(utc.dropFirst(11).prefix(5))Z"
  }

  /// To a tenth.
  private static func degrees(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  static func escaped(_ text: String, _ mark: Character) -> String {
    String(text.flatMap { $0 == "\\" || $0 == mark ? ["\\", $0] : [$0] })
  }

  /// On one line, without characters that control a terminal.
  static func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isHostile ? " " : $0 }))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension TalkItem {
  /// The item of these lines; nil if they have another form.
  init?(lines: ArraySlice<Substring>) {
    guard var rest = lines.first, TalkItem.drop("- **", &rest), let member = TalkItem.take(upTo: "**", &rest),
      TalkItem.drop(" ", &rest), let time = TalkItem.time(&rest), TalkItem.drop(" ", &rest)
    else { return nil }
    let id = rest.prefix(TalkItem.idLength)
    rest = rest.dropFirst(TalkItem.idLength)
    guard !member.isEmpty, TalkItem.isID(id), let aim = TalkItem.aim(&rest), rest.isEmpty || TalkItem.drop(":", &rest)
    else { return nil }
    if rest.first == " " { rest.removeFirst() }
    let more = lines.dropFirst().map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0.drop { $0 == "\t" } }
    self.init(
      member: member, time: time, id: String(id), aim: aim, text: ([rest] + more).joined(separator: "\n"))
  }

  static func drop(_ start: String, _ rest: inout Substring) -> Bool {
    guard rest.hasPrefix(start) else { return false }
    rest = rest.dropFirst(start.count)
    return true
  }

  /// The text before an end mark, which goes, too. A backslash keeps the character after it.
  static func take(upTo mark: String, _ rest: inout Substring) -> String? {
    var text = ""
    while let first = rest.first {
      if rest.hasPrefix(mark) {
        rest = rest.dropFirst(mark.count)
        return text
      }
      rest.removeFirst()
      if first == "\\", let kept = rest.popFirst() { text.append(kept) } else { text.append(first) }
    }
    return nil
  }

  /// `2026-11-26 18:04Z`.
  private static func time(_ rest: inout Substring) -> Timestamp? {
    let form = rest.prefix(17)
    let parts = form.split { "- :Z".contains($0) }.map { Int($0) ?? -1 }
    guard form.utf8.count == 17, parts.count == 5, parts[0] >= 1970, (1...12).contains(parts[1]),
      (1...CivilDate.days(inMonth: parts[1], of: parts[0])).contains(parts[2]), (0..<24).contains(parts[3]),
      (0..<60).contains(parts[4])
    else { return nil }
    let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    let seconds = CivilTime(date, hour: parts[3], minute: parts[4], second: 0).secondsSince1970
    let time = Timestamp(seconds: Int64(seconds))
    guard written(time) == form else { return nil }
    rest = rest.dropFirst(17)
    return time
  }

  /// nil for a place that cannot be, such as a direction beyond the sphere.
  static func aim(_ rest: inout Substring) -> Aim? {
    if drop(" @", &rest) { return direction(&rest).map { .direction(yaw: $0.yaw, pitch: $0.pitch) } }
    if drop(" door ", &rest) {
      guard let (label, address) = Door.link(&rest), drop(" @", &rest), let (yaw, pitch) = direction(&rest) else {
        return nil
      }
      return Door(label: label, address: address, yaw: yaw, pitch: pitch).map { .door($0) }
    }
    if drop(" on \"", &rest) {
      guard let words = take(upTo: "\"", &rest), !words.isEmpty else { return nil }
      return .words(words)
    }
    let forms: [(String, (String) -> Aim)] = [
      (" re ", { .reply(to: $0) }), (" fix ", { .correction(of: $0) }), (" gone ", { .withdrawal(of: $0) }),
      (" +1 ", { .agreement(with: $0) }),
    ]
    for (start, make) in forms where drop(start, &rest) {
      let id = rest.prefix(idLength)
      guard isID(id) else { return nil }
      rest = rest.dropFirst(idLength)
      return make(String(id))
    }
    return .whole
  }

  /// `132.0,-8.5`, up to the colon; nil beyond the sphere.
  private static func direction(_ rest: inout Substring) -> (yaw: Double, pitch: Double)? {
    let numbers = rest.prefix { $0 != ":" }.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let yaw = numbers[0], let pitch = numbers[1], abs(yaw) <= 360, abs(pitch) <= 90 else {
      return nil
    }
    rest = rest.drop { $0 != ":" }
    return (yaw, pitch)
  }
}
