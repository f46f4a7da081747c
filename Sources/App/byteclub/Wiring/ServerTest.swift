import Accounts
import Backends
import Basics
import FileStores

/// The self-test of a club's server, and its findings in a file of the app's state.
struct ServerTest: Sendable {
  struct Result: Sendable {
    let conditions: WriteConditions
    let sentences: [String]
  }

  let memory: FindingsFile
  private let setup: ClubSetup
  private let test: any ServerSelfTest

  init?(_ setup: ClubSetup) {
    guard let test = setup.choice.kind.selfTest, setup.route != nil,
      let memory = FindingsFile(state: setup.paths.state, setup.choice.kind, setup.choice.store)
    else { return nil }
    (self.setup, self.test, self.memory) = (setup, test, memory)
  }

  /// Tests the server and keeps the findings.
  /// - Throws: errors of the test, and of the file.
  func run() async throws(StoreError) -> Result {
    guard let network = try setup.network() else {
      throw StoreError(.unsupported, "The club \"\(setup.choice.name)\" has no server.")
    }
    var findings = try await test.run(on: setup.choice.store, pool: setup.pool, network: network)
    findings.tested = ClubAccount.now
    try await setup.pool.run { [memory, findings] () throws(StoreError) in try memory.keep(findings) }
    setup.log.info("tested the server", ["server": findings.server])
    return Result(conditions: test.conditions(findings), sentences: test.sentences(findings))
  }

  /// A mark for the title if the server keeps no conditions; nil otherwise, and before a test.
  var mark: String? {
    guard let findings = memory.kept(), test.conditions(findings) == .none else { return nil }
    return setup.choice.store.options["unsafeWrites"] == "true" ? "unsafe writes" : "read-only"
  }
}
