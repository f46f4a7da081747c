import Foundation
import TestKit
import Testing

/// `photo put` with changes to the picture.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct UploadCopyVerbTests {
  private static let exifTool = "/usr/bin/exiftool"

  @discardableResult
  private func exifTool(_ arguments: String...) throws -> String {
    let outcome = try Spawn(Self.exifTool, arguments, environment: ["LC_ALL": "C.UTF-8"]).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    return outcome.text
  }

  /// A home with a picture that knows its place.
  private func home() throws -> (CommandLineHome, file: String) {
    let home = try CommandLineHome()
    try home.write(Pictures.jpeg, to: "in/garden.jpg")
    let file = home.path + "/in/garden.jpg"
    try exifTool(
      "-n", "-q", "-overwrite_original", "-GPS:GPSLatitude=48.2", "-GPS:GPSLatitudeRef=N", "-IFD0:Make=Maker",
      "-XMP-photoshop:City=Vienna", file)
    return (home, file)
  }

  @Test func `a picture goes up without its place, the file itself is not changed, and no copy stays behind`() throws {
    let (home, file) = try home()
    let before = home.read("in/garden.jpg")
    let outcome = try home.run("photo", "put", file, "--strip-location")
    #expect(outcome.status == 0, "\(outcome.said)")
    let said = try exifTool("-a", "-G1", "-s", home.club + "/photos/garden.jpg")
    #expect(!said.contains("GPS") && !said.contains("Vienna") && said.contains("Maker"))
    #expect(home.read("in/garden.jpg") == before)
    #expect(!home.files(ending: "garden.jpg").contains { $0.contains("uploads") })
  }

  @Test func `a smaller picture keeps its place unless that is left out, too`() throws {
    let (home, file) = try home()
    #expect(try home.run("photo", "put", file, "--quality", "60").status == 0)
    #expect(try exifTool("-a", "-s", home.club + "/photos/garden.jpg").contains("GPSLatitude"))
    let bare = try home.run("photo", "put", file, "--quality", "60", "--strip-location")
    #expect(bare.status == 0 && bare.said.contains("garden (2).jpg"))
    #expect(try !exifTool("-a", "-s", home.club + "/photos/garden (2).jpg").contains("GPSLatitude"))
  }

  @Test func `a file that cannot be taken apart is not uploaded, and senseless options are refused`() throws {
    let home = try CommandLineHome()
    try home.write(Pictures.jpeg.dropLast(2), to: "in/cut.jpg")
    let outcome = try home.run("photo", "put", home.path + "/in/cut.jpg", "--strip-location")
    #expect(outcome.status != 0)
    #expect(outcome.said.contains("\"cut.jpg\" cannot be uploaded: the picture is damaged"))
    #expect(home.read("ByteClub/photos/cut.jpg") == nil)
    try home.write(Pictures.png(width: 20, height: 10), to: "in/a.png")
    let png = try home.run("photo", "put", home.path + "/in/a.png", "--quality", "60")
    #expect(png.status != 0 && png.said.contains("which has no quality"))
    #expect(try home.run("photo", "put", home.path + "/in/a.png", "--quality", "0").status == 2)
    #expect(try home.run("photo", "put", home.path + "/in/a.png", "--max-edge", "3").status == 2)
  }

  @Test func `a worker is gone after the program was killed`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.png(width: 500, height: 100), to: "club/photos/a.png")
    let session = try home.open(showing: "note.md")
    session.press("2")
    try session.see("a.png")
    session.press("Enter")
    try session.wait("the viewer", timeout: .patient) { $0.footer.contains("zoom") && $0.contains("500 x 100") }
    let workers = Self.children(of: session.process)
    #expect(workers.count == 1 || workers.count == 2)
    session.signal(SIGKILL)
    _ = try session.waitExit()
    let end = ContinuousClock.now + .patient
    // at any pace: a pause between two looks.
    while ContinuousClock.now < end, workers.contains(where: { kill($0, 0) == 0 }) { usleep(10_000) }
    #expect(workers.allSatisfy { kill($0, 0) != 0 })
  }

  private static func children(of process: Int32) -> [Int32] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.flatMap { task -> [Int32] in
      let text = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }
}
