/// Words that nobody can guess, from the system's random numbers.
enum FreshID {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// `count` characters of base64url's alphabet, six bits each.
  static func word(_ count: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<64, using: &random)] }, as: UTF8.self)
  }

  /// An id for a file or folder: `id:` and 22 characters, as the official service has them.
  static func file() -> String { "id:" + word(22) }
}

extension FreshID {
  /// `count` hexadecimal digits.
  static func hexadecimal(_ count: Int) -> String {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: (0..<count).map { _ in digits[Int.random(in: 0..<16, using: &random)] }, as: UTF8.self)
  }
}
