import ClubServices
import FileStores
import TextUI

@testable import Imaging
@testable import Screens

/// A wall in virtual time: pauses and reads end in their order, and nothing waits for a real clock.
final class WallWorld {
  private(set) var state: WallState
  var frame = Frame(
    size: Size(80, 24), abilities: TerminalAbilities(colors: .trueColor), keys: .standard, club: "home: ~/ByteClub")
  /// Milliseconds since the beginning.
  private(set) var now = 0
  /// The photos in sight, each with its first millisecond.
  private(set) var shown: [(name: String, time: Int)] = []
  private(set) var ticks = 0
  private(set) var reads = 0
  /// The reason why a photo cannot be read.
  var failures: [String: StoreError] = [:]
  /// Photos on this machine, while the store does not answer.
  var kept: Set<String> = []
  private var times: [String: Int64] = [:]
  private var pending: [String: (due: Int, order: Int, action: WallAction)] = [:]
  private var count = 0

  static let readTime = 300

  init(
    _ names: [String], seconds: Int = 20, reducedMotion: Bool = false, failures: [String: StoreError] = [:]
  ) {
    self.failures = failures
    state = WallState(seconds: seconds, endsApp: false)
    if reducedMotion {
      frame = Frame(
        size: frame.size, abilities: frame.abilities, keys: frame.keys, club: frame.club, reducedMotion: true)
    }
    for (index, name) in names.enumerated() { times[name] = Int64(names.count - index) }
    list()
  }

  /// Pauses and reads that have not ended.
  var waiting: Set<String> { Set(pending.keys) }

  private func photo(_ name: String) -> WallOrder.Photo {
    WallOrder.Photo(Samples.path("photos/\(name)"), time: times[name])
  }

  func list() { carryOut(state.list(times.keys.map(photo), frame)) }

  func bring(_ names: String...) {
    for name in names { times[name] = Int64(1_000_000 + now + times.count) }
    change(names.map { .present(entry($0)) })
  }

  func remove(_ names: String...) {
    for name in names { times[name] = nil }
    change(names.map { .absent(Samples.path("photos/\($0)")) })
  }

  func change(_ changes: [ChangeSet.Change]) { carryOut(state.change(changes, frame)) }

  private func entry(_ name: String) -> FileEntry {
    FileEntry(
      path: Samples.path("photos/\(name)"), kind: .file, size: 1,
      modified: times[name].map { Timestamp(nanoseconds: $0) }, revision: Revision("r\(now)"))
  }

  /// The store stops to answer, or answers again.
  func connect(_ isOnline: Bool) {
    frame.connection = isOnline ? .online : .offline(since: 0, StoreError(.offline, "The server is away."))
    carryOut(state.reconnect(frame))
  }

  func key(_ run: (inout WallState, Frame) -> WallState.Commands) { carryOut(run(&state, frame)) }

  func run(seconds: Int) {
    let end = now + seconds * 1000
    while let next = pending.min(by: { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }),
      next.value.due <= end
    {
      pending[next.key] = nil
      now = next.value.due
      if case .ticked = next.value.action { ticks += 1 }
      carryOut(state.update(next.value.action, frame))
    }
    now = end
  }

  private func carryOut(_ commands: WallState.Commands) {
    for command in commands {
      count += 1
      switch command {
      case .run(.wait(let pause, let action), let key?):
        let (seconds, rest) = pause.components
        pending[key] = (now + Int(seconds) * 1000 + Int(rest / 1_000_000_000_000_000), count, action)
      case .run(.read(let paths, let isFine), let key?):
        reads += 1
        if let action = read(paths, isFine) { pending[key] = (now + Self.readTime, count, action) }
      case .cancel(let key): pending[key] = nil
      default: break
      }
    }
    guard let path = state.viewer?.path else { return }
    let name = String(decoding: path.name, as: UTF8.self)
    if shown.last?.name != name { shown.append((name, now)) }
  }

  private func read(_ paths: [StorePath], _ isFine: Bool) -> WallAction? {
    let names = paths.map { String(decoding: $0.name, as: UTF8.self) }
    func failed(_ error: StoreError) -> WallAction { .failed(.read(paths, isFine: isFine), error) }
    var place = 0
    if frame.isAway {
      guard let here = names.firstIndex(where: kept.contains) else { return failed(StoreError(.offline, "Away.")) }
      place = here
    } else if let error = failures[names[0]] {
      return failed(error)
    }
    return (try? Samples.wallPhoto(paths[place])).map(WallAction.read)
  }
}
