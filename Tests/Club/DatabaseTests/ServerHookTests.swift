import FileStores
import TestKit
import Testing

@testable import Database

/// The batches of a hook that wait.
@Suite struct ServerHookTests {
  private func batch(_ number: Int) -> ServerHookDatabase.Batch {
    ServerHookDatabase.Batch(id: "\(number)", body: "body \(number)")
  }

  private func place(_ number: Int) -> ServerHookDatabase.Place {
    ServerHookDatabase.Place(epoch: "e", number: Int64(number))
  }

  @Test func `batches and the place after them outlive the program, and the oldest come first`() throws {
    let path = TemporaryFolder.newPath() + "/hook.sqlite"
    let first = try ServerHookDatabase(path: path)
    #expect(try first.place() == nil && first.oldest() == nil)
    try first.begin(after: place(7))
    #expect(try first.place() == place(7))
    for number in 1...3 { #expect(try first.add(batch(number), endingAt: place(10 * number), most: 1000) == 0) }
    let second = try ServerHookDatabase(path: path)
    #expect(try second.place() == place(30) && second.oldest() == batch(1))
    try second.remove(batch(1))
    #expect(try first.oldest() == batch(2))
  }

  @Test func `versions that were there at the beginning stay known, those alone, until the next beginning`() throws {
    let path = TemporaryFolder.newPath() + "/hook.sqlite"
    func version(_ name: String, _ revision: String) throws -> ServerHookDatabase.Version {
      ServerHookDatabase.Version(path: try StorePath(name), revision: Revision(revision))
    }
    let (old, other, changed) = (try version("a.jpg", "1"), try version("b.jpg", "1"), try version("a.jpg", "2"))
    try ServerHookDatabase(path: path).begin(after: place(7), earlier: [old])
    let again = try ServerHookDatabase(path: path)
    #expect(try again.place() == place(7) && again.earlier(of: [old, other, changed]) == [old])
    try again.begin(after: place(9))
    #expect(try again.earlier(of: [old]) == [old])
    try again.begin(after: place(9), earlier: [other])
    #expect(try again.earlier(of: [old, other]) == [other])
  }

  @Test func `the oldest batches go when too many wait`() throws {
    let hook = try ServerHookDatabase(path: ":memory:")
    let lost = try (1...5).map { try hook.add(batch($0), endingAt: place($0), most: 3) }
    #expect(lost == [0, 0, 0, 1, 1])
    #expect(try hook.oldest() == batch(3) && hook.place() == place(5))
    for number in 3...5 { try hook.remove(batch(number)) }
    #expect(try hook.oldest() == nil)
    #expect(try hook.add(batch(6), endingAt: place(6), most: 3) == 0)
  }
}
