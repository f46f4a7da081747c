internal import COpenSSL

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
