import Glibc

/// Words that nobody can guess, from the system's random numbers.
enum FreshID {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let digits = Array("0123456789abcdef".utf8)

  /// `count` characters of base64url's alphabet, six bits each.
  static func word(_ count: Int) -> String {
    String(decoding: random(count).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
  }

  /// An id for a file or folder: `id:` and 22 characters, as the official service has them.
  static func file() -> String { "id:" + word(22) }

  /// `count` hexadecimal digits.
  static func hexadecimal(_ count: Int) -> String {
    String(decoding: random(count).map { digits[Int($0 & 15)] }, as: UTF8.self)
  }

  /// At most 256 random bytes, from the kernel in one call; the system's generator would make one for each number.
  private static func random(_ count: Int) -> [UInt8] {
    precondition(count <= 256)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let isFilled = getentropy(buffer.baseAddress, count) == 0
      // A kernel without random numbers cannot run this server: a word that can be guessed is worse than an end.
      precondition(isFilled, "The system has no random numbers.")
      filled = count
    }
  }
}
