import Basics
import FileStores

/// The line that fills in a friend's form: `byteclub:KIND?KEY=VALUE&…&check=…`, percent-encoded. It has no secret. The
/// check at its end shows that nothing of it is missing, and where it ends.
///
/// A chat program may have wrapped the line, put it in brackets or quotes, or set a full stop behind it. Words before and
/// after it are left out.
struct PlaceLine: Sendable {
  static let mostBytes = 2048
  private static let mostTextBytes = 16_384
  private static let scheme = Array("byteclub:".unicodeScalars)
  private static let end = "&check="
  private static let checkLength = 8

  let kind: String
  private(set) var values: [(key: String, value: String)] = []

  /// nil for a text without such a line.
  /// - Throws: `badInput` for a line that was cut or changed, or that has what no such line has.
  init?(_ text: String) throws(StoreError) {
    guard text.utf8.count <= PlaceLine.mostTextBytes else { return nil }
    let letters = text.unicodeScalars.filter {
      !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
    }.map { $0 }
    guard let (kind, rest) = PlaceLine.start(letters) else { return nil }
    self.kind = kind
    let line = String(String.UnicodeScalarView(rest.prefix { $0.isASCII && PlaceLine.isPart(UInt8($0.value)) }))
    guard let cut = line.firstRange(of: PlaceLine.end) else { throw PlaceLine.isNotWhole }
    let query = String(line[..<cut.lowerBound])
    guard query.utf8.count <= PlaceLine.mostBytes else { throw PlaceLine.wrong("is longer than byteclub writes it") }
    guard line[cut.upperBound...].hasPrefix(PlaceLine.check(kind, query)) else { throw PlaceLine.isNotWhole }
    for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, 1...64 ~= parts[0].utf8.count, parts[0].utf8.allSatisfy(PlaceLine.isWord) else {
        throw PlaceLine.wrong("has a setting without a name or a value")
      }
      guard let value = PercentEncoding.decoded(parts[1], plusIsSpace: false),
        !value.unicodeScalars.contains(where: PlaceLine.isHidden)
      else { throw PlaceLine.wrong("has a value that cannot be read") }
      let key = String(parts[0])
      guard !values.contains(where: { $0.key == key }) else { throw PlaceLine.wrong("has \"\(key)\" twice") }
      values.append((key, value))
    }
  }

  static func text(_ kind: String, _ values: [(key: String, value: String)]) -> String {
    let query = values.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    return "byteclub:\(kind)?\(query)\(end)\(check(kind, query))"
  }

  /// The kind, and what follows its question mark. A phone may have made the first letter a capital.
  private static func start(_ letters: [Unicode.Scalar]) -> (String, ArraySlice<Unicode.Scalar>)? {
    for place in letters.indices {
      let word = letters[place...].prefix(scheme.count)
      guard word.count == scheme.count, zip(word, scheme).allSatisfy({ $0.properties.lowercaseMapping == String($1) })
      else { continue }
      let rest = letters[(place + scheme.count)...]
      let kind = rest.prefix { $0.isASCII && ($0 == "-" || isWord(UInt8($0.value))) }
      let after = rest.dropFirst(kind.count)
      if 1...32 ~= kind.count, after.first == "?" {
        return (String(String.UnicodeScalarView(kind)).lowercased(), after.dropFirst())
      }
    }
    return nil
  }

  /// But for the joiners of some scripts and of emoji.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format].contains(scalar.properties.generalCategory) && !(0x200C...0x200D ~= scalar.value)
  }

  private static func check(_ kind: String, _ query: String) -> String {
    String(SHA256.hexadecimal(of: "\(kind)?\(query)".utf8).prefix(checkLength))
  }

  /// A letter or a digit.
  private static func isWord(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20
  }

  private static func isPart(_ byte: UInt8) -> Bool { isWord(byte) || "-._~%&=".utf8.contains(byte) }

  private static let isNotWhole = StoreError(
    .badInput, "The line of the club's place is not whole: something of it is missing or changed.",
    remedy: "Copy the whole line, from byteclub: to its last letter, or ask for it again.")

  static func wrong(_ how: String) -> StoreError {
    StoreError(
      .badInput, "The line of the club's place \(how).",
      remedy: "Ask your friend for a new one: byteclub club invite. Or add the club yourself: byteclub club add")
  }
}
