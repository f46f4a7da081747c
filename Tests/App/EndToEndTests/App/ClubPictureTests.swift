import Basics
import FileStores
import Foundation
import TestKit
import TextUI
import Testing

/// The pictures of the program in `docs/images`, taken from the demo.
enum ClubPicture: String, CaseIterable {
  case notes, note, photos, viewer, conflict, transfers, help

  static let folder = root + "/docs/images"
  static let root = String(
    #filePath.prefix(upTo: #filePath.range(of: "/Tests/", options: .backwards)?.lowerBound ?? #filePath.endIndex))

  var file: String { "\(Self.folder)/\(rawValue).svg" }

  /// The golden screen of the same view.
  private var golden: String {
    switch self {
    case .note: "reader-120x40"
    case .transfers: "transfer-list-120x40"
    default: "\(rawValue)-120x40"
    }
  }

  /// Names the golden screen and its content, so that a picture of an older one is found. Nil without the golden.
  var mark: String? { Self.mark(golden: golden) }

  static func mark(golden: String) -> String? {
    let file = "\(root)/Tests/App/ScreensTests/Snapshots/\(golden).txt"
    return FileManager.default.contents(atPath: file).map {
      "like the golden screen \(golden), \(SHA256.hexadecimal(of: Array($0)).prefix(16))"
    }
  }

  /// True once there are pictures, or the README shows one.
  static var areWanted: Bool {
    let readme = FileManager.default.contents(atPath: root + "/README.md").map { String(decoding: $0, as: UTF8.self) }
    return FileManager.default.fileExists(atPath: folder) || readme?.contains("docs/images/") == true
  }

  static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_PICTURES"] == "1" }
}

@Suite(.serialized) struct ClubPictureTests {
  @Test(
    "A picture of the program is as new as its golden screen",
    .enabled(if: ClubPicture.areWanted && !ClubPicture.isRecording), arguments: ClubPicture.allCases)
  func isNew(_ picture: ClubPicture) throws {
    let mark = try #require(picture.mark, "the golden screen of \(picture) is not there")
    let document = FileManager.default.contents(atPath: picture.file).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      document.flatMap { ScreenPicture.mark(of: $0) } == mark,
      "docs/images/\(picture).svg is not there, or older than the screen that it shows: run scripts/pictures.")
    #expect(document?.utf8.count ?? 0 <= 200_000)
  }

  /// Not a test of the program: `scripts/pictures` runs it to take the pictures.
  @Test(.enabled(if: ClubPicture.isRecording, "nobody asks for new pictures")) func `the pictures are taken`() throws {
    let demo = try RunningDemo(size: Size(120, 40), ["COLORTERM": "truecolor"])
    let session = demo.session
    try session.see("Guestbook.md")
    let place = try demo.place()
    // Robin's first line, and the last photo.
    try demo.wait("Robin's line") { demo.text(place + "/club/Guestbook.md").contains("Robin: Hello!") }
    try demo.wait("the photos") {
      FileManager.default.fileExists(atPath: place + "/club/photos/Ridge at dusk.jpg")
    }
    try take(.notes, "the notes of a club", session)

    session.press("Enter")
    try session.see("Welcome to the demo")
    try take(.note, "a note", session)
    session.press("Esc")
    try session.see("Name \u{25B2}")

    session.press("?")
    try session.see("Keys:")
    try take(.help, "the keys", session)
    session.press("Esc")
    try session.see("Name \u{25B2}")

    session.press("2")
    try session.wait("the pictures", timeout: .patient) {
      $0.contains("Ridge at dusk.jpg") && !$0.contains("loading") && $0.halfBlocks > 100
    }
    try take(.photos, "panoramic photos", session)
    session.press("g", "Right", "Right", "Right", "Right", "Enter", "f")
    try session.wait("the photo as large as the screen", timeout: .patient) {
      !$0.contains("Postcard.jpg") && $0.halfBlocks > 1000
    }
    try take(.viewer, "a panorama", session)
    session.press("Esc")
    try session.see("Sorted by name")

    for name in ["Morning.jpg", "Evening.jpg"] {
      session.press("u")
      try session.see("Tab complete")
      session.press("Ctrl-U")
      session.send("~/Pictures/\(name)")
      try session.see(name)
      session.press("Enter")
      try session.seeGone("Tab complete")
    }
    session.press("t")
    try session.wait("a progress", timeout: .patient) { screen in
      screen.percents.contains { $0 > 9 && $0 < 90 } && screen.contains("Evening.jpg")
    }
    // The progress moves on, so this screen is taken as it is.
    try keep(.transfers, "transfers", session.screen)
    session.press("Esc")
    try session.see("Sorted by name")

    session.press("1")
    try session.see("Try a conflict.md")
    session.press("G")
    try session.edit(typing: "Two of us write here, and no word is lost.\n\n")
    session.press("Ctrl-End")
    session.send("Me: I was here first.\n")
    try demo.wait("Robin's answer") { demo.text(place + "/club/Try a conflict.md").contains("I was quicker") }
    session.press("Ctrl-Q")
    try session.wait("both texts", timeout: .patient) {
      $0.contains("I was quicker") && $0.contains("Me: I was here first.") && $0.contains("to choose")
    }
    try take(.conflict, "a conflict", session)
  }

  /// Takes the screen once nothing has changed on it for a second.
  private func take(_ picture: ClubPicture, _ title: String, _ session: PtySession) throws {
    var shown = session.screen
    // at any pace: only scripts/pictures takes pictures, and their maker looks at each.
    while let next = try? session.wait(timeout: .seconds(1), until: { $0.grid != shown.grid }) { shown = next }
    try keep(picture, title, shown)
  }

  private func keep(_ picture: ClubPicture, _ title: String, _ screen: ScreenSnapshot) throws {
    let mark = try #require(picture.mark, "the golden screen of \(picture) is not there")
    let drawing = ScreenPicture(screen.grid, title: "byteclub: \(title)", mark: mark)
    let document = try #require(drawing.svg(), "the picture of \(picture) is too large")
    try FileManager.default.createDirectory(atPath: ClubPicture.folder, withIntermediateDirectories: true)
    try Data(document.utf8).write(to: URL(fileURLWithPath: picture.file), options: .atomic)
  }
}

extension ScreenSnapshot {
  /// The numbers before a percent sign.
  fileprivate var percents: [Int] {
    text.split(separator: "%").dropLast().compactMap { Int($0.suffix(3).trimmingCharacters(in: .whitespaces)) }
  }

  /// The number of cells that show two pixels.
  fileprivate var halfBlocks: Int {
    (0..<grid.size.height).reduce(0) { count, y in count + grid.row(y).count { $0.base == 0x2580 } }
  }
}
