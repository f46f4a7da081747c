import FileStores
import Imaging
import Testing
import Foundation
import TextUI
import Transfers

@testable import Screens

@Suite struct PhotoScreenTests {
  @Test func `a photo and a note that are read say how much has come`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(photos: .files(.detailed([Samples.entry(Samples.path("photos/a.jpg"), size: 5 << 20)], isLast: true)))
    robot.press("Enter")
    robot.happen(photos: .loaded(Samples.path("photos/a.jpg"), bytes: 2 << 20))
    #expect(robot.grid.text(ofRow: 1).contains("loading 2.0 of 5.0 MiB"))
    robot.press("q", "1")
    robot.happen(.listed(Samples.table(["a.md"])))
    robot.press("Enter")
    robot.happen(.notes(.opening(Samples.path("a.md"), bytes: 3 << 20)))
    #expect(robot.screen.contains("Loading 3.0 MiB."))
    robot.happen(.detailed([Samples.entry("a.md", size: 6 << 20)], isLast: true))
    #expect(robot.screen.contains("Loading 3.0 of 6.0 MiB."))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `the head of a long note is read while the rest comes, and nothing is changed before it is whole`(size: Size) {
    let robot = Robot(notes: ["a.md"], size: size)
    robot.happen(.detailed([Samples.entry("a.md", size: 5 << 20)], isLast: true))
    robot.press("Enter")
    robot.happen(.notes(.opening(Samples.path("a.md"), bytes: 1 << 20, head: Array("the first words\nmore\n".utf8))))
    #expect(robot.screen.contains("the first words") && robot.screen.contains("Loading 1.0 of 5.0 MiB."))
    robot.happen(.notes(.opening(Samples.path("a.md"), bytes: 3 << 20)))
    #expect(robot.screen.contains("the first words") && robot.screen.contains("Loading 3.0 of 5.0 MiB."))
    robot.take()
    robot.press("x", "D")
    #expect(robot.view == "opening" && robot.take().isEmpty)
    robot.happen(.opened(Samples.note("a.md", "the first words\nmore\nall of it"), .read))
    #expect(robot.view == "reader" && robot.screen.contains("all of it"))
  }

  @Test func `thumbnails are asked for the rows in view, and anew when others come into view`() {
    let robot = Robot(Size(80, 24))
    robot.press("2")
    robot.take()
    robot.happen(photos: .listed(Samples.table(Samples.names(100), folder: "photos")))
    let first = robot.take().first ?? ""
    #expect(first.hasPrefix("run thumbnails photos/note-000.md") && first.contains("note-003.md in 24x3"))
    #expect(!first.contains("note-004") && first.hasSuffix("[photos.thumbnails]"))
    robot.press("G")
    let last = robot.take().first ?? ""
    #expect(last.contains("note-099.md") && !last.contains("note-000.md"))
  }

  @Test func `when nothing in view lacks a thumbnail, what was asked for before is cancelled`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    for name in ["photos/a.jpg", "photos/b.jpg"] {
      robot.happen(photos: .thumbnail(Samples.path(name), .success(Samples.thumbnail())))
    }
    robot.press("j")
    #expect(robot.take() == ["cancel [photos.thumbnails]"])
  }

  @Test func `a thumbnail that cannot be made says why`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(photos: .thumbnail(Samples.path("photos/a.jpg"), .failure(StoreError(.corrupt, "It is damaged."))))
    #expect(robot.screen.contains("no picture") && robot.screen.contains("It is damaged."))
  }

  @Test func `another size asks for thumbnails anew`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(photos: .thumbnail(Samples.path("photos/a.jpg"), .success(Samples.thumbnail())))
    robot.resize(120, 40)
    #expect(robot.take().contains("run thumbnails photos/a.jpg in 16x4 [photos.thumbnails]"))
  }

  @Test func `the chosen photo stays in view when a transfer and an error take lines`() {
    let robot = Robot(photos: Samples.names(50))
    for _ in 0..<6 { robot.press("j") }
    robot.happen(transfers: .appeared(Samples.transfer("t", "a.jpg")))
    robot.happen(photos: .warned(String(repeating: "It did not work. ", count: 20)))
    #expect(robot.screen.contains("note-006.md"))
  }

  @Test func `what is on disk already is marked, and opens from there`() {
    let robot = Robot(photos: [])
    var table = Samples.table(["a.jpg", "b.jpg"], folder: "photos")
    table.merge(["a.jpg", "b.jpg"].map { Samples.entry("photos/\($0)", size: 5) })
    robot.happen(photos: .listed(table))
    robot.take()
    robot.happen(transfers: .appeared(Samples.done("t1", "a.jpg", .download, size: 5)))
    #expect(robot.take().contains("run look for /home/ray/Downloads/a.jpg [photos.disk]"))
    #expect(!robot.screen.contains("on disk"))
    robot.press("o")
    #expect(robot.take() == ["run open outside photos/a.jpg"])
    robot.happen(photos: .lookedOnDisk([Samples.path("photos/a.jpg"): true]))
    #expect(robot.screen.components(separatedBy: "on disk").count == 2)
    robot.press("o", "Enter")
    #expect(
      robot.take() == [
        "run open file /home/ray/Downloads/a.jpg", "run view photos/a.jpg from /home/ray/Downloads/a.jpg [photos.view]",
      ])
  }

  @Test func `what is on disk is marked at the next start, too, once the file is found, and after a renaming`() {
    let first = Robot(photos: [])
    first.happen(transfers: .appeared(Samples.done("t1", "a.jpg", .download, size: 5)))
    let robot = Robot(copies: first.state.copies)
    robot.press("2")
    var table = Samples.table(["a.jpg", "b.jpg"], folder: "photos")
    table.merge(["a.jpg", "b.jpg"].map { Samples.entry("photos/\($0)", size: 5) })
    robot.happen(photos: .listed(table))
    #expect(robot.take().contains("run look for /home/ray/Downloads/a.jpg [photos.disk]"))
    #expect(!robot.screen.contains("on disk"))
    robot.happen(photos: .lookedOnDisk([Samples.path("photos/a.jpg"): true]))
    #expect(robot.screen.components(separatedBy: "on disk").count == 2)
    robot.happen(photos: .renamed(from: Samples.path("photos/a.jpg"), Samples.entry("photos/c.jpg", size: 5)))
    #expect(robot.screen.components(separatedBy: "on disk").count == 2)
    robot.take()
    robot.press("o")
    #expect(robot.take() == ["run open file /home/ray/Downloads/a.jpg"])
  }

  @Test func `a photo that was changed since, or whose copy is gone, is not on disk`() {
    let robot = Robot(photos: [])
    var table = Samples.table(["a.jpg", "b.jpg"], folder: "photos")
    table.merge([Samples.entry("photos/a.jpg", size: 5, ago: 10), Samples.entry("photos/b.jpg", size: 5)])
    robot.happen(photos: .listed(table))
    robot.take()
    for name in ["a.jpg", "b.jpg"] {
      robot.happen(transfers: .appeared(Samples.done("t-\(name)", name, .download, size: 5)))
    }
    #expect(robot.take().last == "run look for /home/ray/Downloads/b.jpg [photos.disk]")
    robot.happen(photos: .lookedOnDisk([Samples.path("photos/b.jpg"): false]))
    #expect(!robot.screen.contains("on disk"))
    robot.press("Enter")
    #expect(robot.take().contains("run view photos/a.jpg [photos.view]"))
  }

  @Test func `a photo is viewed, coarsely first; next and previous stop at the ends`() throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Enter")
    #expect(robot.take() == ["run view photos/a.jpg [photos.view]"])
    #expect(robot.grid.text(ofRow: 1).hasSuffix("loading  1 of 2"))
    let (pyramid, full) = (try Samples.pyramid(), Samples.panorama().size)
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: false))
    #expect(robot.grid.text(ofRow: 1).contains("loading  320 x 80  100 %"))
    robot.press("+", "Left")
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: true))
    #expect(robot.grid.text(ofRow: 1).hasSuffix("320 x 80  125 %  1 of 2"))
    robot.press("p")
    #expect(robot.notice == "This is the first photo.")
    robot.take()
    robot.press("n")
    #expect(robot.take() == ["run view photos/b.jpg [photos.view]"])
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), pyramid, full: full, isWhole: true))
    #expect(robot.grid.text(ofRow: 1).hasSuffix("loading  2 of 2"))
    robot.press("n")
    #expect(robot.notice == "This is the last photo.")
    robot.press("q")
    #expect(robot.chosen == "photos/b.jpg" && robot.take().last == "cancel [photos.view]")
  }

  @Test func `the neighbours are fetched ahead, first the one in the direction of the last move`() throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    let (pyramid, full) = (try Samples.pyramid(), Samples.panorama().size)
    func seen(_ name: String, isWhole: Bool = true) {
      robot.happen(photos: .viewed(Samples.path("photos/\(name)"), pyramid, full: full, isWhole: isWhole))
    }
    robot.press("Down", "Enter")
    robot.take()
    seen("b.jpg", isWhole: false)
    #expect(robot.take() == [])
    seen("b.jpg")
    #expect(robot.take() == ["run prefetch photos/c.jpg photos/a.jpg [photos.ahead]"])
    // The prefetch continues, now for the viewer.
    robot.press("n")
    #expect(robot.take() == ["run view photos/c.jpg [photos.view]"])
    seen("c.jpg")
    #expect(robot.take() == ["run prefetch photos/d.jpg photos/b.jpg [photos.ahead]"])
    robot.press("p")
    #expect(robot.take() == ["run view photos/b.jpg [photos.view]"])
    seen("b.jpg")
    #expect(robot.take() == ["run prefetch photos/a.jpg photos/c.jpg [photos.ahead]"])
    robot.press("q")
    #expect(robot.take().suffix(2) == ["cancel [photos.ahead]", "cancel [photos.view]"])
  }

  @Test func `a photo that cannot be shown says why`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.happen(
      photos: .failed(
        .view(Samples.path("photos/a.jpg"), onDisk: nil),
        StoreError(.corrupt, "It is damaged.", remedy: "Upload it anew.")))
    #expect(robot.view == "viewer" && robot.notice == nil)
    #expect(robot.screen.contains("byteclub could not show the photo."))
    #expect(robot.screen.contains("It is damaged. Upload it anew. Press r to try again."))
  }

  @Test func `facts that come late do not take a path away that is typed`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("i", "u")
    robot.type("~/x")
    if let info = Samples.info(Samples.path("photos/a.jpg"), camera: "x") { robot.happen(photos: .informed(info)) }
    #expect(robot.view == "path")
  }
}

extension PhotoScreenTests {
  @Test func `a photo too large for memory shows the part in view closely, once the view rests`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    let (path, full) = (Samples.path("photos/a.jpg"), PixelSize(width: 2560, height: 640))
    let pyramid = try Pyramid(Samples.panorama(), full: full)
    robot.happen(photos: .viewed(path, pyramid, full: full, isWhole: true))
    #expect(!robot.grid.text(ofRow: 1).contains("shown at"))
    robot.take()
    for _ in 0..<10 { robot.press("+") }
    let asked = robot.take()
    #expect(asked.count >= 1 && asked.allSatisfy { $0.hasSuffix("[photos.detail]") }, "\(asked)")
    let request = try #require(robot.state.photos.viewer?.askedDetail)
    let blue = Pixels(width: request.area.width, height: request.area.height, colour: 0x0000FF)
    robot.happen(photos: .detailed(path, try #require(PictureDetail(request, blue))))
    #expect(robot.take().isEmpty)
    #expect(robot.state.photos.viewer?.pyramid?.detail?.request == request)
    robot.happen(photos: .failed(.detail(path, request), StoreError(.corrupt, "It is damaged.")))
    #expect(robot.notice == "A closer view could not be read. It is damaged.")
    robot.press("q")
    #expect(robot.take().contains("cancel [photos.detail]"))
  }

  @Test func `a photo that is shown reduced says so`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    let full = PixelSize(width: 1280, height: 320)
    robot.happen(photos: .viewed(Samples.path("photos/a.jpg"), try Samples.pyramid(), full: full, isWhole: true))
    #expect(robot.grid.text(ofRow: 1).contains("1280 x 320  shown at 1/4  100 %"))
  }
}
