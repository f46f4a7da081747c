internal import ClubServices
internal import Imaging
internal import Markdown

/// The target of a link in a note.
enum LinkTarget: Equatable {
  case web(LinkAddress)
  case photo(LinkWords)
  /// A note, and a heading in it.
  case note(LinkWords)
  /// A heading of the same note.
  case heading(String)
  /// Any other address, or one with control characters.
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
    if address.isEmpty || address.unicodeScalars.contains(where: LinkAddress.isControl) {
      self = .refused(address)
    } else if scheme.endIndex < address.endIndex, address[scheme.endIndex] == ":", LinkWords(address: address) == nil {
      self = LinkAddress(address).map { .web($0) } ?? .refused(address)
    } else {
      // Percent signs belong to addresses; a `[[note]]` has none.
      self.init(LinkWords(address: address), of: address)
    }
  }

  /// The target of `[[note]]` or `[[note#heading]]`.
  init(note: String) {
    guard !note.unicodeScalars.contains(where: LinkAddress.isControl) else {
      self = .refused(note)
      return
    }
    self.init(LinkWords(wiki: note), of: note)
  }

  private init(_ words: LinkWords?, of text: String) {
    if let words {
      self = PictureFormat.named(words.path) != nil ? .photo(words) : .note(words)
    } else if text.hasPrefix("#") {
      self = .heading(LinkWords.heading(of: text))
    } else {
      self = .refused(text)
    }
  }

  /// The address that a terminal may open by itself: one that byteclub would hand to the desktop.
  static func hyperlink(_ link: MarkdownLink) -> String? {
    guard case .address(let address) = link.kind, case .web(let target) = LinkTarget(address) else { return nil }
    return target.text
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
