import FileStores
import POSIX

/// A form with one file (RFC 7578), read as a stream: small fields, then the file.
actor MultipartBody {
  private static let (mostBytes, mostFields) = (Route.formBytes, 64)
  private static let fieldPiece = 16 << 10
  private let body: RequestBytes
  private let mark: [UInt8]
  // A leading line break makes the first boundary like all others.
  private var buffer: [UInt8] = Array("\r\n".utf8)
  private var isFileAtEnd = false
  private var budget = MultipartBody.mostBytes
  private(set) var fileName: String?

  /// - Throws: 400 if `type`, the header `Content-Type`, names no boundary.
  init(_ type: String, _ body: RequestBytes) throws {
    let word = type.split(separator: ";").map { $0.drop { $0 == " " } }
      .first { $0.lowercased().hasPrefix("boundary=") }
    let boundary = word?.dropFirst("boundary=".count).filter { $0 != "\"" } ?? ""
    guard (1...70).contains(boundary.utf8.count) else { throw V1Failure.malformed("The form has no boundary.") }
    mark = Array("\r\n--\(boundary)".utf8)
    self.body = body
  }

  /// Reads up to the file's content. Returns the fields before it, with the file's name as `file`.
  func open() async throws -> [String: String] {
    var fields: [String: String] = [:]
    var parts = 0
    try await skipMark()
    while try await !isLast() {
      let (name, file) = try await header()
      if let file {
        fileName = file
        fields["file"] = file
        return fields
      }
      parts += 1
      guard parts <= MultipartBody.mostFields else { throw MultipartBody.tooLarge }
      var value: [UInt8] = []
      while let chunk = try await next() {
        value += chunk
        try spend(chunk.count)
      }
      if let name { fields[name] = String(decoding: value, as: UTF8.self) }
      isFileAtEnd = false
    }
    throw V1Failure.malformed("The form has no file.")
  }

  /// nil at the end of the file or the current field.
  func next() async throws(StoreError) -> ByteChunk? {
    while !isFileAtEnd {
      if let place = MultipartBody.place(of: mark, in: buffer) {
        isFileAtEnd = true
        let chunk = buffer[..<place]
        buffer = Array(buffer[(place + mark.count)...])
        if !chunk.isEmpty { return chunk }
        return nil
      }
      // The last bytes may be the beginning of a boundary.
      let sure = buffer.count - mark.count + 1
      if sure > 0 {
        let chunk = buffer[..<sure]
        buffer = Array(buffer[sure...])
        return chunk
      }
      try await fill()
    }
    return nil
  }

  func finish() async throws(StoreError) {
    while try await body.next() != nil {}
  }

  private static let tooLarge = V1Failure(413, "The form has too much before its file.")

  private func spend(_ bytes: Int) throws(V1Failure) {
    budget -= bytes
    guard budget >= 0 else { throw MultipartBody.tooLarge }
  }

  private func fill() async throws(StoreError) {
    let chunk = fileName == nil ? try await body.next(about: MultipartBody.fieldPiece) : try await body.next()
    guard let chunk else { throw StoreError(.offline, "The form ended before its file did.") }
    buffer += chunk
  }

  private func skipMark() async throws {
    while MultipartBody.place(of: mark, in: buffer) == nil {
      guard buffer.count <= MultipartBody.mostBytes else { throw V1Failure.malformed("The form has no parts.") }
      try await fill()
    }
    guard let place = MultipartBody.place(of: mark, in: buffer) else { return }
    buffer.removeFirst(place + mark.count)
    try spend(place)
  }

  /// True for the final boundary, which has two more dashes.
  private func isLast() async throws(StoreError) -> Bool {
    while buffer.count < 2 { try await fill() }
    return buffer.starts(with: "--".utf8)
  }

  private func header() async throws -> (name: String?, file: String?) {
    let end = Array("\r\n\r\n".utf8)
    while MultipartBody.place(of: end, in: buffer) == nil {
      guard buffer.count <= MultipartBody.mostBytes else {
        throw V1Failure.malformed("A part has no end of header.")
      }
      try await fill()
    }
    guard let place = MultipartBody.place(of: end, in: buffer) else { return (nil, nil) }
    let lines = String(decoding: buffer[..<place], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(place + end.count)
    try spend(place + end.count)
    let line = lines.first { $0.lowercased().hasPrefix("content-disposition:") } ?? ""
    return (MultipartBody.parameter("name", of: line), MultipartBody.parameter("filename", of: line))
  }

  /// Browsers write quotes and line breaks in a quoted parameter as percent escapes.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    for part in line.split(separator: ";") {
      let word = part.drop { $0 == " " }
      guard word.lowercased().hasPrefix(name + "=") else { continue }
      return word.dropFirst(name.count + 1).filter { $0 != "\"" }.replacing("%22", with: "\"")
        .replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
    return nil
  }

  private static func place(of word: [UInt8], in bytes: [UInt8]) -> Int? {
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
