import FileStores

/// A secret of one sign-in, and what is told of it beforehand, so that a code that others see is of no use to them
/// (PKCE, RFC 7636, method S256).
struct ProofKey: Sendable, Equatable {
  /// The secret: 64 characters out of 64 (384 bits), sent with the code.
  let verifier: String
  /// Its SHA-256 in base64url, sent first.
  var challenge: String {
    let hash = SHA256()
    hash.update(Array(verifier.utf8)[...])
    return Base64URL.text(hash.finish())
  }

  /// A fresh one, from the system's random source.
  init() {
    var source = SystemRandomNumberGenerator()
    verifier = Base64URL.random(bytes: 48, from: &source)
  }

  /// A known one.
  init(verifier: String) { self.verifier = verifier }
}
