import TestKit
import Testing

/// `byteclub serve --club` in front of a club at an Apache.
@Suite(
  .enabled(if: WebDAVProgram.Kind.apache.program != nil, "apache2 is not installed"), .timeLimit(.minutes(10))
) struct ServedWebDAVTests {
  @Test func `notes and photos go through it both ways`() async throws {
    try FrontScene(before: try await CloudFolder()).checkBothWays()
  }

  @Test func `a save over a text that is newer at the server is a conflict`() async throws {
    try FrontScene(before: try await CloudFolder()).checkConflict()
  }

  @Test func `what goes to the trash comes back`() async throws {
    try FrontScene(before: try await CloudFolder()).checkTrash()
  }
}
