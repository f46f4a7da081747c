/// Bytes as text (RFC 4648, sections 4 and 5).
public enum Base64 {
  public enum Variant: Sendable {
    /// With `+` and `/`, padded with `=`.
    case standard
    /// With `-` and `_`, without padding: for addresses and file names.
    case url
  }

  public static func text(of bytes: some Collection<UInt8>, _ variant: Variant = .standard) -> String {
    String(decoding: encoded(bytes, variant), as: UTF8.self)
  }

  public static func encoded(_ bytes: some Collection<UInt8>, _ variant: Variant = .standard) -> [UInt8] {
    // Not generic from here on: pictures for a terminal are megabytes.
    bytes.withContiguousStorageIfAvailable { encoded($0, variant) }
      ?? Array(bytes).withUnsafeBufferPointer { encoded($0, variant) }
  }

  private static func encoded(_ bytes: UnsafeBufferPointer<UInt8>, _ variant: Variant) -> [UInt8] {
    let letters = variant == .url ? urlLetters : standardLetters
    let (whole, rest) = (bytes.count / 3, bytes.count % 3)
    let padded = variant == .standard && rest > 0 ? 4 : rest > 0 ? rest + 1 : 0
    return Array(unsafeUninitializedCapacity: 4 * whole + padded) { target, count in
      letters.withUnsafeBufferPointer { letters in
        var to = 0
        func put(_ bits: UInt32, _ letterCount: Int) {
          for place in 0..<letterCount {
            target.initializeElement(at: to, to: letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
            to += 1
          }
        }
        for at in stride(from: 0, to: 3 * whole, by: 3) {
          put(UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]), 4)
        }
        if rest > 0 {
          put(UInt32(bytes[3 * whole]) << 16 | (rest > 1 ? UInt32(bytes[3 * whole + 1]) << 8 : 0), rest + 1)
        }
        while to < 4 * whole + padded {
          target.initializeElement(at: to, to: UInt8(ascii: "="))
          to += 1
        }
        count = to
      }
    }
  }

  /// nil if the text is not base64 of this variant. Padding may be left out.
  public static func bytes(of text: some StringProtocol, _ variant: Variant = .standard) -> [UInt8]? {
    let values = variant == .url ? urlValues : standardValues
    var letters = Array(text.utf8)[...]
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    if letters.count % 4 == 1 { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3 + 2)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for letter in letters {
      let value = values[Int(letter)]
      guard value < 64 else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }

  private static let common = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardLetters = common + Array("+/".utf8)
  private static let urlLetters = common + Array("-_".utf8)
  private static let standardValues = values(of: standardLetters)
  private static let urlValues = values(of: urlLetters)

  private static func values(of letters: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: .max, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }
}
