import FileStores

extension StoreChecks {
  static let presence: [StoreCheck] = [
    StoreCheck("a member sees where another is, by name, until they show nothing, and never themselves") { test in
      guard let writers = test.writers, let own = test.store.capabilities.presence,
        let theirs = writers.others.capabilities.presence
      else { return }
      let sight = Sight(
        try StorePath("photos/a.jpg"), gaze: Gaze(yawDegrees: 12.34, pitchDegrees: -5, widthDegrees: 90))
      let (seen, tell) = AsyncStream.makeStream(of: [PresentMember].self)
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let watches = [
        Task { try await own.watch { tell.yield($0) } }, Task { try await theirs.watch { _ in begin.yield(()) } },
      ]
      defer { for watch in watches { watch.cancel() } }
      // A sight lives as long as its member watches.
      for await _ in begun { break }
      try await theirs.show(sight)
      try await own.show(Sight(try StorePath("b.md")))
      for await members in seen where !members.isEmpty {
        try expectEqual(members, [PresentMember(writers.other, sight)])
        break
      }
      try await theirs.show(nil)
      for await members in seen where members.isEmpty { break }
    }
  ]
}
