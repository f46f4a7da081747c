internal import ClubServices
public import FileStores
internal import TextUI

extension DropTerms {
  /// `photos from Mia, at most 500.0 MiB`.
  public var words: String {
    "photos from \(giver ?? "a phone")" + (mostBytes.map { ", at most \(ByteCount.text($0))" } ?? "")
  }
}

extension SharedLink {
  /// Sentences about a new drop page, for the member who asked for it: what it takes and where, and its end.
  public var dropSentences: [String] {
    guard let drop else { return [terms] }
    let giver = drop.giver.map { "\($0)'s phone" } ?? "Any phone"
    let limit = drop.mostBytes.map { ", \(ByteCount.text($0)) at most," } ?? ""
    return ["\(giver) leaves photos\(limit) in \"\(path)\" at this address.", terms]
  }
}
