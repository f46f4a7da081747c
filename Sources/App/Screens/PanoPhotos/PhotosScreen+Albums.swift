internal import ClubServices
internal import FileStores
internal import TextUI

/// The rows of the tab: the albums in the one that is shown, then its photos.
struct ShownPhotos: Sendable {
  enum Row: Sendable {
    case album(Album, news: Int)
    /// By its row in the table.
    case photo(Int)
  }

  let albums: [Album]
  /// The number of new photos in each album; empty if nothing is new.
  let news: [Int]
  /// Rows of the table.
  let photos: Range<Int>

  subscript(row: Int) -> Row? {
    if row < albums.count { return row < 0 ? nil : .album(albums[row], news: news.isEmpty ? 0 : news[row]) }
    return photos.contains(row - albums.count) ? .photo(row - albums.count) : nil
  }
}

extension PhotosState {
  var shown: ShownPhotos {
    ShownPhotos(albums: files.albums, news: files.albumNews, photos: 0..<(files.table?.count ?? 0))
  }
}

extension PhotosScreen {
  /// A row of the list: the cover, the name with a slash, the number of photos and the date of the newest.
  static func drawAlbum(
    _ album: Album, news: Int, isChosen: Bool, _ state: PhotosState, _ frame: Frame, on item: inout Canvas
  ) {
    let (box, left) = (state.thumbnailBox, state.thumbnailBox.width + 5)
    func style(_ role: Role) -> Style { isChosen ? item.bar(role) : item[role] }
    if let folder = state.files.table?.folder {
      drawThumbnail(
        state.thumbnails[folder.descending(album.cover[...])], box, frame.abilities, style(.dim), on: &item, x: 3)
    }
    let new = news == 0 ? "" : item.symbol(.new) + " "
    item.text(new, x: left, y: 0, style: style(.new))
    let start = left + GlyphReader.columns(of: new)
    item.text(
      ShortName.of((Array(album.name) + [UInt8(ascii: "/")])[...], columns: max(1, item.size.width - start - 1)),
      x: start, y: 0, style: style(.directory))
    item.text(
      albumFacts(album, news, frame).joined(separator: "  "), x: left, y: 1, style: style(.dim),
      width: item.size.width - left - 1)
  }

  static func albumFacts(_ album: Album, _ news: Int, _ frame: Frame) -> [String] {
    let count = album.count == 1 ? "1 photo" : "\(album.count.grouped) photos"
    let age = album.newest.map { Age.text(of: Int($0.seconds), now: Int(frame.now)) }
    return [count, news == 0 ? nil : "\(news.grouped) new", age].compactMap { $0 }
  }
}
