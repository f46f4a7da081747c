import Basics
import FileStores
import Testing

@testable import ClubServices

@Suite struct FollowedTests {
  @Test func `however many threads change it, the newest value is the last that arrives`() async {
    let followed = Followed(0)
    let pool = BlockingPool(threads: 4)
    let stream = followed.values()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { await pool.run { for _ in 0..<500 { followed.change { $0 + 1 } } } }
      }
    }
    var last = -1
    for await value in stream {
      #expect(value >= last)
      last = value
      if value == 2000 { break }
    }
    #expect(followed.value == 2000)
  }

  @Test func `what is not changed is not sent, and who has left is forgotten`() async {
    let followed = Followed("a")
    var values: AsyncStream<String>.Iterator? = followed.values().makeAsyncIterator()
    #expect(await values?.next() == "a")
    followed.change { _ in nil }
    followed.change { _ in "b" }
    #expect(await values?.next() == "b")
    #expect(followed.followers == 1)
    values = nil
    #expect(followed.followers == 0)
  }
}
