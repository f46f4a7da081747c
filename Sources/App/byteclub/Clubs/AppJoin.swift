import Accounts
import Basics
import FileStores
import Screens
import Synchronization

/// Joining inside the app, and the line for the member's next device.
final class AppJoin: Sendable {
  private let options: StartOptions
  private let environment: Environment
  private let log: ActivityLog?
  private let pool: BlockingPool
  private let form: @Sendable (String) throws(StoreError) -> PlaceForm?
  /// The question that was asked last. The member's yes is to this one alone, even if the server answers otherwise then.
  private let asked = Mutex<String?>(nil)

  /// - Parameter options: the config.
  /// - Parameter form: the form of a line that names a place; nil for any other line.
  init(
    _ options: StartOptions, _ environment: Environment, log: ActivityLog?, pool: BlockingPool,
    form: @escaping @Sendable (String) throws(StoreError) -> PlaceForm?
  ) {
    (self.options, self.environment, self.log, self.pool) = (options, environment, log, pool)
    self.form = form
  }

  func join(_ line: String, agreed: Bool) async throws(StoreError) -> JoinAnswer {
    if let form = try form(line) { return .form(form) }
    let answered = agreed ? asked.withLock { $0 } : nil
    asked.withLock { $0 = nil }
    var flow = try AppJoin.checked {
      try JoinFlow(StartOptions(config: options.config), environment, pool: pool, log: log)
    }
    flow.isInApp = true
    flow.agrees = { [self] (question) async throws(StoreError) in
      if question == answered { return true }
      asked.withLock { $0 = question }
      throw StoreError(.cancelled, "Nothing was changed.")
    }
    let done: JoinFlow.Done
    do throws(StoreError) {
      done = try await flow.run(line, name: nil)
    } catch {
      if error.kind == .cancelled, let question = asked.withLock({ $0 }) { return .question(question) }
      throw error
    }
    let setup = try setup(done.plan.name)
    if let joined = done.joined {
      ClubNetworks.process.forget(try ClubAccount(setup).account, in: setup.paths.tokensDirectory)
      await KeptAccount.keep(joined, setup)
    }
    let said = await JoinReport(done, setup).sentences.joined(separator: " ")
    return .joined(club: done.plan.name, said: said)
  }

  func deviceLine(_ club: String) async throws(StoreError) -> ShownLine {
    let setup = try setup(club)
    let (calls, account) = try DeviceCommand.calls(setup)
    let made = try await DeviceLine.make(setup, calls, account)
    return ShownLine(line: made.line, sentences: made.sentences)
  }

  private func setup(_ club: String) throws(StoreError) -> ClubSetup {
    try AppJoin.checked {
      try ClubSetup(StartOptions(config: options.config, club: club), environment: environment, log: log)
    }
  }

  /// A fault of the config as the app shows it.
  private static func checked<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.badInput, "\(error)")
    }
  }
}
