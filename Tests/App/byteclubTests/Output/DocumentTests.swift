import FileStores
import JSON
import Testing

@testable import byteclub

/// The JSON that scripts read: compared as text, because the order and the names are the promise.
struct DocumentTests {
  private let entry: FileEntry

  init() throws {
    entry = FileEntry(
      path: try StorePath("photos/a\"b.jpg"), kind: .file, size: 1234,
      modified: Timestamp(seconds: 1_772_366_400, nanoseconds: 500_000_000), revision: Revision("r1"),
      contentHash: ContentHash(of: []))
  }

  @Test func `a file has name, path, size, time, revision, hash and state`() {
    #expect(
      Answer([Record(.file(entry, state: .draft), line: nil)]).document.encoded
        == #"{"ok":true,"results":[{"name":"a\"b.jpg","path":"photos/a\"b.jpg","size":1234,"#
        + #""modified":"2026-03-01T12:00:00.5Z","revision":"r1","#
        + #""contentHash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","state":"draft"}]}"#)
  }

  @Test func `what is not known is left out`() throws {
    let bare = FileEntry(path: try StorePath("a.md"), kind: .file)
    #expect(JSONValue.file(bare).encoded == #"{"name":"a.md","path":"a.md","state":"stored"}"#)
  }

  @Test func `an error has kind, message with what to do, and path`() throws {
    var answer = Answer()
    answer.failures = [
      StoreError(.conflict, "It changed.", remedy: "Look again.", path: try StorePath("a.md"))
    ]
    #expect(
      answer.document.encoded
        == #"{"ok":false,"error":{"kind":"conflict","message":"It changed. Look again.","path":"a.md"}}"#)
    answer.failures.append(StoreError(.offline, "Away."))
    #expect(answer.document["errors"]?.elements?.count == 2)
  }

  @Test func `a file in the trash says where it was and when it went`() throws {
    let file = TrashedFile(
      id: "7", origin: try StorePath("a.md"), discarded: Timestamp(seconds: 0), size: 3)
    #expect(
      JSONValue.trashed(file).encoded
        == #"{"id":"7","name":"a.md","path":"a.md","size":3,"discarded":"1970-01-01T00:00:00Z","state":"trashed"}"#)
  }
}
