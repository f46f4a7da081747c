import FileStores
import TestKit
import Testing

@Suite struct PrivateDirectoryTests {
  @Test func `directories and files are the member's own`() throws {
    let folder = try TemporaryFolder()
    let own = try PrivateDirectory(making: folder.file("a/b"))
    try own.write([1, 2], as: "x")
    try own.write([3], as: "x")
    #expect(folder.mode("a") == 0o700 && folder.mode("a/b") == 0o700 && folder.mode("a/b/x") == 0o600)
    #expect(try own.read("x") == [3])
    #expect(try own.read("y") == nil)
    #expect(try own.names() == ["x"])
    #expect(own.holds("x") && !own.holds("y"))
  }

  @Test func `a large file is read whole`() throws {
    let folder = try TemporaryFolder()
    let own = try PrivateDirectory(making: folder.file("a"))
    let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try own.write(bytes, as: "x")
    #expect(try own.read("x") == bytes)
    try own.removeAll()
    #expect(folder.names(in: "a").isEmpty)
    try own.removeAll()
  }

  @Test func `a folder is no file, and the failure says which`() throws {
    let folder = try TemporaryFolder()
    let own = try PrivateDirectory(making: folder.path)
    _ = try own.directory("sub")
    let read = #expect(throws: StoreError.self) { try own.read("sub") }
    #expect(read?.message.contains(folder.file("sub")) == true)
    let written = #expect(throws: StoreError.self) { try own.write([1], as: "sub") }
    #expect(written?.message.contains(folder.file("sub")) == true)
    #expect(folder.names() == ["sub"])
  }
}
