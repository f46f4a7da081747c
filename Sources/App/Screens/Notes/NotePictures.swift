internal import ClubServices
internal import FileStores
internal import Imaging
internal import Markdown
internal import TextUI

/// The pictures of the club within a rendered note, by their paths as the note writes them.
struct NotePictures: Sendable {
  /// A photo that a note shows, and the room for it in cells.
  struct Request: Sendable {
    let path: StorePath
    let columns: Int
    let rows: Int
  }

  /// Those that are shown.
  private(set) var shown: [String: ShownPicture] = [:]
  /// Those that were asked for or cannot be shown.
  private var asked: Set<String> = []
  /// The photo that is being read.
  private var awaited: (path: StorePath, text: String)?
  private var width = 0
  private var resolution = PictureResolution()

  /// A picture takes at most so many rows and columns.
  private static let mostRows = 14
  private static let mostColumns = 72

  var rows: [String: Int] { shown.mapValues(\.rows) }

  /// Forgets pictures of another width or in other pixels; true if either is new.
  mutating func resize(width: Int, resolution: PictureResolution) -> Bool {
    guard width != self.width || resolution != self.resolution else { return false }
    self = NotePictures()
    (self.width, self.resolution) = (width, resolution)
    return true
  }

  /// Without the photo that was being read, whose answer may be lost.
  var afterReading: NotePictures {
    var pictures = self
    if let awaited { pictures.asked.remove(awaited.text) }
    pictures.awaited = nil
    return pictures
  }

  /// The first of the pictures in view that is neither shown nor asked for; nil while one is being read.
  /// `meant` returns the photo of a link.
  mutating func next(among texts: [String], _ frame: Frame, _ meant: (LinkWords) -> StorePath?) -> Request? {
    guard awaited == nil else { return nil }
    for text in texts where asked.insert(text).inserted {
      // The link itself reports a path outside of the club.
      guard case .photo(let words) = LinkTarget(text), let path = meant(words) else { continue }
      awaited = (path, text)
      let size = frame.viewSize
      return Request(
        path: path, columns: max(1, min(size.width - 2, Self.mostColumns)),
        rows: max(1, min(Self.mostRows, size.height - 3)))
    }
    return nil
  }

  /// Takes the answer; nil if the photo cannot be shown.
  mutating func take(_ picture: ShownPicture?, for path: StorePath) {
    guard let awaited, awaited.path == path else { return }
    self.awaited = nil
    shown[awaited.text] = picture
  }
}

extension NotesState {
  /// The next picture in view of the note that is read.
  mutating func nextPicture(
    _ frame: Frame, _ meant: (LinkWords, _ note: StorePath) -> StorePath?
  ) -> NotePictures.Request? {
    guard var reader = views.last as? NoteReader, let page = reader.page else { return nil }
    let wanted = page.visiblePictures
    guard !wanted.isEmpty else { return nil }
    let note = reader.note.entry.path
    let request = reader.pictures.next(among: wanted, frame) { meant($0, note) }
    views[views.count - 1] = reader
    return request
  }

  /// Shows a picture within the note that waits for it, which another view may cover; without one, its link stays text.
  mutating func take(_ picture: ShownPicture?, for path: StorePath) {
    for index in views.indices {
      guard var reader = views[index] as? NoteReader else { continue }
      reader.pictures.take(picture, for: path)
      reader.page?.show(pictureRows: reader.pictures.rows)
      views[index] = reader
    }
  }
}
