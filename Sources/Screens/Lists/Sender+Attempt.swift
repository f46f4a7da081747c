internal import ClubServices
internal import FileStores
internal import TextUI

/// What happens where something can fail.
protocol FailableAction: Sendable {
  /// Something failed.
  static func failed(_ sentence: String) -> Self
}

extension FileListAction: FailableAction {}

extension Sender where Action: FailableAction {
  /// Sends what `body` says, or what `failed` makes of its error: by default its sentence, unless the effect was
  /// cancelled, which is nothing to tell.
  func attempt(
    _ failed: (StoreError) -> Action? = { $0.kind == .cancelled ? nil : .failed("\($0)") },
    _ body: () async throws(StoreError) -> Action?
  ) async {
    do throws(StoreError) {
      if let action = try await body() { send(action) }
    } catch {
      if let action = failed(error) { send(action) }
    }
  }

  /// As `attempt`, again and again while it fails for reasons that pass by themselves: `NextTries.run` says when.
  func attemptAgain(
    _ connection: StoreConnection?, _ clock: any Clock<Duration>, _ failed: (StoreError) -> Action?,
    _ body: () async throws(StoreError) -> Action?
  ) async {
    await NextTries.run(
      connection: connection, clock: clock, failed: { if let action = failed($0) { send(action) } }
    ) { () async throws(StoreError) in
      if let action = try await body() { send(action) }
    }
  }
}
