extension String {
  /// The text as screens and logs may have it: the name and the password in each address (`https://ann:secret@host/`)
  /// become "...".
  public var withoutAddressPasswords: String {
    guard utf8.contains(UInt8(ascii: "@")) else { return self }
    var shown = ""
    var rest = self[...]
    while let scheme = rest.firstRange(of: "://") {
      shown += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      guard let end = String.endOfUser(in: rest.prefix { !$0.isWhitespace && $0 != "\"" }) else { continue }
      shown += "..."
      rest = rest[end...]
    }
    return shown + rest
  }

  /// The sign behind the user and the password of an address without its scheme. RFC 3986 allows no slash in a password,
  /// but people type it all the same; a port has digits alone.
  private static func endOfUser(in word: Substring) -> Index? {
    let authority = word.prefix { !"/?#".contains($0) }
    if let end = authority.lastIndex(of: "@") { return end }
    guard let colon = authority.firstIndex(of: ":"), !authority.hasPrefix("["),
      !authority[colon...].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return word.lastIndex(of: "@")
  }
}
