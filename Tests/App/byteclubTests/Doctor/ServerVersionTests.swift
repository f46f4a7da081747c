import Accounts
import Backends
import FileStores
import TestKit
import Testing

@testable import byteclub

struct ServerVersionTests {
  @Test(arguments: [
    (#"{"version":"0.9.0"}"#, "byteclub serve 0.9.0, older than this byteclub (1.0.0)", Finding.Verdict.note),
    (#"{"version":"1.0.0"}"#, "byteclub serve 1.0.0", .good),
    (#"{"version":"1.10.0"}"#, "byteclub serve 1.10.0, newer than this byteclub (1.0.0)", .note),
    ("{}", "it says no version: an older byteclub serve, or another program", .note),
  ])
  func `doctor says the server's version, and which program is older`(
    _ row: (answer: String, found: String, verdict: Finding.Verdict)
  ) async throws {
    let service = try AccountService(server: "https://club.example")
    let about = try await ServerAbout.ask(service, transport: ScriptedTransport([.text(200, row.answer)]))
    let finding = ClubCheckup.finding(about, own: "1.0.0")
    #expect(finding.found == row.found && finding.verdict == row.verdict)
    #expect(finding.remedy.isEmpty == (row.verdict == .good))
  }
}
