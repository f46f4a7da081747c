internal import ClubServices
public import FileStores
internal import Imaging

/// A photo that is ready for the wall, with its words.
public struct WallPhoto: Sendable {
  let path: StorePath
  let photo: ReadyPhoto
  /// The member's choice; nil for the kind that the photo's own data say.
  let kind: PictureKind?
  var words: WallWords

  init(_ path: StorePath, _ photo: ReadyPhoto, kind: PictureKind? = nil, words: WallWords = WallWords()) {
    (self.path, self.photo, self.kind, self.words) = (path, photo, kind, words)
  }
}

/// The words below a photo; each is empty if there is none.
public struct WallWords: Sendable, Equatable {
  /// The member who brought the photo.
  var member = ""
  /// On one line.
  var caption = ""
  /// The newest first, each on one line with its member.
  var remarks: [String] = []

  /// More than a line shows.
  private static let (mostRemarks, longest) = (4, 200)

  /// The newest remarks that say something.
  static func remarks(of talk: Talk) -> [String] {
    let spoken = talk.remarks.filter { !$0.isWithdrawn && !$0.text.isEmpty }
    return spoken.sorted { ($0.time, $0.place) > ($1.time, $1.place) }.prefix(mostRemarks).map { remark in
      let text = remark.text.prefix(longest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return "\(remark.claim): \(text)"
    }
  }
}

public enum WallAction: FailableAction {
  case input(MemberInput)
  case read(WallPhoto)
  case worded(StorePath, WallWords)
  /// The photo has been in sight for its time.
  case turned
  /// Time for the next movement.
  case ticked
  /// The line over the photo was there for its moment.
  case hushed
  case failed(WallEffect, StoreError)
}

public enum WallEffect: Sendable {
  /// Read the first of these photos; while the store does not answer, the first that is on this machine. `isFine` is for
  /// a terminal that draws pixels.
  case read([StorePath], isFine: Bool)
  /// Read the caption and the remarks again.
  case words(StorePath, member: String)
  /// Send the action after a pause.
  indirect case wait(Duration, WallAction)
}
