import Basics
import Database
import Imaging
import JSON

struct NameSearch: Sendable {
  static let mostMatches = 10_000

  let words: [String]
  /// Folded extensions with their dot, one of which a file must have; empty for any.
  var endings: [String] = []
  /// A file must have one of these; empty for any.
  var categories: Set<String> = []
  let folder: String
  var withDeleted = false
  var isNewestFirst = false

  func matches(
    _ reading: ServerIndexReading, start: Int, limit: Int
  ) throws -> (nodes: ArraySlice<ServerNode>, hasMore: Bool) {
    let most = NameSearch.mostMatches
    let found = try all(reading, atMost: isNewestFirst ? most : min(start + limit + 1, most))
    let page = found.dropFirst(start).prefix(limit)
    return (page, start + page.count < found.count)
  }

  private func all(_ reading: ServerIndexReading, atMost limit: Int) throws -> [ServerNode] {
    var matches: [ServerNode] = []
    var after = ""
    while matches.count < limit {
      let page = try reading.listed(in: .subtree(folder), after: after, limit: 1000, deleted: withDeleted)
      guard let end = page.last else { break }
      matches += page.lazy.filter { $0.isDeleted == withDeleted && isMatch($0) }.prefix(limit - matches.count)
      after = end.key
    }
    guard isNewestFirst else { return matches }
    return matches.sorted {
      ($0.isFolder ? 0 : 1, $0.serverModified, $1.key) > ($1.isFolder ? 0 : 1, $1.serverModified, $0.key)
    }
  }

  private func isMatch(_ node: ServerNode) -> Bool {
    let name = Folding.searched(node.name)
    guard words.allSatisfy({ name.contains($0) }) else { return false }
    guard categories.isEmpty || categories.contains(FileCategory(node).rawValue) else { return false }
    return endings.isEmpty || (!node.isFolder && endings.contains { name.hasSuffix($0) })
  }

  /// The name in pieces, matched and unmatched, as the API's highlight spans.
  func spans(_ name: String) -> JSON {
    var folded: [UInt8] = []
    // Maps each folded byte to its character.
    var origins: [Int] = []
    for (place, character) in name.enumerated() {
      let bytes = SearchFold.folded(String(character))
      folded += bytes
      origins += Array(repeating: place, count: bytes.count)
    }
    var isHighlighted = [Bool](repeating: false, count: name.count)
    for word in words.map({ Array($0.utf8) }) where !word.isEmpty && word.count <= folded.count {
      for start in 0...(folded.count - word.count) where folded[start...].starts(with: word) {
        for place in origins[start..<(start + word.count)] { isHighlighted[place] = true }
      }
    }
    var spans: [(text: String, isHighlighted: Bool)] = []
    for (character, isHighlighted) in zip(name, isHighlighted) {
      if spans.last?.isHighlighted == isHighlighted {
        spans[spans.count - 1].text.append(character)
      } else {
        spans.append((String(character), isHighlighted))
      }
    }
    return .array(
      spans.map { .members(["highlight_str": .string($0.text), "is_highlighted": .bool($0.isHighlighted)]) })
  }

  var sealable: [String] {
    [
      words.joined(separator: "\n"), endings.joined(separator: "\n"), categories.sorted().joined(separator: "\n"),
      folder, (withDeleted ? "d" : "") + (isNewestFirst ? "n" : ""),
    ]
  }

  init(words: [String], folder: String) { (self.words, self.folder) = (words, folder) }

  init?(sealed: ArraySlice<String>) {
    let sealed = Array(sealed)
    guard sealed.count == 5 else { return nil }
    func list(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
    (words, endings, categories) = (list(sealed[0]), list(sealed[1]), Set(list(sealed[2])))
    folder = sealed[3]
    (withDeleted, isNewestFirst) = (sealed[4].contains("d"), sealed[4].contains("n"))
  }
}

/// The API's `FileCategory`, from the extension of the name.
enum FileCategory: String, CaseIterable {
  case image, document, pdf, spreadsheet, presentation, audio, video, folder, paper, others

  private static let endings: [String: FileCategory] = {
    let words: [(FileCategory, String)] = [
      (.image, PictureFormat.endings.map(\.key).joined(separator: " ") + " tif tiff bmp svg ppm raw dng cr2 nef arw"),
      (.document, "doc docx docm dot dotx odt rtf txt md tex pages wpd"), (.pdf, "pdf"),
      (.spreadsheet, "xls xlsx xlsm csv tsv ods numbers gsheet"),
      (.presentation, "ppt pptx pptm pps ppsx ppsm odp key gslides"),
      (.audio, "mp3 wav mid midi flac ogg oga opus m4a aac wma aiff"),
      (.video, "mov wmv mp4 m4v avi mkv webm mpg mpeg 3gp ogv"), (.paper, "paper"),
    ]
    return Dictionary(words.flatMap { kind, text in text.split(separator: " ").map { (String($0), kind) } }) { $1 }
  }()

  init(_ node: ServerNode) {
    if node.isFolder {
      self = .folder
    } else {
      let parts = node.name.split(separator: ".", omittingEmptySubsequences: false)
      self = parts.count > 1 ? FileCategory.endings[parts[parts.count - 1].lowercased()] ?? .others : .others
    }
  }
}
