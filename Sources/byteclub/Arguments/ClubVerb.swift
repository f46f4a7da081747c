import ArgumentParser
import FileStores
import JSON

/// A verb that works on an open club.
protocol ClubVerb: ParsableCommand, Sendable {
  /// What every command takes.
  var shared: SharedOptions { get }
  /// False when another program has the terminal meanwhile, and Ctrl-C is for that one.
  var isInterruptible: Bool { get }
  /// Does it. Cancelled by Ctrl-C.
  func perform(_ session: Session) async throws(StoreError) -> Answer
}

extension ClubVerb {
  var isInterruptible: Bool { true }

  func run() throws {
    let output = Output()
    let setup = try ClubSetup(shared.start)
    for warning in setup.report.warnings { output.alert(warning) }
    let verb = self
    let result = MainThread.run(isInterruptible: isInterruptible) { () async -> Result<Answer, StoreError> in
      do throws(StoreError) {
        if let sentence = try await setup.welcome() { output.notice(sentence) }
        let teller = WaitTeller(place: setup.choice.place) { output.alert($0) }
        let open = try OpenClub(setup, observer: { teller.take($0) })
        let session = Session(setup: setup, output: output, isJSON: verb.shared.json, open: open)
        // A folder is never waited for.
        guard open.connection != nil else { return .success(try await verb.perform(session)) }
        let watch = Task(executorPreference: setup.pool.tasks) { await teller.watch() }
        defer { watch.cancel() }
        return .success(try await verb.perform(session))
      } catch {
        return .failure(error)
      }
    }
    try CommandEnd.finish(result, name: Self._commandName, output: output, asJSON: shared.json, log: setup.log)
  }
}
