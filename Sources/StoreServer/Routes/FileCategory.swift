import Database

/// What kind of thing a file is for a search: the API's `FileCategory`, by the ending of the name.
enum FileCategory: String, CaseIterable {
  case image, document, pdf, spreadsheet, presentation, audio, video, folder, paper, others

  private static let endings: [String: FileCategory] = {
    let words: [(FileCategory, String)] = [
      (.image, "jpg jpeg png gif webp heic heif avif tif tiff bmp svg ppm raw dng cr2 nef arw"),
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
