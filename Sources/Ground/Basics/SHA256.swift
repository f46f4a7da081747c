internal import COpenSSL

/// SHA-256 (FIPS 180-4) by OpenSSL: about 1.1 GB/s a core. Used from one task at a time; reusable after `finish`.
public final class SHA256 {
  private let context: OpaquePointer?

  public init() {
    context = co_sha256_new()
    precondition(context != nil, "no memory for a SHA-256 context")
  }

  deinit { co_sha256_free(context) }

  public func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { co_sha256_update(context, $0.baseAddress, $0.count) }
  }

  public func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      co_sha256_finish(context, buffer.baseAddress)
      count = 32
    }
  }

  public static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    hexadecimal(digest(of: Array(bytes)))
  }

  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes[...])
    return hash.finish()
  }

  package static func hexadecimal(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// SHA-1 (RFC 3174), for servers that know no better checksum. It finds damage, not forgery.
package enum SHA1 {
  /// 40 lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 20)
    co_sha1(bytes, bytes.count, &digest)
    return SHA256.hexadecimal(digest)
  }
}

/// Authentication codes with a key (RFC 2104), over the digests of libcrypto.
public enum HMAC {
  /// 20 bytes, for OAuth 1.0, which has no better method.
  public static func sha1(_ text: some StringProtocol, key: [UInt8]) -> [UInt8] {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    co_hmac_sha1(key, key.count, bytes, bytes.count, &digest)
    return digest
  }

  /// 32 bytes.
  public static func sha256(_ text: some StringProtocol, key: [UInt8]) -> [UInt8] {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    co_hmac_sha256(key, key.count, bytes, bytes.count, &digest)
    return digest
  }
}
