import Foundation
import Imaging
import TestKit
import TextUI
import Testing

/// The memory of the app and of its worker while a large photo is viewed.
@Suite(.serialized) struct LargePhotoTests {
  /// The most bytes that a process had resident since it began, without the pages of its files: a build for tests has
  /// three times as many of them as the program of members.
  private func peak(_ process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func bytes(_ name: String) throws -> Int {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
    return try bytes("VmHWM") - bytes("RssFile")
  }

  private func children(of process: Int32) throws -> [Int32] {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return threads.flatMap { thread in
      let names = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
      return names?.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) } ?? []
    }
  }

  @Test(
    "A large photo takes less than 120 MB of the app and 250 MB of its worker",
    arguments: [(5600, 2800), (8800, 4400), (12_000, 6000)])
  func memory(width: Int, height: Int) throws {
    let home = try MemberHome(notes: ["note.md": ""])
    // As large in memory as any other photo of that size.
    try home.write(
      Encoder.jpeg(Pixels(width: width, height: height, colour: 0x336699), quality: 80), to: "club/photos/a.jpg")
    let session = try home.open(showing: "note.md", ["COLORTERM": "truecolor"])
    session.press("2")
    try session.see("a.jpg")
    session.press("Enter")
    try session.wait("the photo", timeout: .patient) {
      $0.contains("\(width) x \(height)") && !$0.contains("loading")
    }
    for key in ["+", "+", "Right", "Right", "0"] { session.press(key) }
    session.press("i")
    try session.see("Content hash")
    let app = try peak(session.process)
    #expect(app < 120_000_000, "the app")
    let workers = try children(of: session.process)
    #expect(!workers.isEmpty)
    for worker in workers { #expect(try peak(worker) < 250_000_000, "a worker") }
    session.press("q")
    try session.see("\(width) x \(height)")
    session.press("q")
    try session.see("u upload")
    try session.quit()
  }
}
