import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store, at real servers.
@Suite(.serialized) struct WebDAVChecks {
  @Test(
    "WebDAV at Apache:", .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"),
    .served(by: .apache), arguments: StoreChecks.all)
  func apache(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try server.newClub()
    try await check.run(StoreUnderTest(server.open(club), other: server.open(club)))
    try server.expectClean(club)
  }
}
