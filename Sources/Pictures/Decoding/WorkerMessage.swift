import Imaging

/// One piece of work for a worker. With it go two descriptors: the picture's bytes, and a file in memory for the
/// result. Both ends are the same program, so the form may change with any version. All numbers are 64 bits,
/// little-endian.
struct WorkerRequest: Equatable {
  var number: Int
  var count: Int
  var orientation: Orientation
  var limits: PictureLimits
  var work: PictureWork

  private static let wordCount = 14

  var bytes: [UInt8] {
    WorkerWords.bytes(
      [number, count, orientation.rawValue] + words
        + [limits.maxPixels, limits.maxSide, limits.maxMemoryBytes, limits.maxScans, limits.maxScanWork])
  }

  private var words: [Int] {
    func place(_ format: PictureFormat) -> Int { PictureFormat.allCases.firstIndex(of: format) ?? 0 }
    return switch work {
    case .decode(let size): [0, size?.width ?? -1, size?.height ?? -1, 0, 0, 0]
    case .thumbnail(let box): [1, box.width, box.height, 0, 0, 0]
    case .thumbnailFile(let box, let format, let quality): [2, box.width, box.height, place(format), quality, 0]
    case .area(let area, let eighths): [3, area.x, area.y, area.width, area.height, eighths]
    case .check: [4, 0, 0, 0, 0, 0]
    case .copy(let maxEdge, let format, let quality): [5, maxEdge ?? -1, place(format), quality ?? -1, 0, 0]
    }
  }

  /// nil for bytes that are no request.
  init?(_ bytes: [UInt8]) {
    guard let words = WorkerWords.words(bytes[...], Self.wordCount), bytes.count == 8 * Self.wordCount,
      let orientation = Orientation(rawValue: words[2]), let work = Self.work(Array(words[3..<9]))
    else { return nil }
    (number, count, self.orientation, self.work) = (words[0], words[1], orientation, work)
    limits = PictureLimits(
      maxPixels: words[9], maxSide: words[10], maxMemoryBytes: words[11], maxScans: words[12], maxScanWork: words[13])
  }

  private static func work(_ words: [Int]) -> PictureWork? {
    func format(_ place: Int) -> PictureFormat? {
      PictureFormat.allCases.indices.contains(place) ? PictureFormat.allCases[place] : nil
    }
    func side(_ word: Int) -> Int? { (1...1 << 24).contains(word) ? word : nil }
    switch words[0] {
    case 0:
      if words[1] == -1 { return .decode(atLeast: nil) }
      guard let width = side(words[1]), let height = side(words[2]) else { return nil }
      return .decode(atLeast: PixelSize(width: width, height: height))
    case 1:
      guard let width = side(words[1]), let height = side(words[2]) else { return nil }
      return .thumbnail(box: PixelSize(width: width, height: height))
    case 2:
      guard let width = side(words[1]), let height = side(words[2]), let format = format(words[3]) else { return nil }
      return .thumbnailFile(box: PixelSize(width: width, height: height), format: format, quality: words[4])
    case 3:
      guard (0...1 << 24).contains(words[1]), (0...1 << 24).contains(words[2]), let width = side(words[3]),
        let height = side(words[4]), (1...8).contains(words[5])
      else { return nil }
      return .area(PixelRect(x: words[1], y: words[2], width: width, height: height), eighths: words[5])
    case 4: return .check
    case 5:
      guard words[1] == -1 || side(words[1]) != nil, let format = format(words[2]) else { return nil }
      return .copy(
        maxEdge: words[1] == -1 ? nil : words[1], format: format, quality: words[3] == -1 ? nil : words[3])
    default: return nil
    }
  }

  init(number: Int, count: Int, orientation: Orientation, limits: PictureLimits, work: PictureWork) {
    (self.number, self.count, self.orientation, self.limits, self.work) = (number, count, orientation, limits, work)
  }
}

/// A worker's answer. The result's bytes are in the file that came with the request, behind its first page. The reader
/// believes nothing: the worker may be in the hands of a picture's author.
struct WorkerAnswer: Equatable {
  enum Content: Equatable {
    case pixels(PixelSize, isDamaged: Bool)
    case file(PixelSize, count: Int)
    case checked
    case failed(ImageError)
  }

  var number: Int
  var content: Content

  /// The file's first page has the flag of cancelling.
  static let offset = 4096
  static let mostBytes = 1024
  private static let mostText = 300

  var bytes: [UInt8] {
    switch content {
    case .pixels(let size, let isDamaged):
      return WorkerWords.bytes([number, 0, size.width, size.height, isDamaged ? 1 : 0, 0])
    case .file(let size, let count): return WorkerWords.bytes([number, 1, size.width, size.height, count, 0])
    case .checked: return WorkerWords.bytes([number, 2, 0, 0, 0, 0])
    case .failed(let error):
      let kind = ImageError.Kind.allCases.firstIndex(of: error.kind) ?? 0
      let message = Array(error.message.utf8.prefix(Self.mostText))
      let remedy = Array(error.remedy.utf8.prefix(Self.mostText))
      return WorkerWords.bytes([number, 3, kind, message.count, remedy.count, 0]) + message + remedy
    }
  }

  init(number: Int, _ content: Content) { (self.number, self.content) = (number, content) }

  /// nil for bytes that are no answer to this request, or name a result that its work cannot have.
  /// - Parameter room: the bytes that the result's file can hold.
  init?(_ bytes: [UInt8], to request: WorkerRequest, room: Int) {
    guard let words = WorkerWords.words(bytes[...], 6), words[0] == request.number else { return nil }
    number = words[0]
    let size = PixelSize(width: words[2], height: words[3])
    switch words[1] {
    case 0, 1:
      guard request.work.mayGive(size, limits: request.limits), request.work.givesFile == (words[1] == 1),
        request.work != .check
      else { return nil }
      if words[1] == 0 {
        guard (0...1).contains(words[4]), 3 * size.width * size.height <= room else { return nil }
        content = .pixels(size, isDamaged: words[4] == 1)
      } else {
        guard (1...room).contains(words[4]) else { return nil }
        content = .file(size, count: words[4])
      }
    case 2:
      guard request.work == .check else { return nil }
      content = .checked
    case 3:
      let kinds = ImageError.Kind.allCases
      let texts = bytes.dropFirst(48)
      guard kinds.indices.contains(words[2]), (0...Self.mostText).contains(words[3]),
        (0...Self.mostText).contains(words[4]), texts.count == words[3] + words[4]
      else { return nil }
      content = .failed(
        ImageError(
          kinds[words[2]], Self.text(texts.prefix(words[3])), remedy: Self.text(texts.dropFirst(words[3]))))
    default: return nil
    }
  }

  /// Printable ASCII, in which all sentences of `ImageError` are written.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
  }
}

extension PictureWork {
  var givesFile: Bool {
    switch self {
    case .thumbnailFile, .copy: true
    case .decode, .thumbnail, .area, .check: false
    }
  }
}

enum WorkerWords {
  static func bytes(_ words: [Int]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// The first words; nil if there are fewer.
  static func words(_ bytes: ArraySlice<UInt8>, _ count: Int) -> [Int]? {
    guard bytes.count >= 8 * count else { return nil }
    return (0..<count).map { word in
      (0..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[bytes.startIndex + 8 * word + $1]) }
    }
  }
}
