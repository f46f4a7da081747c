import CScrypt
import FileStores
import Synchronization

/// The hash for secrets that a person types (scrypt, RFC 7914): slow, and in need of memory, so that whoever has the
/// server's data cannot try many.
enum Scrypt {
  /// How much work a hash is.
  struct Cost {
    let n: UInt64
    let r: UInt32
    let p: UInt32

    /// One of the settings that the OWASP Password Storage Cheat Sheet holds equally strong, with `r` as RFC 7914,
    /// section 2, has it: 16 MiB and five passes. The one with most memory (128 MiB) would be a burden for the small
    /// machines that clubs are served from.
    static let usual = Cost(n: 1 << 14, r: 8, p: 5)
  }

  static let saltBytes = 16
  private static let hashBytes = 32
  private static let turn = Mutex(())

  /// A hash with a salt of its own, which it begins with.
  static func digest(of text: String) throws(StoreError) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return salt + (try hash(Array(text.utf8), salt: salt, .usual, count: hashBytes))
  }

  /// Whether a digest was made of this text. Blocks for a good part of a second; one such question is answered at a
  /// time, so that many together take no more memory than one.
  static func isDigest(_ digest: [UInt8], of text: String) throws(StoreError) -> Bool {
    guard digest.count == saltBytes + hashBytes else { return false }
    let salt = Array(digest.prefix(saltBytes))
    let right = try hash(Array(text.utf8), salt: salt, .usual, count: hashBytes)
    return ConstantTime.areEqual(Array(digest.dropFirst(saltBytes)), right)
  }

  /// The hash itself.
  static func hash(_ password: [UInt8], salt: [UInt8], _ cost: Cost, count: Int) throws(StoreError) -> [UInt8] {
    var isDone = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      turn.withLock { _ in
        isDone =
          cs_scrypt(
            password, password.count, salt, salt.count, cost.n, cost.r, cost.p, buffer.baseAddress, count) == 1
      }
      filled = isDone ? count : 0
    }
    guard isDone else { throw StoreError(.server, "The server has too little memory to check a code word.") }
    return bytes
  }
}
