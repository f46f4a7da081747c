import FileStores
import Foundation
import TestKit
import TextUI
import Testing
import XML

/// The picture that moves: two members look around in a panorama of the demo, beside each other.
@Suite(.serialized) struct TurnPictureTests {
  private static let file = ClubPicture.folder + "/turn.svg"
  private static let (photo, remark) = ("Compass 360.jpg", "Ibex over there!")
  /// The cells of one terminal.
  private static let size = Size(52, 16)
  /// The drags of the view, in columns: before the other one follows, and after.
  private static let (step, before, after) = (3, 5, 4)

  /// Names the golden screen of the view.
  private static var mark: String? { ClubPicture.mark(golden: "gazes-80x24") }

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
  func `the picture that moves is well-formed, small, stands still on request, and shows both members`() throws {
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
    #expect(frames == Self.before + Self.after + 4)
    for text in ["You follow Ann.", "Ray: \(Self.remark)", "\u{25CE}"] { #expect(texts.contains(text)) }
    #expect(document.contains("@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"))
    for word in ["<script", "href", "url(", "<image", "@import"] { #expect(!document.contains(word)) }
  }

  /// Not a test of the program: `scripts/pictures` runs it to take the picture.
  @Test(.enabled(if: ClubPicture.isRecording, "nobody asks for new pictures"))
  func `the picture that moves is taken`() throws {
    let home = try MemberHome(hasClub: false)
    let server = try ClubServer(home, folder: "served")
    try home.write("See you at the pass.\n", to: "served/plans.md")
    try takePhoto(to: server.root + "/photos/" + Self.photo)
    let (ann, ray) = (try looking("Ann", server), try looking("Ray", server))
    let both = Both(left: ann, right: ray)
    // Neither ring hides the other at the beginning.
    ann.press("Left")
    ray.press("Right")
    var frames: [ScreenFilm.Frame] = []
    func take(_ length: Int, after change: () throws -> Void) throws {
      try change()
      frames.append(ScreenFilm.Frame(both.settled(), length: length))
    }
    try take(8) { try ray.see("\u{25CE} Ann") }
    // The view turns as a mouse draws it: a press, a frame for each step, and the view is let go.
    var column = Self.size.width - 4
    func drag(_ count: Int) throws {
      ann.send(bytes: Array("\u{1B}[<0;\(column);9M".utf8))
      for number in 1...count {
        try take(number < count ? 2 : 8) {
          let last = ann.screen
          column -= Self.step
          ann.send(bytes: Array("\u{1B}[<32;\(column);9M".utf8))
          try ann.wait("the view to turn") { $0.grid != last.grid }
        }
      }
      ann.send(bytes: Array("\u{1B}[<0;\(column);9m".utf8))
    }
    try drag(Self.before)
    try take(10) {
      ray.press("F")
      try ray.see("You follow Ann.")
    }
    try drag(Self.after)
    let still = frames.count - 1
    try take(10) {
      ray.press("@")
      try ray.see("Remark at")
      ray.send(Self.remark)
      try ray.see(Self.remark)
    }
    try take(24) {
      ray.press("Enter")
      try ann.see("Ray: \(Self.remark)")
    }
    let film = ScreenFilm(
      frames, still: still, title: "byteclub: two members look around together", mark: try #require(Self.mark))
    try Data(try #require(film.svg(), "the picture is too large").utf8).write(
      to: URL(fileURLWithPath: Self.file), options: .atomic)
  }

  /// Copies a panorama of the demo.
  private func takePhoto(to file: String) throws {
    let demo = try RunningDemo()
    try demo.session.see("Guestbook.md")
    let photos = try demo.place() + "/club/photos"
    try demo.wait("the tour") { FileManager.default.fileExists(atPath: photos + "/tour.json") }
    try FileManager.default.copyItem(atPath: photos + "/" + Self.photo, toPath: file)
    try demo.session.quit()
  }

  /// A member's app with the panorama before their eyes.
  private func looking(_ name: String, _ server: ClubServer) throws -> PtySession {
    let session = try PresenceTests.Member(name, server).open(
      Self.size, ["COLORTERM": "truecolor", "BYTECLUB_UI_REDUCED_MOTION": "true"])
    session.press("2")
    try session.see(Self.photo)
    session.press("Enter")
    try session.see("v flat")
    return session
  }
}

/// Two terminals of one size beside each other.
private struct Both {
  let left: PtySession
  let right: PtySession

  /// The cells of both, and a line between them, once nothing has changed for a moment.
  func settled() -> Grid {
    var (first, second) = (left.screen.grid, right.screen.grid)
    while true {
      let next = (later(left, than: first), later(right, than: second))
      guard next.0 != nil || next.1 != nil else { return beside(first, second) }
      (first, second) = (next.0 ?? first, next.1 ?? second)
    }
  }

  private func later(_ session: PtySession, than grid: Grid) -> Grid? {
    // at any pace: only scripts/pictures takes pictures, and their maker looks at each.
    try? session.wait(timeout: .milliseconds(500), until: { $0.grid != grid }).grid
  }

  private func beside(_ first: Grid, _ second: Grid) -> Grid {
    var both = Grid(Size(first.size.width + 1 + second.size.width, first.size.height))
    for y in 0..<first.size.height {
      for x in 0..<first.size.width { both[x, y] = first[x, y] }
      both[first.size.width, y] = Cell(base: 0x2502, width: 1, style: Style(.dim))
      for x in 0..<second.size.width { both[first.size.width + 1 + x, y] = second[x, y] }
    }
    return both
  }
}
