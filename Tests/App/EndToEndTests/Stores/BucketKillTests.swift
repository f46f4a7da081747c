import POSIX
import TestKit
import Testing

/// byteclub is killed (-9) in the middle of transfers with a bucket of moto, at moments that a seed chooses.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason))
) struct BucketKillTests {
  private static let picture = TransferScene.picture(5, mebibytes: 44)
  private static let part = 8 << 20
  private static let most = 14 << 20

  @Test(arguments: TestTier.process.seeds([1, 2, 3]))
  func `an upload that is killed at any moment ends whole and once`(seed: UInt64) throws {
    let bucket = try Bucket()
    let lab = try KillLab(bucket)
    _ = try lab.upload(Self.picture, upTo: Self.most, piece: Self.part, seed: seed, reserves: true)
    #expect(try bucket.names() == ["photos/big.jpg"])
    #expect(try bucket.unfinished().isEmpty)
  }

  @Test(arguments: TestTier.process.seeds([4, 5, 6]))
  func `a download that is killed at any moment ends whole and once`(seed: UInt64) throws {
    try KillLab(try Bucket()).download(Self.picture, upTo: Self.most, seed: seed)
  }

  /// A lab whose upload was killed after the bucket had made it, and before its id was noted.
  private func lostUpload(_ bucket: Bucket) throws -> KillLab {
    let lab = try KillLab(bucket)
    // The test of the server begins an upload, too.
    #expect(try lab.start(["doctor", "--club", bucket.name]).finish().text.contains("bucket"))
    try lab.scene.home.write(TransferScene.picture(8, mebibytes: 20), to: "big.jpg")
    let process = try lab.upload("big.jpg")
    lab.proxy.kill(process.process, atAnswerWith: "InitiateMultipartUploadResult")
    #expect(try process.finish().status == 128 + SIGKILL)
    #expect(try bucket.unfinished().count == 1)
    return lab
  }

  @Test func `an upload that is killed before its id is noted leaves none at the bucket`() throws {
    let bucket = try Bucket()
    let lab = try lostUpload(bucket)
    let last = try lab.upload("big.jpg").finish()
    #expect(last.status == 0, "\(last.said)")
    #expect(try bucket.names() == ["photos/big.jpg"])
    #expect(try bucket.unfinished().isEmpty)
  }

  @Test func `an upload that is killed before its id is noted, and then cancelled, leaves none at the bucket`() throws {
    let bucket = try Bucket()
    let lab = try lostUpload(bucket)
    let id = try #require(try lab.scene.list().first?["id"])
    let cancelled = try lab.start(["transfer", "cancel", "\(id)"]).finish()
    #expect(cancelled.status == 0, "\(cancelled.said)")
    _ = try lab.start(["transfer", "run", "--progress", "none"]).finish()
    #expect(try bucket.names() == [])
    #expect(try bucket.unfinished().isEmpty)
  }
}
