import Accounts
import Basics
import FileStores
import Imaging
import JSON
import Screens
import Transfers

/// The last folders of uploads and downloads of a club. Calls block.
struct FolderMemory: Sendable {
  private let files: StateFolder

  init(state: String, club: String) { files = StateFolder(state + "/folders", club: club) }

  /// As the member typed it; nil for the default.
  func folder(for purpose: PathPurpose) -> String? { files.text("\(purpose)").flatMap { $0.isEmpty ? nil : $0 } }

  func remember(_ folder: String, for purpose: PathPurpose) throws(StoreError) {
    try files.write(folder, as: "\(purpose)")
  }
}

/// The layout of a club's photos, the choices for the grid and the albums, the kinds that the member chose for some of them,
/// and their copies on this machine.
/// Calls block.
struct PhotosMemory: Sendable {
  private let files: StateFolder
  /// One line for each word of a photo's content; the last lines count.
  private static let mostLines = 1000
  private static let mostCopies = 500

  init(state: String, club: String) { files = StateFolder(state + "/photos", club: club) }

  var layout: PhotosLayout { files.text("layout").flatMap { PhotosLayout(rawValue: $0) } ?? .auto }

  /// A failure costs a key at the next start, so it is not reported.
  func remember(_ layout: PhotosLayout) { files.keep(layout.rawValue, as: "layout") }

  var grid: GridChoice { GridChoice(text: files.text("grid") ?? "") }

  /// As for the layout.
  func remember(_ choice: GridChoice) { files.keep(choice.text, as: "grid") }

  /// True if all photos are in one list, whatever their album.
  var isFlat: Bool { files.text("albums") == "flat" }

  func remember(isFlat: Bool) { files.keep(isFlat ? "flat" : "shown", as: "albums") }

  func kind(_ words: [String]) -> PictureKind? {
    let keys = Set(words.map(Self.key))
    return lines.last { keys.contains($0.key) }?.kind
  }

  func remember(_ kind: PictureKind, _ words: [String]) {
    let keys = words.map(Self.key)
    let kept = lines.filter { !keys.contains($0.key) } + keys.map { ($0, kind) }
    files.keep(kept.suffix(Self.mostLines).map { "\($0.key) \($0.kind.rawValue)\n" }.joined(), as: "kinds")
  }

  /// Empty for a damaged file: the copies can be downloaded again.
  var copies: [DiskCopy] {
    let rows = files.text("copies").flatMap { try? JSONReader.read(Array($0.utf8)) }?.elements ?? []
    return rows.compactMap { row in
      guard let file = row["file"]?.text, let json = row["entry"], let entry = try? FileEntry(json: json) else {
        return nil
      }
      return DiskCopy(entry: entry, file: file)
    }
  }

  /// Also, in place of those that are known of the same photos.
  func add(_ copies: [DiskCopy]) {
    let paths = Set(copies.map(\.entry.path))
    if !copies.isEmpty { remember(self.copies.filter { !paths.contains($0.entry.path) } + copies) }
  }

  /// The copies of the newest photos.
  func remember(_ copies: [DiskCopy]) {
    let newest = copies.sorted {
      ($0.entry.modified?.nanoseconds ?? 0, $0.file) > ($1.entry.modified?.nanoseconds ?? 0, $1.file)
    }
    let text = Self.text(newest.prefix(Self.mostCopies))
    if text != files.text("copies") ?? Self.text([]) { files.keep(text, as: "copies") }
  }

  private static func text(_ copies: ArraySlice<DiskCopy>) -> String {
    let rows = copies.map { JSONValue.members(["file": .string($0.file), "entry": $0.entry.json]) }
    return "\(JSONValue.array(rows).encoded)\n"
  }

  private var lines: [(key: String, kind: PictureKind)] {
    (files.text("kinds") ?? "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 2, let kind = PictureKind(rawValue: String(parts[1])) else { return nil }
      return (String(parts[0]), kind)
    }
  }

  /// A word may hold any bytes, and a revision is longer than needed.
  private static func key(_ word: String) -> String { String(SHA256.hexadecimal(of: Array(word.utf8)).prefix(32)) }
}

/// The last searches in a club's lists, on this machine alone. Calls block.
struct SearchMemory: Sendable {
  private static let most = 20
  private let files: StateFolder

  init(state: String, club: String) { files = StateFolder(state + "/searches", club: club) }

  /// The newest first.
  func searches(of list: String) -> [String] {
    (files.text(list) ?? "").split(separator: "\n").prefix(SearchMemory.most).map(String.init)
  }

  func remember(_ text: String, of list: String) {
    let kept = [text] + searches(of: list).filter { $0 != text }.prefix(SearchMemory.most - 1)
    files.keep(kept.map { "\($0)\n" }.joined(), as: list)
  }
}

/// The pinned notes of a club. Calls block.
struct PinMemory: Sendable {
  private let files: StateFolder

  init(state: String, club: String) { files = StateFolder(state + "/pins", club: club) }

  /// Empty for a damaged file: a key pins again.
  var pins: [StorePath] {
    let rows = files.text("notes").flatMap { try? JSONReader.read(Array($0.utf8)) }?.elements ?? []
    return rows.compactMap { row in row.text.flatMap { try? StorePath(Array($0.utf8)) } }
  }

  /// Names that are not UTF-8 are pinned until the end only.
  func remember(_ pins: [StorePath]) {
    let names = pins.compactMap { String(validating: $0.bytes, as: UTF8.self) }
    files.keep("\(JSONValue.array(names.map { .string($0) }).encoded)\n", as: "notes")
  }
}

/// The orders of a club's lists. Calls block.
struct OrderMemory: Sendable {
  private let files: StateFolder

  init(state: String, club: String) { files = StateFolder(state + "/orders", club: club) }

  /// The default if there is none or it is unreadable.
  func order(of list: String) -> ListOrder { files.text(list).flatMap { ListOrder(text: $0) } ?? ListOrder() }

  /// True if a list shows all files, whatever their folder.
  func isFlat(_ list: String) -> Bool { files.text(list + ".folders") == "flat" }

  func remember(isFlat: Bool, of list: String) { files.keep(isFlat ? "flat" : "shown", as: list + ".folders") }

  func remember(_ order: ListOrder, of list: String) { files.keep(order.text, as: list) }
}

/// The member knows that the others see them, too. Calls block.
struct PresenceMemory: Sendable {
  private let files: StateFolder

  init(state: String, club: String) { files = StateFolder(state + "/presence", club: club) }

  var isKnown: Bool { files.text("known") != nil }

  func keepKnown() { files.keep("yes", as: "known") }
}

extension StateFolder {
  /// A failure costs one key or line at the next start, so it is not reported.
  fileprivate func keep(_ text: String, as name: String) {
    do throws(StoreError) {
      try write(text, as: name)
    } catch {
      return
    }
  }
}
