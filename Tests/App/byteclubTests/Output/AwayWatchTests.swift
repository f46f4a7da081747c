import FileStores
import Synchronization
import Testing
import Transfers

@testable import byteclub

struct AwayWatchTests {
  private final class Count: Sendable {
    let value = Mutex(0)
  }

  private func waiting(
    _ id: String, _ kind: StoreError.Kind = .offline, _ wait: Duration? = nil
  ) throws -> TransferEvent {
    var transfer = Transfer(id: id, direction: .upload, name: "a.jpg", path: try StorePath("photos/a.jpg"))
    (transfer.state, transfer.error) = (.waiting, StoreError(kind, "No answer.", retryAfter: wait))
    return .entered(transfer)
  }

  @Test func `a command gives up once its transfer has found no server some times in a row`() throws {
    let count = Count()
    let watch = AwayWatch { count.value.withLock { $0 += 1 } }
    watch.watch(["a"])
    for _ in 1..<AwayWatch.mostTries { watch.report(try waiting("a")) }
    #expect(count.value.withLock { $0 } == 0)
    watch.report(try waiting("a"))
    watch.report(try waiting("a"))
    #expect(count.value.withLock { $0 } == 1)
    #expect(watch.newest("a")?.state == .waiting)
  }

  @Test func `progress begins the count anew, and other transfers do not count`() throws {
    let count = Count()
    let watch = AwayWatch { count.value.withLock { $0 += 1 } }
    watch.watch(["a"])
    for _ in 0..<9 { watch.report(try waiting("b")) }
    for _ in 1..<AwayWatch.mostTries { watch.report(try waiting("a")) }
    watch.report(
      .progressed(Transfer(id: "a", direction: .upload, name: "a.jpg", path: try StorePath("photos/a.jpg"))))
    watch.report(try waiting("a"))
    #expect(count.value.withLock { $0 } == 0)
  }

  @Test(arguments: [(Duration.seconds(20), 3), (.seconds(300), 1), (nil, 6)])
  func `a command gives up once a busy server has asked for a minute's wait without taking anything`(
    wait: Duration?, tries: Int
  ) throws {
    let count = Count()
    let watch = AwayWatch { count.value.withLock { $0 += 1 } }
    watch.watch(["a", "b"])
    for _ in 1..<tries { watch.report(try waiting("a", .rateLimited, wait)) }
    // The server takes another one.
    watch.report(
      .progressed(Transfer(id: "b", direction: .upload, name: "b.jpg", path: try StorePath("photos/b.jpg"))))
    for _ in 1..<tries { watch.report(try waiting("a", .rateLimited, wait)) }
    #expect(count.value.withLock { $0 } == 0)
    watch.report(try waiting("a", .rateLimited, wait))
    #expect(count.value.withLock { $0 } == 1 && watch.hasEnded)
  }

  @Test func `a transfer that had no answer before it is watched counts, too`() throws {
    let count = Count()
    let watch = AwayWatch { count.value.withLock { $0 += 1 } }
    for _ in 0..<AwayWatch.mostTries { watch.report(try waiting("a")) }
    watch.watch(["a"])
    #expect(count.value.withLock { $0 } == 1)
  }
}
