import Basics
import Dispatch
import FileStores
import Synchronization
import Testing
import Transfers

@testable import ClubServices

/// Asks something each time that it is called.
private final class AskingDelegate: TransferDelegate {
  private let ask: @Sendable () -> Void
  private let count = Mutex(0)
  init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }

  var calls: Int { count.withLock { $0 } }

  func report(_ event: TransferEvent) {
    count.withLock { $0 += 1 }
    ask()
  }
}

/// Holds up the thread that delivers its first event.
private final class SlowDelegate: TransferDelegate {
  private let isHeld = PendingAnswer<Void>()
  private let mayGo = DispatchSemaphore(value: 0)
  private let isFirst = Mutex(true)

  func held() async { _ = await isHeld.value() }
  func go() { mayGo.signal() }

  func report(_ event: TransferEvent) {
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    guard isFirst else { return }
    isHeld.give(())
    mayGo.wait()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The delegates of a process` {
  private let broadcast = TransferBroadcast()

  private func transfer(_ id: String) throws -> Transfer {
    Transfer(id: id, direction: .upload, name: "a.jpg", path: try StorePath("a.jpg"))
  }

  @Test func `may ask about transfers while they are called`() async throws {
    let seen = Mutex<[Int]>([])
    let delegate = AskingDelegate { [broadcast] in
      let count = broadcast.transfers.count
      seen.withLock { $0.append(count) }
    }
    let source = broadcast.newSource()
    source.report(.appeared(try transfer("t1")))
    await broadcast.attach(delegate)
    source.report(.appeared(try transfer("t2")))
    source.report(.finished(try transfer("t1")))
    source.report(.disappeared("t2"))
    #expect(seen.withLock { $0 } == [1, 2, 2, 1])
    await broadcast.detach(delegate)
  }

  @Test func `may report events while they are called, which follow in order`() async throws {
    let (source, witness) = (broadcast.newSource(), WitnessDelegate())
    let once = Mutex(true)
    let other = try transfer("t2")
    let delegate = AskingDelegate { [source] in
      guard
        once.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      source.report(.appeared(other))
    }
    await broadcast.attach(delegate)
    await broadcast.attach(witness)
    source.report(.appeared(try transfer("t1")))
    #expect(witness.lines == ["t1 appeared queued", "t2 appeared queued"])
    #expect(delegate.calls == 2)
    await broadcast.detach(delegate)
  }

  @Test func `hear nothing more once they are detached`() async throws {
    let (source, witness) = (broadcast.newSource(), WitnessDelegate())
    await broadcast.attach(witness)
    source.report(.appeared(try transfer("t1")))
    await broadcast.detach(witness)
    source.report(.appeared(try transfer("t2")))
    #expect(witness.lines == ["t1 appeared queued"])
  }

  @Test func `have all transfers once they are attached, also while another thread delivers to a slow one`()
    async throws
  {
    let scene = try HubScene()
    let first = scene.hub()
    _ = try await first.add([try HubScene.order("a.jpg"), try HubScene.order("b.jpg")])
    await first.stop()
    let (slow, witness) = (SlowDelegate(), WitnessDelegate())
    let other = Mutex<Task<Void, Never>?>(nil)
    let isAttached = Mutex(false)
    let transfer = try #require(scene.list.state.withLock { $0.transfers.first })
    let hub = scene.hub(beforeReport: { [pool = scene.pool] delegate in
      other.withLock {
        $0 = Task.detached(executorPreference: pool.tasks) { delegate.report(.appeared(transfer)) }
      }
      await slow.held()
    })
    let attaching = Task.detached(executorPreference: scene.pool.tasks) {
      await hub.attach([slow, witness])
      isAttached.withLock { $0 = true }
    }
    while await hub.role != .owner { await Task.yield() }
    for _ in 0..<1000 { await Task.yield() }
    #expect(!isAttached.withLock { $0 })
    slow.go()
    await attaching.value
    #expect(witness.lines.prefix(2) == ["t1 appeared queued", "t2 appeared queued"])
    await other.withLock { $0 }?.value
    await hub.stop()
  }

  @Test func `a cancelled task waits for no end, and gets the transfer as it stands`() async throws {
    broadcast.newSource().report(.appeared(try transfer("t1")))
    let waits = Task { [broadcast] in await broadcast.ended("t1") }
    waits.cancel()
    #expect(await waits.value?.state == .queued)
    #expect(!broadcast.isListening)
  }
}
