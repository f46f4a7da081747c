import FileStores
import Imaging
import Testing
import TextUI
import Transfers

@testable import Screens

@Suite struct PhotoTests {
  @Test func `thumbnails are asked for the rows in view, and anew when others come into view`() {
    let robot = Robot(Size(80, 24))
    robot.press("2")
    robot.take()
    robot.happen(photos: .listed(Samples.table(Samples.names(100), folder: "photos")))
    let first = robot.take().first ?? ""
    #expect(first.hasPrefix("run thumbnails photos/note-000.md") && first.contains("note-006.md in 24x3"))
    #expect(!first.contains("note-007") && first.hasSuffix("[photos.thumbnails]"))
    robot.press("G")
    let last = robot.take().first ?? ""
    #expect(last.contains("note-099.md") && !last.contains("note-000.md"))
  }

  @Test func `when nothing in view lacks a thumbnail, what was asked for before is cancelled`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    for name in ["photos/a.jpg", "photos/b.jpg"] {
      robot.happen(photos: .thumbnail(Samples.path(name), Samples.thumbnail()))
    }
    robot.press("j")
    #expect(robot.take() == ["cancel [photos.thumbnails]"])
  }

  @Test func `a thumbnail that cannot be made says why`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(photos: .thumbnailFailed(Samples.path("photos/a.jpg"), StoreError(.corrupt, "It is damaged.")))
    #expect(robot.screen.contains("no picture") && robot.screen.contains("It is damaged."))
  }

  @Test func `another size asks for thumbnails anew`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(photos: .thumbnail(Samples.path("photos/a.jpg"), Samples.thumbnail()))
    robot.resize(120, 40)
    #expect(robot.take() == ["run thumbnails photos/a.jpg in 32x4 [photos.thumbnails]"])
  }

  @Test func `the chosen photo stays in view when a transfer and an error take lines`() {
    let robot = Robot(photos: Samples.names(50))
    for _ in 0..<6 { robot.press("j") }
    robot.happen(photos: .began(Samples.line("t", "a.jpg")))
    robot.happen(photos: .failed(String(repeating: "It did not work. ", count: 20)))
    #expect(robot.screen.contains("note-006.md"))
  }

  @Test func `a transfer is shown on each tab, with how far it is`() {
    let robot = Robot(notes: ["a"], size: Size(120, 24))
    robot.happen(photos: .began(Samples.line("t1", "garage.jpg")))
    #expect(robot.screen.contains("Waiting garage.jpg"))
    robot.happen(photos: .entered("t1", .running))
    robot.happen(
      photos: .progressed("t1", sent: 12_700_000, total: 28_311_552, rate: 4_300_000, secondsLeft: 4))
    for tab in ["1", "2"] {
      robot.press(tab)
      #expect(robot.screen.contains("Uploading garage.jpg") && robot.screen.contains("44 %"))
      #expect(robot.screen.contains("x cancel"))
    }
    robot.happen(photos: .finished("t1", .success(Samples.entry("photos/garage.jpg"))))
    #expect(!robot.screen.contains("44 %"))
    #expect(robot.notice == "Uploaded \"garage.jpg\".")
  }

  @Test func `the bar shows what runs before what waits, and x cancels what it shows`() {
    let robot = Robot(notes: ["a"], size: Size(120, 24))
    robot.happen(photos: .began(Samples.line("t1", "one.jpg")))
    robot.happen(photos: .began(Samples.line("t2", "two.jpg", .download)))
    robot.happen(photos: .entered("t2", .running))
    #expect(robot.screen.contains("Downloading (+1 more) two.jpg"))
    robot.press("x")
    #expect(robot.take() == ["run cancel transfer t2"])
    robot.happen(photos: .finished("t2", .failure(.cancelled("It"))))
    #expect(robot.notice == "Cancelled \"two.jpg\". Nothing of it was left behind.")
    robot.press("x")
    #expect(robot.take() == ["run cancel transfer t1"])
    robot.happen(photos: .finished("t1", .failure(StoreError(.quota, "No room is left.", remedy: "Make room."))))
    #expect(robot.notice == "\"one.jpg\" was not uploaded. No room is left. Make room.")
    robot.press("x")
    #expect(robot.notice == "No transfer is under way.")
  }

  @Test func `an upload under another name is told, and what is told of unknown transfers is passed over`() {
    let robot = Robot(notes: ["a"])
    robot.happen(photos: .began(Samples.line("t1", "a (1).jpg", renamedFrom: "a.jpg")))
    #expect(robot.notice == "\"a.jpg\" is taken: uploading as \"a (1).jpg\".")
    robot.happen(photos: .finished("other", .success(Samples.entry("x"))))
    robot.happen(photos: .progressed("other", sent: 1, total: 2, rate: nil, secondsLeft: nil))
    #expect(robot.state.photos.transfers.count == 1)
  }

  @Test func `a photo is viewed, coarsely first; next and previous stop at the ends`() throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Enter")
    #expect(robot.take() == ["run view photos/a.jpg [photos.view]"])
    #expect(robot.grid.text(ofRow: 1).hasSuffix("loading"))
    let (pyramid, full) = (try Samples.pyramid(), Samples.panorama().size)
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: false))
    #expect(robot.grid.text(ofRow: 1).contains("loading  320 x 80  100 %"))
    robot.press("+", "Left")
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: true))
    #expect(robot.grid.text(ofRow: 1).hasSuffix("320 x 80  125 %"))
    robot.press("p")
    #expect(robot.notice == "This is the first photo.")
    robot.take()
    robot.press("n")
    #expect(robot.take() == ["run view photos/b.jpg [photos.view]"])
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: true))
    #expect(robot.grid.text(ofRow: 1).hasSuffix("loading"))
    robot.press("n")
    #expect(robot.notice == "This is the last photo.")
    robot.press("q")
    #expect(robot.chosen == "photos/b.jpg" && robot.take().last == "cancel [photos.view]")
  }

  @Test func `a photo that cannot be shown says why`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.happen(
      photos: .viewFailed(
        Samples.path("photos/a.jpg"), StoreError(.corrupt, "It is damaged.", remedy: "Upload it anew.")))
    #expect(robot.view == "viewer" && robot.notice == "It is damaged. Upload it anew.")
  }

  @Test func `facts that come late do not take a path away that is typed`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("i", "u")
    robot.type("~/x")
    if let info = Samples.info(Samples.path("photos/a.jpg"), camera: "x") { robot.happen(photos: .informed(info)) }
    #expect(robot.view == "path")
  }

  @Test func `a path is completed, files are marked, and the marked ones are uploaded`() {
    let robot = Robot(photos: [])
    robot.press("u")
    #expect(robot.take() == ["run complete \"\" for upload [photos.complete]"])
    robot.type("a")
    let choices = ["ab.jpg", "ac.jpg"].map { PathCompletion.Choice(path: $0, isDirectory: false) }
    robot.happen(photos: .completed("", PathCompletion(choices: [], common: "late")))
    robot.happen(photos: .completed("a", PathCompletion(choices: choices, common: "a")))
    robot.take()
    robot.press("Ctrl-T", "Ctrl-T", "Enter")
    #expect(robot.take() == ["run upload ab.jpg ac.jpg"])
    #expect(robot.view.isEmpty)
  }

  @Test func `a download asks where to, and remembers it`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Space", "Space", "d")
    robot.take()
    robot.press("Ctrl-U")
    robot.type("~/x")
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run download photos/a.jpg photos/b.jpg to ~/x"])
    robot.press("d")
    #expect(robot.screen.contains("Download to: ~/x"))
  }
}
