import Database
import FileStores
import TextUI
import Transfers

@testable import ClubServices
@testable import Imaging
@testable import Screens

/// Sample results of effects.
enum Samples {
  /// A Saturday in 2026.
  static let now: Int64 = 1_795_000_000

  static func path(_ name: String) -> StorePath { path(Array(name.utf8)) }
  static func path(_ bytes: [UInt8]) -> StorePath { (try? StorePath(bytes)) ?? .root }

  static func entry(
    _ name: String, size: UInt64 = 1234, ago: Int64 = 7200, revision: String = "r1", member: String? = nil
  ) -> FileEntry { entry(path(name), size: size, ago: ago, revision: revision, member: member) }

  static func entry(
    _ path: StorePath, size: UInt64 = 1234, ago: Int64 = 7200, revision: String = "r1", member: String? = nil
  ) -> FileEntry {
    FileEntry(
      path: path, kind: .file, size: size, modified: Timestamp(seconds: now - ago), revision: Revision(revision),
      member: member)
  }

  /// A table of names below a folder, without sizes and ages.
  static func table(_ names: [String], folder: String = "") -> EntryTable {
    table(bytes: names.map { Array($0.utf8) }, folder: folder)
  }

  /// Notes, folders that may be empty, and the numbers of other files by folder.
  static func table(_ names: [String], folders: [String], others: [String: Int] = [:]) -> EntryTable {
    var builder = EntryTable.Builder(folder: .root)
    builder.add(names.map { FileEntry(path: path($0), kind: .file) })
    let counts = others.map { (path($0.key), $0.value) }
    builder.add(folders: folders.map { path($0) }, others: Dictionary(counts, uniquingKeysWith: +))
    return builder.finish()
  }

  static func table(bytes names: [[UInt8]], folder: String = "") -> EntryTable {
    var builder = EntryTable.Builder(folder: path(folder))
    let prefix = folder.isEmpty ? [] : Array("\(folder)/".utf8)
    builder.add(names.map { FileEntry(path: path(prefix + $0), kind: .file) })
    return builder.finish()
  }

  static func names(_ count: Int) -> [String] {
    (0..<count).map { "note-" + String(repeating: "0", count: 3 - String($0).count) + "\($0).md" }
  }

  static func note(_ name: String, _ text: String, revision: String = "r1", draft: Draft? = nil) -> OpenNote {
    OpenNote(
      entry: entry(name, size: UInt64(text.utf8.count), revision: revision), bytes: Array(text.utf8), draft: draft)
  }

  /// Three versions of a note, newest first.
  static func versions(_ name: String, member: String = "ann") -> [FileEntry] { versions(path(name), member: member) }

  static func versions(_ path: StorePath, member: String = "ann") -> [FileEntry] {
    [
      entry(path, size: 2048, ago: 600, revision: "r3"),
      entry(path, size: 1900, ago: 86_400 * 2, revision: "r2", member: member),
      entry(path, size: 12, ago: 86_400 * 40, revision: "r1"),
    ]
  }

  static func conflict(
    _ name: String, mine: String = "my text", theirs: String? = "their text", save: Int64 = 7, base: String? = nil,
    kind: SaveConflict.Kind? = nil, writer: NoteWriter? = nil
  ) -> SaveConflict {
    SaveConflict(
      save: save, path: path(name), mine: Array(mine.utf8), theirs: theirs.map { Array($0.utf8) },
      theirEntry: theirs.map { _ in entry(name, revision: "r2", member: "ann") }, theirWriter: writer,
      base: base.map { Array($0.utf8) }, kind: kind)
  }

  /// A saved text that is not in the club.
  static func unsent(
    _ name: String, _ text: String = "my text", kind: WaitingText.Kind = .toSend, base: String? = "r1", save: Int64 = 3,
    isElsewhere: Bool = false
  ) -> WaitingText {
    WaitingText(
      id: .save(save), kind: kind, path: path(name), title: name, base: base.map(Revision.init),
      changed: Timestamp(seconds: now - 600), bytes: text.utf8.count, beginning: Array(text.utf8),
      isElsewhere: isElsewhere)
  }

  /// A change of a name in the list of waiting texts.
  static func change(
    _ kind: ChangeRecord.Kind, _ name: String, to target: String? = nil, isNobodys: Bool = false
  ) -> WaitingText { WaitingText(nameChange(kind, name, to: target), isNobodys: isNobodys) }

  static func nameChange(_ kind: ChangeRecord.Kind, _ name: String, to target: String? = nil) -> WaitingChange {
    WaitingChange(
      ChangeRecord(
        club: "club", kind: kind, path: path(name), target: target.map { path($0) }, base: nil, baseHash: nil,
        size: nil, created: Timestamp(seconds: now - 600)))
  }

  /// A draft in the list of waiting texts.
  static func waiting(
    _ name: String?, title: String? = nil, id: String = "d1", base: String? = "r1",
    _ text: String = "\nDear Ray,\nthe wall is 12 metres long.\n", kind: WaitingText.Kind = .draft,
    isOpen: Bool = false
  ) -> WaitingText {
    WaitingText(
      id: .draft(id), kind: kind, path: name.map { path($0) }, title: title ?? name ?? "",
      base: base.map(Revision.init), changed: Timestamp(seconds: now - 300), bytes: 512, beginning: Array(text.utf8),
      isOpen: isOpen)
  }

  /// A change of a name that belongs to nobody.
  static func stray(_ name: String) -> WaitingText {
    WaitingText(
      id: .change(1), kind: .draft, path: path(name), title: name, base: nil, changed: Timestamp(seconds: now),
      bytes: 0, beginning: [], isOpen: false)
  }

  static func trashed(_ name: String, id: String = "t1") -> TrashedFile {
    TrashedFile(id: id, origin: path(name), discarded: Timestamp(seconds: now), size: 1)
  }

  /// A draft of an earlier run.
  static func draft(_ name: String?, title: String? = nil, id: String = "d1", base: String? = "r1") -> Draft {
    Draft(
      id: id, path: name.map { path($0) }, title: title ?? name ?? "", base: base.map(Revision.init),
      changed: Timestamp(seconds: now - 300), bytes: 512)
  }

  /// Sky above, land below, and a tower at a quarter of the width.
  static func panorama(width: Int = 320, height: Int = 80) -> Pixels {
    var pixels = Pixels(width: width, height: height, colour: 0x66AAEE)
    for y in height / 2..<height { for x in 0..<width { pixels[x, y] = 0x336622 } }
    for y in height / 8..<height / 2 { for x in width / 4..<width / 4 + width / 16 { pixels[x, y] = 0xDDCC88 } }
    return pixels
  }

  /// A picture without two equal neighbouring places.
  static func slope(width: Int = 320, height: Int = 80) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { pixels[x, y] = UInt32(x * 255 / width) << 16 | UInt32(y * 255 / height) }
    }
    return pixels
  }

  static func pyramid(_ pixels: Pixels = panorama()) throws -> Pyramid { try Pyramid(pixels) }

  static func thumbnail(columns: Int = 24, rows: Int = 3) -> ShownPicture {
    let pixels = panorama(width: columns, height: rows * 2)
    return ShownPicture(HalfBlockPicture(pixels))
  }

  /// A photo's metadata; the camera's name comes from the file.
  static func info(_ path: StorePath, camera: String) -> PhotoInfo? {
    var header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 8192, height: 2048))
    header.cameraMake = "Ricoh"
    header.cameraModel = camera
    header.hasPosition = true
    header.position = PicturePosition(latitude: 53.14412, longitude: -9.0875)
    header.exposure = Exposure(seconds: 0.004, aperture: 2.4, speed: 100)
    (header.hasFilm, header.filmBytes) = (true, 3_200_000)
    header.imageDirectionDegrees = 123.4
    var panorama = PanoramaFacts()
    panorama.projection = "equirectangular"
    panorama.fullSize = PixelSize(width: 8192, height: 4096)
    header.panorama = panorama
    return PhotoInfo(
      entry: entry(path, size: 27_000_000), header: header, contentHash: ContentHash(of: Array("garage".utf8)))
  }

  /// A transfer of 27 MiB, by default running.
  static func transfer(
    _ id: String, _ name: String, _ direction: Transfer.Direction = .upload, _ state: TransferState = .running,
    sent: UInt64 = 0, total: UInt64? = 28_311_552, _ change: (inout Transfer) -> Void = { _ in }
  ) -> Transfer {
    var transfer = Transfer(
      id: id, direction: direction, name: name, path: path(["photos".utf8, "/".utf8, name.utf8].flatMap(Array.init)))
    transfer.club = "home"
    transfer.local = direction == .upload ? "/home/ray/Pictures/\(name)" : "/home/ray/Downloads"
    transfer.state = state
    transfer.sent = sent
    transfer.total = total
    transfer.attempts = 1
    change(&transfer)
    return transfer
  }

  /// A finished transfer.
  static func done(
    _ id: String, _ name: String, _ direction: Transfer.Direction = .upload, size: UInt64 = 28_311_552
  ) -> Transfer {
    transfer(id, name, direction, .done, sent: size, total: size) { transfer in
      transfer.entry = entry(transfer.path, size: size)
      transfer.rate = 4_300_000
      if direction == .download { transfer.place = "/home/ray/Downloads/\(name)" }
    }
  }

  static func failed(
    _ id: String, _ name: String, _ direction: Transfer.Direction = .upload,
    _ error: StoreError = StoreError(.quota, "No room is left.", remedy: "Make room.")
  ) -> Transfer {
    transfer(id, name, direction, error.kind == .cancelled ? .cancelled : .failed) { $0.error = error }
  }
}
