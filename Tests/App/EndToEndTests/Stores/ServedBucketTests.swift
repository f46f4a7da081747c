import TestKit
import Testing

/// `byteclub serve --club` in front of a club in a bucket of moto.
@Suite(
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)), .timeLimit(.minutes(10))
) struct ServedBucketTests {
  @Test func `notes and photos go through it both ways`() throws {
    let bucket = try Bucket()
    try FrontScene(before: bucket).checkBothWays()
    #expect(try bucket.unfinished().isEmpty)
  }

  @Test func `a save over a text that is newer in the bucket is a conflict`() throws {
    try FrontScene(before: try Bucket()).checkConflict()
  }

  @Test func `what goes to the trash comes back`() throws { try FrontScene(before: try Bucket()).checkTrash() }
}
