import FileStores
import Foundation
import TestKit
import TextUI
import Testing
import XML

/// The picture that moves: a member looks around in a panorama of the demo, with a remark in it.
@Suite(.serialized) struct TurnPictureTests {
  private static let file = ClubPicture.folder + "/turn.svg"
  private static let frames = 16
  /// Columns of the terminal by which the view turns from frame to frame.
  private static let step = 3
  private static let remark = "Ibex on this ridge!"

  /// Names the golden screen of the view.
  private static var mark: String? { ClubPicture.mark(golden: "hot-spots-80x24") }

  private static var document: String? {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(.enabled(if: !ClubPicture.isRecording))
  func `the picture that moves is as new as its golden screen, and the README begins with it`() throws {
    let mark = try #require(Self.mark, "the golden screen is not there")
    #expect(
      Self.document.flatMap { ScreenPicture.mark(of: $0) } == mark,
      "docs/images/turn.svg is not there, or older than the screen that it shows: run scripts/pictures.")
    let readme = FileManager.default.contents(atPath: ClubPicture.root + "/README.md") ?? Data()
    let images = String(decoding: readme, as: UTF8.self).split(separator: "](").dropFirst()
    #expect(images.first { $0.contains(".svg)") }?.hasPrefix("docs/images/turn.svg)") == true)
  }

  @Test(.enabled(if: !ClubPicture.isRecording))
  func `the picture that moves is well-formed, small, stands still on request, and shows the remark`() throws {
    let document = try #require(Self.document)
    #expect(document.utf8.count <= 200_000)
    let reader = try XMLReader()
    let events = try reader.feed(Array(document.utf8)[...]) + reader.finish()
    var (frames, texts) = (0, "")
    for event in events {
      switch event {
      case .start(_, let attributes) where attributes.contains { $0.name.local == "class" && $0.value == "f" }:
        frames += 1
      case .text(let text): texts += text
      default: break
      }
    }
    #expect(frames == Self.frames)
    #expect(texts.contains("ray: \(Self.remark)"))
    #expect(document.contains("@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"))
    for word in ["<script", "href", "url(", "<image", "@import"] { #expect(!document.contains(word)) }
  }

  /// Not a test of the program: `scripts/pictures` runs it to take the picture.
  @Test(.enabled(if: ClubPicture.isRecording, "nobody asks for new pictures"))
  func `the picture that moves is taken`() throws {
    let size = Size(80, 24)
    let demo = try RunningDemo(size: size, ["COLORTERM": "truecolor", "BYTECLUB_UI_REDUCED_MOTION": "true"])
    let session = demo.session
    try session.see("Guestbook.md")
    let photos = try demo.place() + "/club/photos"
    try demo.wait("the tour") { FileManager.default.fileExists(atPath: photos + "/tour.json") }
    let talk = """
      # Remarks on Compass 360.jpg

      - **ray** 2026-06-21 08:04Z k3f9q2xa @52.0,9.0: \(Self.remark)

      """
    try Data(talk.utf8).write(to: URL(filePath: photos + "/Compass 360.jpg.talk.md"), options: .atomic)
    session.press("2")
    try session.see("Compass 360.jpg")
    session.press("/")
    session.send("Compass")
    session.press("Enter")
    try session.seeGone("Postcard.jpg")
    session.press("Enter")
    try session.see("5 places: ")
    // The view turns as a mouse draws it: a press, a frame for each step, and the view is let go.
    var shown = [settled(session, from: session.screen)]
    var column = size.width - 8
    session.send(bytes: Array("\u{1B}[<0;\(column);12M".utf8))
    while shown.count < Self.frames, let last = shown.last {
      column -= Self.step
      session.send(bytes: Array("\u{1B}[<32;\(column);12M".utf8))
      let next = try session.wait("the view to turn") { $0.grid != last.grid }
      shown.append(settled(session, from: next))
    }
    // The remark stands long enough to be read where it is nearest to the middle.
    let label = "ray: \(Self.remark)"
    let middles = shown.map { screen in
      screen.place(of: label).map { abs($0.x + label.count / 2 - size.width / 2) } ?? .max
    }
    let still = middles.indices.min { middles[$0] < middles[$1] } ?? 0
    let frames = shown.enumerated().map { index, screen in
      ScreenFilm.Frame(
        screen.grid, length: index == still ? 24 : index == 0 || index == shown.count - 1 ? 8 : 1)
    }
    let film = ScreenFilm(
      frames, still: still, title: "byteclub: a panorama", mark: try #require(Self.mark))
    try Data(try #require(film.svg(), "the picture is too large").utf8).write(
      to: URL(fileURLWithPath: Self.file), options: .atomic)
  }

  /// The screen once nothing has changed on it for a moment.
  private func settled(_ session: PtySession, from first: ScreenSnapshot) -> ScreenSnapshot {
    var shown = first
    // at any pace: only scripts/pictures takes pictures, and their maker looks at each.
    while let next = try? session.wait(timeout: .milliseconds(500), until: { $0.grid != shown.grid }) { shown = next }
    return shown
  }
}
