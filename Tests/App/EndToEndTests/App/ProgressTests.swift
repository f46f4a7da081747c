import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// An upload's progress, on the screen while it is under way.
@Suite struct ProgressTests {
  /// The part of an upload that the store has so far.
  private final class RunningUpload {
    private let file: Int32

    /// Waits for the upload to begin.
    init(in home: MemberHome) throws {
      let folder = home.club + "/.byteclub/uploads"
      let clock = ContinuousClock()
      let end = clock.now + .patient
      while clock.now < end {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if let name = names.first(where: { $0.hasSuffix(".part") }) {
          file = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
          try #require(file >= 0)
          return
        }
        sched_yield()
      }
      throw MemberHome.Missing(description: "no upload has begun")
    }

    deinit { close(file) }

    /// How much the store has.
    var bytes: Int {
      var facts = stat()
      fstat(file, &facts)
      return Int(facts.st_size)
    }
  }

  @Test func `percent, bytes and rate follow what the store has, and 100 percent is never said before the end`() throws
  {
    let total = 160 << 20
    let home = try MemberHome(notes: ["note.md": ""])
    // A whole picture with much behind its end, as phones append films; sparse, so that it costs no disk here.
    try home.write(Pictures.jpeg, to: "mine/big.jpg")
    #expect(truncate("\(home.path)/mine/big.jpg", off_t(total)) == 0)
    // Slow enough that it is under way for as long as the test looks.
    try home.write(#"{"transfers":{"limitKibibytesPerSecond":4096}}"#, to: ".config/byteclub/config.json")
    let session = try home.open(showing: "note.md", size: Size(120, 30))
    session.press("2")
    try session.see("No photos yet.")
    session.press("u")
    try session.see("Tab complete")
    session.paste(home.path + "/mine/big.jpg")
    try session.see("mine/big.jpg")
    session.press("Enter")
    let upload = try RunningUpload(in: home)
    try session.see("of 160.0 MiB")

    func line(_ screen: ScreenSnapshot) -> String {
      (0..<screen.grid.size.height).map { screen.row($0) }.first { $0.contains("of 160.0 MiB") } ?? ""
    }
    func percent(_ line: String) -> Int? {
      line.components(separatedBy: " %").first?.split(separator: " ").last.flatMap { Int($0) }
    }
    func mebibytes(_ line: String) -> Double? {
      line.components(separatedBy: " of 160.0 MiB").first?.split(separator: " ").last.flatMap { Double($0) }
    }
    var last = -1
    for round in 1...3 {
      let screen = try session.wait("more than \(last) %", timeout: .patient) { screen in
        let line = line(screen)
        return (percent(line) ?? 0) > max(last, 0) && (round == 1 || line.contains("/s"))
      }
      // The store has at least what is reported.
      let (shown, done) = (try #require(percent(line(screen))), try #require(mebibytes(line(screen))))
      #expect(shown > last && shown > 0 && shown < 100)
      #expect(done > 0 && done <= Double(upload.bytes) / 1_048_576)
      #expect(shown == Int(done / 160 * 100), "percent and bytes are of the same moment")
      #expect(screen.contains("x cancel"))
      last = shown
    }
    // The other tab shows it, too.
    session.press("1")
    try session.wait("the bar over the notes", timeout: .patient) {
      $0.contains("note.md") && (percent(line($0)) ?? 0) >= last
    }
    session.press("x")
    try session.see("Cancelled \"big.jpg\".")
    #expect(home.files(below: "club") == ["note.md"], "no part is left, also none that is hidden")
    session.press("j")
    try session.quit()
  }
}
