internal import Basics
internal import Imaging
internal import Markdown

/// The target of a link in a note.
enum LinkTarget: Equatable {
  case web(LinkAddress)
  /// A photo by its path in the club.
  case photo(String)
  /// A note by its name, and a heading in it.
  case note(String, heading: String?)
  /// A heading of the same note.
  case heading(String)
  /// Any other address, an absolute path, or one with control characters.
  case refused(String)

  /// The target of a link of text; nil for pictures, tags, check boxes and places of the same note.
  init?(_ link: MarkdownLink) {
    switch link.kind {
    case .note(let name): self.init(note: name)
    case .address(let address): self.init(address)
    case .picture, .tag, .place, .check: return nil
    }
  }

  /// The target of an address or a path, as the note writes it.
  init(_ address: String) {
    let scheme = address.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    if address.isEmpty || address.hasPrefix("/") || address.unicodeScalars.contains(where: LinkAddress.isControl) {
      self = .refused(address)
    } else if scheme.endIndex < address.endIndex, address[scheme.endIndex] == ":" {
      self = LinkAddress(address).map { .web($0) } ?? .refused(address)
    } else {
      // Percent signs belong to addresses; a `[[note]]` has none.
      let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
      self.init(path: parts[0], heading: parts.count > 1 ? parts[1] : nil)
    }
  }

  /// The target of `[[note]]` or `[[note#heading]]`.
  init(note: String) {
    let parts = note.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts.isEmpty, !note.unicodeScalars.contains(where: LinkAddress.isControl) else {
      self = .refused(note)
      return
    }
    self.init(path: parts[0], heading: parts.count > 1 ? parts[1] : nil)
  }

  private init(path: String, heading: String?) {
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    if name.isEmpty {
      self = heading.map { .heading($0) } ?? .refused(path)
    } else if PictureFormat.named(name) != nil {
      self = .photo(name)
    } else {
      self = .note(name, heading: heading)
    }
  }

  /// The address that a terminal may open by itself: one that byteclub would hand to the desktop.
  static func hyperlink(_ link: MarkdownLink) -> String? {
    guard case .address(let address) = link.kind, case .web(let target) = LinkTarget(address) else { return nil }
    return target.text
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decoded(String(text), plusIsSpace: false) ?? String(text)
  }

  /// A heading as GitHub writes it behind the number sign.
  static func anchor(_ text: [UInt8]) -> String {
    var anchor = ""
    for character in String(decoding: text, as: UTF8.self).lowercased() {
      if character == " " || character == "-" {
        anchor += "-"
      } else if character.isLetter || character.isNumber || character == "_" {
        anchor.append(character)
      }
    }
    return anchor
  }
}
