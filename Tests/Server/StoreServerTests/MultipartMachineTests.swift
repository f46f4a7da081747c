import FileStores
import Testing

@testable import StoreServer

/// Forms with files, taken apart without any I/O.
struct MultipartMachineTests {
  private static let form = Array(
    """
    ignored\r
    --x\r
    Content-Disposition: form-data; name="caption"\r
    \r
    At the pier\r
    --x\r
    Content-Disposition: form-data; name="pictures"; filename="a; b.jpg"\r
    Content-Type: image/jpeg\r
    \r
    one\r\n--\r\ntwo\r
    --x\r
    Content-Type: text/plain\r
    \r
    \r
    --x--\r
    ignored
    """.utf8)

  private static let type = "multipart/form-data; boundary=\"x\""

  /// The parts of a form that comes in pieces of so many bytes, and true if its end came.
  private func parts(
    of form: [UInt8], by count: Int, mostParts: Int = 10
  ) throws -> (parts: [(head: MultipartMachine.Head, text: String, isWhole: Bool)], hasEnded: Bool) {
    var machine = try MultipartMachine(Self.type, mostParts: mostParts)
    var parts: [(head: MultipartMachine.Head, text: String, isWhole: Bool)] = []
    var hasEnded = false
    for start in stride(from: 0, to: form.count, by: count) {
      machine.add(form[start..<min(start + count, form.count)])
      while let event = try machine.next() {
        switch event {
        case .part(let head): parts.append((head, "", false))
        case .bytes(let bytes): parts[parts.count - 1].text += String(decoding: bytes, as: UTF8.self)
        case .endOfPart: parts[parts.count - 1].isWhole = true
        case .end: hasEnded = true
        }
      }
    }
    return (parts, hasEnded)
  }

  @Test("A form has the same parts in whatever pieces it comes", arguments: [1, 2, 3, 5, 7, 64, 10_000])
  func pieces(count: Int) throws {
    let (parts, hasEnded) = try parts(of: Self.form, by: count)
    #expect(hasEnded && parts.map(\.text) == ["At the pier", "one\r\n--\r\ntwo", ""])
    #expect(parts.map(\.head.name) == ["caption", "pictures", nil])
    #expect(parts.map(\.head.file) == [nil, "a; b.jpg", nil])
    #expect(parts.map(\.isWhole) == [true, true, true])
  }

  @Test("A form that is cut anywhere has its first parts whole, and says that the last is not")
  func cuts() throws {
    let ends = ["pier\r\n--x", "two\r\n--x", "plain\r\n\r\n\r\n--x"].map { text in
      (Self.form.firstRange(of: Array(text.utf8))?.upperBound ?? 0)
    }
    for cut in 0..<Self.form.count {
      let (parts, hasEnded) = try parts(of: Array(Self.form.prefix(cut)), by: 4)
      #expect(parts.count { $0.isWhole } == ends.count { $0 <= cut }, "\(cut)")
      #expect(!hasEnded || cut >= ends[2] + 2)
    }
  }

  @Test("A form without a boundary, without parts, with too many parts or an endless header is refused")
  func bounds() throws {
    for type in [
      "", "multipart/form-data", "multipart/form-data; boundary=", "a; boundary=" + String(repeating: "x", count: 71),
    ] {
      #expect(throws: MultipartMachine.Fault.noBoundary) { try MultipartMachine(type, mostParts: 1) }
    }
    #expect(throws: MultipartMachine.Fault.noParts) {
      try parts(of: Array(repeating: 1, count: 70 << 10), by: 1000)
    }
    #expect(throws: MultipartMachine.Fault.endlessHeader) {
      try parts(of: Array("--x\r\n".utf8) + Array(repeating: 65, count: 20 << 10), by: 1000)
    }
    #expect(throws: MultipartMachine.Fault.tooManyParts) { try parts(of: Self.form, by: 100, mostParts: 2) }
  }
}
