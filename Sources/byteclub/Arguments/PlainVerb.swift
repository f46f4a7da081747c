import ArgumentParser
import FileStores
import JSON

/// A verb that needs no open club.
protocol PlainVerb: ParsableCommand, Sendable {
  /// What every command takes.
  var shared: SharedOptions { get }
  /// Does it. Cancelled by Ctrl-C.
  /// - Throws: what is wrong with the settings, or what failed.
  func perform(_ output: Output) async throws -> Answer
}

extension PlainVerb {
  func run() throws {
    let output = Output()
    let verb = self
    let result = MainThread.run { () async -> Result<Answer, any Error> in
      do {
        return .success(try await verb.perform(output))
      } catch {
        return .failure(error)
      }
    }
    let answer: Result<Answer, StoreError>?
    switch result {
    case .success(let value): answer = .success(value)
    case .failure(let error as StoreError): answer = .failure(error)
    case .failure(let error): throw error
    case nil: answer = nil
    }
    try CommandEnd.finish(answer, name: Self._commandName, output: output, asJSON: shared.json, log: nil)
  }
}
