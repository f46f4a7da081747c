import FileStores
import Testing
import TextUI

@testable import Screens

/// The prompts for uploads and downloads: Enter, Tab and messages.
@Suite struct PathPromptTests {
  private func prompt(_ typed: String, size: Size = Size(80, 24), _ completion: PathCompletion) -> Robot {
    let robot = Robot(photos: [], size: size)
    robot.press("u")
    robot.type(typed)
    robot.happen(photos: .completed(typed, completion))
    robot.take()
    return robot
  }

  private func choices(_ paths: String...) -> [PathCompletion.Choice] {
    paths.map { .init(path: $0, isDirectory: $0.hasSuffix("/")) }
  }

  private func rows(_ robot: Robot) -> [String] {
    (1..<robot.grid.size.height).map { robot.grid.text(ofRow: $0) }
  }

  @Test func `Enter uploads the highlighted picture, which a mark shows without colour`() {
    let robot = prompt(
      "~/P/Mor", PathCompletion(choices: choices("~/P/Morgen.jpg", "~/P/Morning.jpg"), common: "~/P/Mor"))
    #expect(robot.screen.contains("\n > Morgen.jpg") && robot.screen.contains("\n   Morning.jpg"))
    robot.press("Down")
    #expect(robot.screen.contains("\n > Morning.jpg"))
    robot.press("Enter")
    #expect(robot.take() == ["run upload ~/P/Morning.jpg"])
    #expect(robot.view == "path" && robot.screen.contains("Looking at the picture."))
    robot.press("Enter")
    #expect(robot.take().isEmpty)
    robot.happen(photos: .prepared("t1"))
    robot.happen(photos: .uploadsPrepared(["~/P/Morning.jpg"], failed: []))
    #expect(robot.view.isEmpty && robot.state.photos.preparing == 0)
  }

  @Test func `behind a folder nothing is highlighted, so that Enter uploads nothing that nobody chose`() {
    let robot = prompt(
      "~/P/", PathCompletion(choices: choices("~/P/a.jpg", "~/P/b.jpg"), common: "~/P/", meaning: .folder))
    #expect(!robot.screen.contains("> "))
    robot.press("Enter")
    #expect(robot.take().isEmpty && robot.screen.contains("! \"~/P/\" is a folder."))
    robot.press("Down")
    #expect(robot.screen.contains("\n > a.jpg"))
    robot.press("Enter")
    #expect(robot.take() == ["run upload ~/P/a.jpg"])
  }

  @Test func `Enter on a folder goes into it`() {
    let robot = prompt("~/Pic", PathCompletion(choices: choices("~/Pictures/"), common: "~/Pictures/"))
    robot.press("Enter")
    #expect(robot.screen.contains("Upload: ~/Pictures/"))
    #expect(robot.take() == ["run complete \"~/Pictures/\" for upload [photos.complete]"])
  }

  @Test func `a file that no row shows is taken as it was typed`() {
    let robot = prompt(
      "a.tif", PathCompletion(choices: choices("a.tif.jpg"), common: "a.tif.jpg", meaning: .files(["a.tif"])))
    robot.press("Enter")
    #expect(robot.take() == ["run upload a.tif"])
  }

  @Test(arguments: [Size(80, 24), Size(40, 12), Size(120, 40)])
  func `an error keeps the prompt and its text, until that changes`(size: Size) {
    let robot = prompt("~/gone.jpg", size: size, PathCompletion(choices: [], common: "~/gone.jpg"))
    robot.press("Enter")
    #expect(robot.screen.contains("! \"~/gone.jpg\" does not exist.") && robot.screen.contains("Upload: ~/gone.jpg"))
    robot.press("Left")
    #expect(robot.screen.contains("does not exist."))
    robot.type("x")
    #expect(!robot.screen.contains("does not exist."))
  }

  @Test func `a picture that is refused keeps the prompt, and marks what is left to do`() {
    let robot = prompt("~/", PathCompletion(choices: choices("~/a.jpg", "~/b.jpg"), common: "~/", meaning: .folder))
    robot.press("Ctrl-T", "Ctrl-T")
    #expect(robot.screen.contains("2 marked. Enter uploads them."))
    robot.press("Enter")
    #expect(robot.take() == ["run upload ~/a.jpg ~/b.jpg"])
    let failure = UploadFailure("~/b.jpg", StoreError(.corrupt, "\"b.jpg\" is damaged."))
    robot.happen(photos: .uploadsPrepared(["~/a.jpg", "~/b.jpg"], failed: [failure]))
    #expect(robot.screen.contains("! 1 of 2 pictures was not uploaded. \"b.jpg\" is damaged."))
    #expect(robot.state.photos.prompt?.marks == ["~/b.jpg"] && robot.view == "path")
  }

  @Test func `no key changes the path while its picture is checked, and the question about it comes at once`() {
    let robot = prompt(
      "~/a.jpg", PathCompletion(choices: choices("~/a.jpg"), common: "~/a.jpg", meaning: .files(["~/a.jpg"])))
    robot.press("Enter")
    robot.take()
    robot.type("j")
    robot.paste("/b.jpg")
    robot.press("Backspace", "Tab", "Ctrl-T", "Enter")
    #expect(robot.take().isEmpty && robot.screen.contains("Upload: ~/a.jpg\n"))
    #expect(robot.screen.contains("Looking at the picture."))
    robot.happen(photos: .clubHas(["~/a.jpg"], [Samples.path("photos/a.jpg")]))
    robot.happen(photos: .uploadsPrepared(["~/a.jpg"], failed: []))
    #expect(robot.question == "The club already has this: a.jpg. Upload again?")
  }

  @Test func `a refused picture's path can be corrected`() {
    let robot = prompt(
      "~/a.jpg",
      PathCompletion(choices: choices("~/a.jpg"), common: "~/a.jpg", meaning: .files(["~/a.jpg"])))
    robot.press("Enter")
    robot.happen(
      photos: .uploadsPrepared(["~/a.jpg"], failed: [UploadFailure("~/a.jpg", StoreError(.corrupt, "It is damaged."))]))
    #expect(robot.view == "path" && robot.screen.contains("! It is damaged.") && robot.notice == nil)
    robot.press("Backspace")
    #expect(robot.screen.contains("Upload: ~/a.jp\n"))
  }

  @Test func `the folder of an upload that went well is proposed, and a path of its own takes its place`() {
    let robot = prompt("~/P/a.jpg", PathCompletion(choices: [], common: "", meaning: .files(["~/P/a.jpg"])))
    robot.press("Enter")
    robot.take()
    robot.happen(photos: .uploadsPrepared(["~/P/a.jpg"], failed: []))
    #expect(robot.take() == ["run remember ~/P/ for upload"])
    robot.press("u")
    #expect(robot.screen.contains("Upload: ~/P/") && robot.take().last?.contains("complete \"~/P/\"") == true)
    robot.type("/tmp")
    #expect(robot.screen.contains("Upload: /tmp"))
    robot.press("Esc", "u")
    robot.type("b~")
    #expect(robot.screen.contains("Upload: ~/P/b~"))
    robot.press("Esc", "u")
    robot.paste("'/x/c d.jpg' ")
    #expect(robot.screen.contains("Upload: '/x/c d.jpg'"))
    robot.press("Esc")
    let failure = UploadFailure("~/Q/a.jpg", StoreError(.notFound, "It is not there."))
    robot.take()
    robot.happen(photos: .uploadsPrepared(["~/Q/a.jpg"], failed: [failure]))
    #expect(robot.take().isEmpty)
    robot.press("u")
    #expect(robot.screen.contains("Upload: ~/P/"))
  }

  @Test func `a refusal is reported as a notice when the prompt was closed meanwhile`() {
    let robot = prompt("a.jpg", PathCompletion(choices: choices("a.jpg"), common: "a.jpg", meaning: .files(["a.jpg"])))
    robot.press("Enter", "Esc")
    robot.happen(
      photos: .uploadsPrepared(["a.jpg"], failed: [UploadFailure("a.jpg", StoreError(.corrupt, "It is damaged."))]))
    #expect(robot.view.isEmpty && robot.notice == "It is damaged.")
  }

  @Test func `what wildcards match is listed and counted, and Enter uploads all of it`() {
    let paths = ["~/P/a.jpg", "~/P/b.jpg", "~/P/c.jpg"]
    let robot = prompt(
      "~/P/*.jpg",
      PathCompletion(
        choices: paths.map { .init(path: $0, isDirectory: false) }, common: "~/P/*.jpg", meaning: .files(paths)))
    #expect(robot.screen.contains("3 pictures. Enter uploads all.") && robot.screen.contains("\n   b.jpg"))
    robot.press("Enter")
    #expect(robot.take() == ["run upload ~/P/a.jpg ~/P/b.jpg ~/P/c.jpg"])
    #expect(robot.screen.contains("Looking at 3 pictures."))
  }

  @Test func `Tab completes what all begin with, then goes through them`() {
    let robot = prompt("M", PathCompletion(choices: choices("Morgen.jpg", "Morning.jpg"), common: "Mor"))
    robot.press("Tab")
    #expect(robot.screen.contains("Upload: Mor\n") && robot.take().last?.contains("\"Mor\"") == true)
    robot.happen(
      photos: .completed("Mor", PathCompletion(choices: choices("Morgen.jpg", "Morning.jpg"), common: "Mor")))
    robot.press("Tab")
    #expect(robot.screen.contains("\n > Morning.jpg") && robot.screen.contains("Upload: Mor\n"))
    robot.press("Tab")
    #expect(robot.screen.contains("\n > Morgen.jpg"))
    robot.press("Shift-Tab", "Enter")
    #expect(robot.take() == ["run upload Morning.jpg"])
  }

  @Test func `Enter and Tab wait for the completion of what was typed last`() {
    let robot = prompt("a", PathCompletion(choices: choices("ab.jpg"), common: "ab.jpg"))
    robot.type("c")
    robot.take()
    robot.press("Enter")
    #expect(robot.take().isEmpty)
    robot.happen(photos: .completed("a", PathCompletion(choices: choices("ab.jpg"), common: "ab.jpg")))
    #expect(robot.take().isEmpty)
    robot.happen(photos: .completed("ac", PathCompletion(choices: choices("ac.jpg"), common: "ac.jpg")))
    #expect(robot.take() == ["run upload ac.jpg"])
  }

  @Test func `the blank that a terminal writes behind a dropped file is left out`() {
    let robot = Robot(photos: [])
    robot.press("u")
    robot.paste("'/a b.jpg' ")
    #expect(robot.take().last == "run complete \"'/a b.jpg'\" for upload [photos.complete]")
  }

  // MARK: Downloads

  private func download() -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Space", "Space", "d")
    robot.take()
    return robot
  }

  @Test func `a download begins with a folder that is there, and remembers only one that worked`() {
    let robot = download()
    #expect(robot.screen.contains("Download to: ~/Downloads/"))
    robot.press("Ctrl-U")
    robot.type("/root")
    robot.happen(
      photos: .completed("/root", PathCompletion(choices: choices("/root/"), common: "/root/", meaning: .folder)))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run find folder /root [photos.folder]"])
    robot.happen(photos: .folderFound("/root", .unusable("byteclub cannot write to \"/root\": not allowed.")))
    #expect(robot.screen.contains("! byteclub cannot write to \"/root\": not allowed.") && robot.view == "path")
    robot.press("Esc", "d")
    #expect(robot.screen.contains("Download to: ~/Downloads/"))
    robot.press("Ctrl-U")
    robot.type("~/x")
    robot.happen(photos: .completed("~/x", PathCompletion(choices: choices("~/x/"), common: "~/x/", meaning: .folder)))
    robot.press("Enter")
    robot.take()
    robot.happen(photos: .folderFound("~/x", .isThere("~/x")))
    #expect(
      robot.take() == ["run download photos/a.jpg photos/b.jpg to ~/x", "run remember ~/x for download"])
    #expect(robot.view.isEmpty)
    robot.press("d")
    #expect(robot.screen.contains("Download to: ~/x/"))
  }

  @Test func `a folder that is not there is made when the member wants it`() {
    let robot = download()
    robot.press("Ctrl-U")
    robot.type("~/new")
    robot.happen(photos: .completed("~/new", PathCompletion(choices: [], common: "~/new")))
    robot.press("Enter")
    robot.happen(photos: .folderFound("~/new", .missing("~/new")))
    #expect(robot.question == "Make the folder \"~/new\"?")
    robot.press("Esc")
    #expect(robot.view == "path" && robot.screen.contains("! \"~/new\" does not exist."))
    robot.press("Enter")
    robot.happen(photos: .folderFound("~/new", .missing("~/new")))
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run make folder ~/new [photos.folder]"])
    robot.happen(photos: .folderFound("~/new", .isThere("~/new")))
    #expect(
      robot.take() == ["run download photos/a.jpg photos/b.jpg to ~/new", "run remember ~/new for download"])
    #expect(robot.view.isEmpty)
  }
}
