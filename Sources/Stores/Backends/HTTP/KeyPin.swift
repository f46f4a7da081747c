internal import Basics
public import FileStores

/// The SHA-256 of a server's public key (its SubjectPublicKeyInfo, DER: RFC 7469, section 2.4). A club with a pin trusts
/// the key instead of an authority, so the certificate around it may expire or name another host.
public struct KeyPin: Sendable, Hashable {
  /// Always 32 bytes.
  let hash: [UInt8]

  private static let mark = "sha256//"

  /// - Parameter der: the SubjectPublicKeyInfo.
  public init(publicKey der: [UInt8]) {
    let hasher = SHA256()
    hasher.update(der[...])
    hash = hasher.finish()
  }

  private init?(_ hash: [UInt8]) {
    guard hash.count == 32 else { return nil }
    self.hash = hash
  }

  /// The form of an invitation. nil unless it is the one text of 32 bytes: 43 characters, no padding.
  public init?(base64url text: String) {
    guard let bytes = Base64.bytes(of: text, .url), Base64.text(of: bytes, .url) == text else { return nil }
    self.init(bytes)
  }

  /// The form of the config and of libcurl (CURLOPT_PINNEDPUBLICKEY): `sha256//` and padded base64, exactly.
  public init?(configText text: String) {
    guard text.hasPrefix(KeyPin.mark) else { return nil }
    let letters = text.dropFirst(KeyPin.mark.count)
    guard let bytes = Base64.bytes(of: letters), Base64.text(of: bytes) == letters else { return nil }
    self.init(bytes)
  }

  public var base64url: String { Base64.text(of: hash, .url) }
  public var configText: String { KeyPin.mark + Base64.text(of: hash) }

  /// The pins of a setting: one, or two separated by `;` while a server changes its key.
  /// - Throws: `badInput` for anything else.
  public static func list(configText text: String) throws(StoreError) -> [KeyPin] {
    let pins = text.split(separator: ";", omittingEmptySubsequences: false).map { KeyPin(configText: String($0)) }
    let known = pins.compactMap { $0 }
    guard known.count == pins.count, 1...2 ~= known.count else {
      throw StoreError(
        .badInput, "\"pin\" is not the pin of a server's key.",
        remedy:
          "Write it as sha256// and 44 characters, or two of them with ; between, or ask the club's owner for a new line."
      )
    }
    return known
  }
}
