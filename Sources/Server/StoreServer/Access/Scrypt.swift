import CScrypt
import FileStores
import Synchronization

/// Scrypt (RFC 7914), for secrets that a person types: slow and memory-hard, against guesses from stolen data.
enum Scrypt {
  struct Cost {
    let n: UInt64
    let r: UInt32
    let p: UInt32

    /// From the OWASP Password Storage Cheat Sheet, with `r` of RFC 7914, section 2: 16 MiB and five passes. Equally
    /// strong settings use up to 128 MiB, too much for small machines.
    static let usual = Cost(n: 1 << 14, r: 8, p: 5)
  }

  static let saltBytes = 16
  private static let hashBytes = 32
  private static let turn = Mutex(())

  /// A fresh salt followed by the hash.
  static func digest(of text: String) throws(StoreError) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return salt + (try hash(Array(text.utf8), salt: salt, .usual, count: hashBytes))
  }

  /// Blocks for a good part of a second. One call runs at a time, which bounds the memory.
  static func isDigest(_ digest: [UInt8], of text: String) throws(StoreError) -> Bool {
    guard digest.count == saltBytes + hashBytes else { return false }
    let salt = Array(digest.prefix(saltBytes))
    let right = try hash(Array(text.utf8), salt: salt, .usual, count: hashBytes)
    return ConstantTime.areEqual(Array(digest.dropFirst(saltBytes)), right)
  }

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
