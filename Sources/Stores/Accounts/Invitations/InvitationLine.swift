public import Backends
import Basics
public import FileStores

/// The line that lets a member or a device in: `https://HOST[:PORT]/join#CODE[.PIN]`. The code stands behind `#`, which
/// a browser sends to nobody.
///
/// A chat program may have wrapped the line, put it in brackets or quotes, escaped its `#`, or set a full stop behind it.
/// Words before and after it are left out.
public struct InvitationLine: Sendable, Hashable {
  private static let mostBytes = 16_384
  /// 128 bits in base64url.
  private static let codeLength = 22
  /// 256 bits in base64url.
  private static let pinLength = 43
  /// A program that wraps a line breaks it every 20 characters at most; words of a sentence are shorter.
  private static let mostBreaksInPin = 2

  public let origin: HTTPOrigin
  public let pin: KeyPin?
  let code: String

  /// - Parameter allowingPlain: the config allows unencrypted servers anywhere.
  /// - Throws: `badInput` for a line that is cut or changed, for any other text, and for an unencrypted server on another
  ///   machine. No error contains the code.
  public init(_ text: String, allowingPlain: Bool = false) throws(StoreError) {
    guard text.utf8.count <= InvitationLine.mostBytes else { throw InvitationLine.isOther }
    let letters = InvitationLine.letters(text.replacing("/join%23", with: "/join#"))
    guard let start = InvitationLine.start(letters) else { throw InvitationLine.isOther }
    var rest = letters[start...]
    let scheme = rest.prefix { $0.value != "/" }.count + 2
    let authority = rest.dropFirst(scheme).prefix { !"/?#".unicodeScalars.contains($0.value) }
    let address = InvitationLine.text(rest.prefix(scheme) + authority)
    rest = rest.dropFirst(scheme + authority.count)
    guard let origin = HTTPOrigin(address) else { throw InvitationLine.isOther }
    let path = rest.prefix { !"?#".unicodeScalars.contains($0.value) }
    guard rest.dropFirst(path.count).first?.value == "#" else {
      let isBegun = path.count == rest.count && "/join".hasPrefix(InvitationLine.text(path))
      throw isBegun ? InvitationLine.isCut : InvitationLine.isOther
    }
    guard ["/join", "/join/"].contains(InvitationLine.text(path)) else { throw InvitationLine.isOther }
    guard origin.isEncrypted || origin.isLoopback || allowingPlain else {
      throw StoreError(
        .badInput, "The invitation is for \(origin), which is not encrypted: anyone on the way could read the club.",
        remedy: "Ask for a line that begins with https://, or set \"network.allowPlainHTTP\" to \"anywhere\" in the "
          + "config if you trust the network.")
    }
    rest = rest.dropFirst(path.count + 1)
    code = InvitationLine.text(rest.prefix(InvitationLine.codeLength).prefix { $0.isCode })
    guard code.utf8.count == InvitationLine.codeLength else { throw InvitationLine.isCut }
    rest = rest.dropFirst(InvitationLine.codeLength)
    self.origin = origin
    pin = try InvitationLine.pin(&rest)
    if let next = rest.first, next.isCode, !next.isAfterBreak { throw InvitationLine.isLonger }
  }

  /// Takes the pin from the beginning of the rest; nil without one.
  private static func pin(_ rest: inout ArraySlice<Letter>) throws(StoreError) -> KeyPin? {
    guard rest.first?.value == "." else { return nil }
    let pin = rest.dropFirst().prefix(pinLength).prefix { $0.isCode }
    // A full stop, perhaps with the next sentence behind it.
    guard let first = pin.first else { return nil }
    let breaks = pin.count { $0.isAfterBreak }
    if pin.count == pinLength, breaks <= mostBreaksInPin, let known = KeyPin(base64url: text(pin)) {
      rest = rest.dropFirst(1 + pinLength)
      return known
    }
    guard first.isAfterBreak else { throw isCut }
    return nil
  }
}

extension InvitationLine {
  /// A character of the line, without the blanks and line breaks before it.
  private struct Letter {
    let value: Unicode.Scalar
    let isAfterBreak: Bool

    /// A letter of base64url.
    var isCode: Bool {
      switch value {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
      default: false
      }
    }
  }

  /// Without blanks, line breaks, and invisible characters, such as soft hyphens and marks of the direction.
  private static func letters(_ text: String) -> [Letter] {
    var letters: [Letter] = []
    var isAfterBreak = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        isAfterBreak = true
      } else if ![.control, .format].contains(scalar.properties.generalCategory) {
        letters.append(Letter(value: scalar, isAfterBreak: isAfterBreak))
        isAfterBreak = false
      }
    }
    return letters
  }

  /// The place of the first `https://` or `http://`, whose first letter a phone may have made a capital.
  private static func start(_ letters: [Letter]) -> Int? {
    letters.indices.first { place in
      let beginning = text(letters[place...].prefix(8)).lowercased()
      return beginning == "https://" || beginning.hasPrefix("http://")
    }
  }

  private static func text(_ letters: some Sequence<Letter>) -> String {
    var text = ""
    for letter in letters { text.unicodeScalars.append(letter.value) }
    return text
  }

  private static let isCut = StoreError(
    .badInput, "The invitation is not whole: its end is missing.",
    remedy: "Copy the whole line, from https:// to its last letter, or ask for it again.")

  private static let isLonger = StoreError(
    .badInput, "The invitation has more letters at its end than byteclub serve writes.",
    remedy: "Copy the line alone, or ask for it again.")

  private static let isOther = StoreError(
    .badInput, "This is not an invitation.",
    remedy: "An invitation is one line, such as https://club.example/join#CODE. Ask the club's owner for one: byteclub "
      + "serve invite NAME")
}

extension InvitationLine: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Contains no secret.
  public var description: String { "an invitation of \(origin)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// A name for files about this line, from which it cannot be found out.
  public var fingerprint: String { String(SHA256.hexadecimal(of: "join\n\(origin)\n\(code)".utf8).prefix(32)) }

  /// The whole line, for the member alone.
  public static func text(origin: String, code: String, pin: KeyPin?) -> String {
    "\(origin)/join#\(code)" + (pin.map { ".\($0.base64url)" } ?? "")
  }
}
