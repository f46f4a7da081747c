import POSIX
import TestKit
import TextUI
import Testing

/// The app on a club in a bucket of moto.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason))
) struct BucketAppTests {
  private static let part = 8 << 20
  private static let picture = TransferScene.picture(6, mebibytes: 28)

  private func transfers(_ session: PtySession, showing text: String) throws {
    session.press("2")
    try session.see("2 PanoPhotos")
    session.press("t")
    try session.see(text)
  }

  @Test func `an upload that was paused goes on after kill -9, and sends no finished part again`() throws {
    let bucket = try Bucket()
    let proxy = try KillingProxy(to: bucket.port)
    let scene = try TransferScene()
    try bucket.put([], at: "bucket.md")
    try scene.set("bucket", bucket.settings(through: proxy.port))
    try scene.home.write(Self.picture, to: "big.jpg")
    #expect(try scene.verb("transfer", "limit", "600K").status == 0)

    let first = try scene.open("bucket", Bucket.keys)
    first.press("2")
    try first.see("No photos yet.")
    try first.upload(scene.home.path + "/big.jpg")
    // Bytes of the second part go once the server has answered the first.
    try scene.untilRunning("big.jpg", past: Self.part + 1)
    first.press("t")
    try first.see("1 running")
    first.press("p")
    try first.see("1 paused")
    let paused = try scene.until("big.jpg", "paused") { $0["state"] as? String == "paused" }
    let sent = try #require(paused["sent"] as? Int)
    #expect(sent >= Self.part && sent < Self.picture.count, "\(sent)")
    first.signal(SIGKILL)
    _ = try first.waitExit(timeout: .patient)
    #expect(try bucket.names() == ["bucket.md"] && bucket.unfinished().count == 1)

    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    let before = proxy.count(.toPort)
    let second = try scene.open("bucket", Bucket.keys)
    try transfers(second, showing: "1 paused")
    second.press("p")
    try second.see("1 done")
    #expect(try bucket.content("photos/big.jpg") == Self.picture)
    #expect(try bucket.names() == ["bucket.md", "photos/big.jpg"] && bucket.unfinished().isEmpty)
    let again = proxy.count(.toPort) - before
    #expect(again <= Self.picture.count - sent + 1 << 20, "\(again) bytes went after \(sent)")
    second.press("q")
    try second.see("u upload")
    try second.quit()
  }
}
