import FileStores
import POSIX

/// A form with files (RFC 7578), taken apart piece by piece as its bytes come. It does no I/O. Besides the bytes that were
/// just added it holds the header of one part at most.
struct MultipartMachine {
  /// The header of a part.
  struct Head: Equatable, Sendable {
    let name: String?
    /// nil for a field that is no file.
    let file: String?
  }

  enum Event: Equatable, Sendable {
    case part(Head)
    case bytes(ByteChunk)
    case endOfPart
    /// The final boundary. Bytes after it mean nothing.
    case end
  }

  enum Fault: Error, Equatable {
    case noBoundary
    /// No boundary within the first bytes.
    case noParts
    case endlessHeader
    case tooManyParts

    var sentence: String {
      switch self {
      case .noBoundary: "The form has no boundary."
      case .noParts: "The form has no parts."
      case .endlessHeader: "A part has no end of header."
      case .tooManyParts: "The form has too many parts."
      }
    }
  }

  private enum State {
    case preamble, afterMark, body, ended
  }

  static let mostHeaderBytes = 16 << 10
  private static let mostPreambleBytes = 64 << 10
  private static let lineEnds = Array("\r\n\r\n".utf8)
  private let mark: [UInt8]
  private let mostParts: Int
  private var state = State.preamble
  private var parts = 0
  private var skipped = 0
  // A leading line break makes the first boundary like all others.
  private var buffer: ByteChunk = Array("\r\n".utf8)[...]

  /// - Parameter type: the header `Content-Type`.
  init(_ type: String, mostParts: Int) throws(Fault) {
    let word = type.split(separator: ";").map { $0.drop { $0 == " " } }
      .first { $0.lowercased().hasPrefix("boundary=") }
    let boundary = word?.dropFirst("boundary=".count).filter { $0 != "\"" } ?? ""
    guard (1...70).contains(boundary.utf8.count) else { throw .noBoundary }
    mark = Array("\r\n--\(boundary)".utf8)
    self.mostParts = mostParts
  }

  mutating func add(_ bytes: ByteChunk) {
    guard state != .ended else { return }
    if buffer.isEmpty { buffer = bytes } else { buffer = (Array(buffer) + bytes)[...] }
  }

  /// nil until more bytes are added, and after the end.
  mutating func next() throws(Fault) -> Event? {
    switch state {
    case .ended: return nil
    case .preamble:
      guard let place = MultipartMachine.place(of: mark, in: buffer) else {
        skipped += drop(max(0, buffer.count - mark.count + 1))
        guard skipped <= MultipartMachine.mostPreambleBytes else { throw .noParts }
        return nil
      }
      drop(place + mark.count)
      state = .afterMark
      return try next()
    case .afterMark:
      guard buffer.count >= 2 else { return nil }
      // The final boundary has two more dashes.
      if buffer.starts(with: "--".utf8) {
        (state, buffer) = (.ended, [])
        return .end
      }
      return try head()
    case .body: return content()
    }
  }

  private mutating func head() throws(Fault) -> Event? {
    let end = MultipartMachine.place(of: MultipartMachine.lineEnds, in: buffer)
    guard end ?? buffer.count <= MultipartMachine.mostHeaderBytes else { throw .endlessHeader }
    guard let end else { return nil }
    parts += 1
    guard parts <= mostParts else { throw .tooManyParts }
    let lines = String(decoding: buffer.prefix(end), as: UTF8.self).split(separator: "\r\n")
    drop(end + MultipartMachine.lineEnds.count)
    // An empty part begins with the line break of its own boundary.
    state = .body
    let line = lines.first { $0.lowercased().hasPrefix("content-disposition:") } ?? ""
    return .part(
      Head(
        name: MultipartMachine.parameter("name", of: line), file: MultipartMachine.parameter("filename", of: line)))
  }

  private mutating func content() -> Event? {
    if let place = MultipartMachine.place(of: mark, in: buffer) {
      if place > 0 { return .bytes(take(place)) }
      drop(mark.count)
      state = .afterMark
      return .endOfPart
    }
    // The last bytes may be the beginning of a boundary.
    let sure = buffer.count - mark.count + 1
    return sure > 0 ? .bytes(take(sure)) : nil
  }

  private mutating func take(_ count: Int) -> ByteChunk {
    defer { drop(count) }
    return buffer.prefix(count)
  }

  @discardableResult private mutating func drop(_ count: Int) -> Int {
    buffer = buffer.dropFirst(count)
    return count
  }

  /// A quoted parameter may have a semicolon in it. Browsers write its quotes and line breaks as percent escapes.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    var words: [String] = [""]
    var isQuoted = false
    for letter in line {
      switch letter {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted: words.append("")
      default: words[words.count - 1].append(letter)
      }
    }
    for word in words.map({ $0.drop { $0 == " " } }) where word.lowercased().hasPrefix(name + "=") {
      return String(word.dropFirst(name.count + 1)).replacing("%22", with: "\"").replacing("%0D", with: "\r")
        .replacing("%0A", with: "\n")
    }
    return nil
  }

  /// The distance of a word from the beginning of the bytes; nil if it is not there.
  private static func place(of word: [UInt8], in bytes: ByteChunk) -> Int? {
    guard let first = word.first else { return nil }
    return bytes.withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress else { return nil }
      var at = 0
      while at + word.count <= bytes.count {
        guard let found = memchr(start + at, Int32(first), bytes.count - at - word.count + 1) else { return nil }
        at = UnsafeRawPointer(found) - start
        if word.withUnsafeBytes({ memcmp(found, $0.baseAddress ?? start, word.count) }) == 0 { return at }
        at += 1
      }
      return nil
    }
  }
}
