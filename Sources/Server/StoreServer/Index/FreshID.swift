import Basics
import POSIX

enum FreshID {
  private static let digits = Array("0123456789abcdef".utf8)

  /// `count` characters of base64url, six bits each.
  static func word(_ count: Int) -> String {
    String(Base64.text(of: random((count * 3 + 3) / 4), .url).prefix(count))
  }

  /// 128 bits, as 22 characters of base64url.
  static func code() -> String { Base64.text(of: random(16), .url) }

  /// `id:` and 22 characters, as in the official service.
  static func file() -> String { "id:" + word(22) }

  static func hexadecimal(_ count: Int) -> String {
    String(decoding: random(count).map { digits[Int($0 & 15)] }, as: UTF8.self)
  }

  /// At most 256 bytes in one system call; the standard generator makes one call for each number.
  private static func random(_ count: Int) -> [UInt8] {
    precondition(count <= 256)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let isFilled = getentropy(buffer.baseAddress, count) == 0
      // Without random numbers the server must not run: a guessable token is worse than a crash.
      precondition(isFilled, "The system has no random numbers.")
      filled = count
    }
  }
}
