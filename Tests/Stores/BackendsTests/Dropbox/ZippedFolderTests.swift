import FileStores
import Testing
import Zip

@testable import Backends

/// What is looked for in an archive, and when looking ends.
@Suite struct ZippedFolderTests {
  private func file(_ path: String, _ bytes: [UInt8]) throws -> FileEntry {
    FileEntry(
      path: try StorePath(path), kind: .file, size: UInt64(bytes.count), revision: Revision("1"),
      contentHash: ContentHash(of: bytes))
  }

  private func parts(
    _ archive: [UInt8], _ files: [FileEntry], by size: Int = 50_000
  ) throws -> (whole: [String], isWaste: Bool) {
    var folder = ZippedFolder(files, below: .root, top: "Club".utf8)
    var whole: [String] = []
    var rest = archive[...]
    while !rest.isEmpty, !folder.isWaste {
      folder.add(rest.prefix(size))
      rest = rest.dropFirst(size)
      while case let parts = try folder.next(), !parts.isEmpty {
        for case .whole(let file) in parts { whole.append(file.path.description) }
      }
    }
    return (whole, folder.isWaste)
  }

  @Test("More that is not wanted than is, and some, is not worth the wait") func waste() throws {
    let large = [UInt8](repeating: 7, count: 20 << 20)
    var (writer, archive) = (ZipWriter(), [UInt8]())
    writer.addFile("Club/.club-trash/old.jpg", modified: 0, content: large[...], to: &archive)
    writer.addFile("Club/a.md", modified: 0, content: [1, 2], to: &archive)
    writer.finish(to: &archive)
    let small = try parts(archive, [file("a.md", [1, 2])])
    #expect(small.isWaste && small.whole == [])
    let worth = try parts(archive, [file("a.md", [1, 2]), file("b", [UInt8](repeating: 1, count: 3 << 20))])
    #expect(!worth.isWaste && worth.whole == ["a.md"])
  }

  @Test("A file is reported once, however often its name comes, and in whatever case") func twice() throws {
    var (writer, archive) = (ZipWriter(), [UInt8]())
    for name in ["CLUB/A.MD", "Club/a.md", "a.md"] {
      writer.addFile(name, modified: 0, content: [1, 2], to: &archive)
    }
    writer.finish(to: &archive)
    #expect(try parts(archive, [file("a.md", [1, 2])], by: 1).whole == ["a.md"])
  }

  @Test("Sizes that no disk holds are looked for all the same") func huge() throws {
    var (writer, archive) = (ZipWriter(), [UInt8]())
    writer.addFile("Club/a", modified: 0, content: [1], to: &archive)
    writer.finish(to: &archive)
    let huge = FileEntry(
      path: try StorePath("a"), kind: .file, size: .max, revision: Revision("1"), contentHash: ContentHash(of: [1]))
    let other = FileEntry(
      path: try StorePath("b"), kind: .file, size: .max, revision: Revision("1"), contentHash: ContentHash(of: [1]))
    #expect(try parts(archive, [huge, other]).whole == [])
  }
}
