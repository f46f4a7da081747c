internal import COpenSSL

/// SHA-1 (RFC 3174), for servers that know no better checksum. It finds damage, not forgery.
package enum SHA1 {
  /// 40 lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 20)
    co_sha1(bytes, bytes.count, &digest)
    return SHA256.hexadecimal(digest)
  }
}
