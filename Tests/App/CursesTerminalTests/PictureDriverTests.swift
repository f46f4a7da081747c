import Foundation
import POSIX
import TestKit
import Testing
import TextUI

@testable import CursesTerminal

@Suite struct PictureDriverTests {
  static let modes: [GraphicsMode] = [.kitty, .kittyInTmux, .sixel, .iTerm2]

  @Test("A picture is decoded as it was drawn", arguments: modes)
  func decoded(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let pixels = PictureScene.pixels(20, 18)
    let grid = scene.paint { PictureScene.draw(PictureScene.picture(Size(5, 3)), x: 2, y: 1, on: &$0) }
    #expect(scene.terminal.problems == [])
    #expect(scene.shows(pixels, at: Point(2, 1)))
    #expect(grid[2, 1] == .blank, "no block is under the picture")
  }

  @Test func `kitty on this machine reads pixels in shared memory, and nothing stays there`() {
    let before = PictureScene.sharedObjects
    var scene = PictureScene(.kitty, sharesMemory: true)
    for seed in 0..<9 {
      let picture = PictureScene.picture(Size(5, 3), seed: seed)
      scene.paint { PictureScene.draw(picture, x: 2, y: 1, on: &$0) }
      #expect(scene.shows(PictureScene.pixels(20, 18, seed: seed), at: Point(2, 1)))
      #expect(scene.bytes.count < 300, "no pixels are in the stream")
    }
    #expect(scene.terminal.problems == [] && scene.terminal.sentCount == 9)
    #expect(PictureScene.sharedObjects == before)
  }

  @Test func `a terminal that does not read shared memory gets the pixels themselves`() throws {
    let before = PictureScene.sharedObjects
    do {
      let memory = SharedPictures()
      let megabyte = [UInt8](repeating: 7, count: 1 << 20)
      for _ in 0..<32 { #expect(memory.share(megabyte) != nil) }
      #expect(memory.share(megabyte) == nil)
      #expect(PictureScene.sharedObjects.count == before.count + 32)
      let read = try #require(PictureScene.sharedObjects.subtracting(before).first)
      #expect(shm_unlink("/\(read)") == 0)
      #expect(memory.share(megabyte) != nil)
      #expect(memory.share(megabyte) == nil)
    }
    #expect(PictureScene.sharedObjects == before)
    var scene = PictureScene(.kitty, sharesMemory: true)
    let pixels = PicturePixels(width: 4000, height: 3000, bytes: [UInt8](repeating: 9, count: 36_000_000))
    let picture = CanvasPicture(
      .init(PictureSource()), size: Size(4000, 3000), cells: PictureScene.size, isStretched: true, pixels: { pixels })
    scene.paint { PictureScene.draw(picture, x: 0, y: 0, on: &$0) }
    #expect(String(decoding: scene.bytes.prefix(20), as: UTF8.self).hasPrefix("\u{1B}_Ga=t,f=100,"))
  }

  @Test func `what a killed process left in shared memory goes`() throws {
    let child = try Spawn("/bin/sh", ["-c", "exit 0"], environment: [:])
    let process = child.process
    _ = try child.finish()
    let left = "/dev/shm/byteclub-\(process)-x-1"
    let other = "/dev/shm/byteclub-\(getpid())-x-1"
    for path in [left, other] { #expect(FileManager.default.createFile(atPath: path, contents: Data([1]))) }
    defer { try? FileManager.default.removeItem(atPath: other) }
    _ = SharedPictures()
    #expect(!FileManager.default.fileExists(atPath: left) && FileManager.default.fileExists(atPath: other))
  }

  @Test("A picture that fills its last cells in part is not stretched", arguments: modes)
  func natural(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let pixels = PictureScene.pixels(17, 14)
    let picture = CanvasPicture(
      .init(PictureSource()), size: Size(17, 14), cells: Size(5, 3), isStretched: false, pixels: { pixels })
    scene.paint { PictureScene.draw(picture, x: 1, y: 1, on: &$0) }
    guard mode != .kittyInTmux else { return }  // kitty fits it into the cells.
    #expect(scene.shows(pixels, at: Point(1, 1)))
  }

  @Test("An unchanged frame sends nothing", arguments: modes)
  func unchanged(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let picture = PictureScene.picture(Size(4, 2))
    scene.paint { PictureScene.draw(picture, x: 0, y: 0, on: &$0) }
    scene.paint {
      PictureScene.draw(picture, x: 0, y: 0, on: &$0)
      $0.text("text", x: 6, y: 0)
    }
    #expect(scene.bytes.count <= "\u{1B}[0m".utf8.count)
  }

  @Test("Text covers a part of a picture, which comes back when the text goes", arguments: modes)
  func covered(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let pixels = PictureScene.pixels(40, 30)
    let picture = PictureScene.picture(Size(10, 5))
    func draw(_ isCovered: Bool) {
      scene.paint { canvas in
        PictureScene.draw(picture, x: 1, y: 0, on: &canvas)
        if isCovered { canvas.inside(Rect(3, 1, 4, 2)) { $0.fill(Rect(0, 0, 4, 2), with: "x", style: .plain) } }
      }
    }
    draw(false)
    #expect(scene.shows(pixels, at: Point(1, 0)))
    draw(true)
    #expect(scene.shows(pixels, at: Point(1, 0), hidden: [Rect(3, 1, 4, 2)]))
    let sent = scene.terminal.sentCount
    draw(false)
    #expect(scene.shows(pixels, at: Point(1, 0)))
    #expect(scene.terminal.sentCount == sent, "the terminal still has the pixels")
    #expect(scene.terminal.problems == [])
  }

  @Test("A picture that goes leaves nothing, even where the screen becomes blank", arguments: modes)
  func gone(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    scene.paint { PictureScene.draw(PictureScene.picture(Size(5, 3)), x: 2, y: 1, on: &$0) }
    scene.paint { _ in }
    #expect(scene.terminal.isEmpty)
    scene.paint { _ in }
    #expect(scene.bytes.isEmpty)
  }

  @Test("A picture that moves is at its new place alone", arguments: modes)
  func moved(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let picture = PictureScene.picture(Size(5, 3))
    for place in [Point(0, 0), Point(3, 1), Point(7, 3)] {
      scene.paint { PictureScene.draw(picture, x: place.x, y: place.y, on: &$0) }
      #expect(scene.shows(PictureScene.pixels(20, 18), at: place), "at \(place)")
    }
    if mode == .kitty || mode == .kittyInTmux { #expect(scene.terminal.sentCount == 1) }
  }

  @Test("A lost screen gets everything again", arguments: modes)
  func lost(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    let picture = PictureScene.picture(Size(5, 3))
    scene.paint { PictureScene.draw(picture, x: 2, y: 1, on: &$0) }
    scene.stage.forget()
    scene.terminal = PictureTerminal(PictureScene.size, cell: PictureScene.cell, marks: KittyMarks.all)
    scene.paint { PictureScene.draw(picture, x: 2, y: 1, on: &$0) }
    #expect(scene.shows(PictureScene.pixels(20, 18), at: Point(2, 1)))
  }

  @Test("Nothing of kitty's pictures is kept after the full screen", arguments: [GraphicsMode.kitty, .kittyInTmux])
  func left(_ mode: GraphicsMode) {
    var scene = PictureScene(mode)
    scene.paint {
      PictureScene.draw(PictureScene.picture(Size(2, 2)), x: 0, y: 0, on: &$0)
      PictureScene.draw(PictureScene.picture(Size(3, 2)), x: 5, y: 0, on: &$0)
    }
    scene.paint { _ in }
    #expect(scene.terminal.isEmpty)
    scene.stage.forget()
    scene.paint { PictureScene.draw(PictureScene.picture(Size(2, 3)), x: 0, y: 0, on: &$0) }
    #expect(!scene.terminal.keepsNothing)
    scene.terminal.feed(scene.stage.leaving)
    #expect(scene.terminal.keepsNothing)
  }

  @Test func `a pan of a picture that kitty has takes less than 200 bytes and no pixels`() {
    var scene = PictureScene(.kitty)
    let pixels = PictureScene.pixels(96, 60)
    let source = PictureSource()
    for step in 0..<4 {
      let picture = CanvasPicture(
        .init(source), size: Size(96, 60), crop: Rect(step * 12, step * 6, 48, 42), cells: PictureScene.size,
        isStretched: true, pixels: { pixels })
      scene.paint { PictureScene.draw(picture, x: 0, y: 0, on: &$0) }
      #expect(scene.terminal.color(x: 5, y: 7) == scene.color(pixels, step * 12 + 5, step * 6 + 7))
      if step > 0 { #expect(scene.bytes.count < 200) }
    }
    #expect(scene.terminal.sentCount == 1)
  }

  @Test func `kitty forgets pictures that were not shown for long`() {
    var scene = PictureScene(.kitty)
    for seed in 0..<40 {
      scene.paint { PictureScene.draw(PictureScene.picture(Size(2, 2), seed: seed), x: 0, y: 0, on: &$0) }
    }
    let deleted = String(decoding: scene.bytes, as: UTF8.self).contains("a=d,d=I")
    #expect(deleted)
    #expect(scene.shows(PictureScene.pixels(8, 12, seed: 39), at: Point(0, 0)))
  }

  @Test func `inside tmux a picture of the same size changes no cell`() {
    var scene = PictureScene(.kittyInTmux)
    let source = PictureSource()
    for seed in 0..<3 {
      scene.paint {
        PictureScene.draw(PictureScene.picture(Size(5, 3), source: source, seed: seed), x: 2, y: 1, on: &$0)
      }
      #expect(scene.shows(PictureScene.pixels(20, 18, seed: seed), at: Point(2, 1)))
      let scalars = String(decoding: scene.bytes, as: UTF8.self).unicodeScalars
      #expect(scalars.contains("\u{10EEEE}") == (seed == 0))
    }
  }

  @Test func `kitty's marks are those of its table`() {
    #expect(KittyMarks.all.count == 297)
    #expect(KittyMarks.all.prefix(4).map(\.value) == [0x305, 0x30D, 0x30E, 0x310])
    #expect(KittyMarks.all.last?.value == 0x1D244)
  }

  @Test func `the bytes of kitty's protocol`() {
    var scene = PictureScene(.kitty)
    let picture = CanvasPicture(
      .init(PictureSource()), size: Size(2, 1), cells: Size(1, 1), isStretched: false,
      pixels: { PicturePixels(width: 2, height: 1, bytes: [255, 0, 0, 0, 0, 255]) })
    scene.paint { PictureScene.draw(picture, x: 3, y: 2, on: &$0) }
    let text = String(decoding: scene.bytes, as: UTF8.self)
    // zlib's stream may differ from version to version.
    #expect(text.hasPrefix("\u{1B}_Ga=t,f=100,i=1,q=2,m=0;iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjd"))
    #expect(
      text.hasSuffix("\u{1B}\\\u{1B}[3;4H\u{1B}_Ga=p,i=1,p=1,x=0,y=0,w=2,h=1,C=1,z=-1,q=2\u{1B}\\"))
    scene.paint { _ in }
    #expect(String(decoding: scene.bytes, as: UTF8.self) == "\u{1B}_Ga=d,d=i,i=1,p=1,q=2\u{1B}\\")
  }

  @Test func `the bytes of sixels`() throws {
    var scene = PictureScene(.sixel)
    let red: [UInt8] = [255, 0, 0]
    let blue: [UInt8] = [0, 0, 255]
    let picture = CanvasPicture(
      .init(PictureSource()), size: Size(8, 7), cells: Size(2, 2), isStretched: false,
      pixels: {
        let row = red + blue + red + red + red + red + red + red
        return PicturePixels(width: 8, height: 7, bytes: Array((0..<7).map { _ in row }.joined()))
      })
    scene.paint { PictureScene.draw(picture, x: 3, y: 2, on: &$0) }
    let text = String(decoding: scene.bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[3;4H\u{1B}P0;1q\"1;1;8;7#0;2;0;0;0#1;2;0;0;20"))
    // Six full rows, then one: pure colours are not dithered.
    #expect(text.hasSuffix("#251;2;100;100;100#5?~$#210~?!6~$-#5?@$#210@?!6@$-\u{1B}\\"))
    scene.paint { _ in }
    let blank = "\u{1B}[0m\u{1B}[3;4H  \u{1B}[4;4H  "
    #expect(String(decoding: scene.bytes, as: UTF8.self) == blank)
  }

  @Test func `the bytes of iTerm2's inline images`() {
    var scene = PictureScene(.iTerm2)
    scene.paint { PictureScene.draw(PictureScene.picture(Size(2, 1)), x: 3, y: 2, on: &$0) }
    let text = String(decoding: scene.bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[3;4H\u{1B}]1337;File=inline=1;size="))
    #expect(text.contains(";width=8px;height=6px;preserveAspectRatio=0;doNotMoveCursor=1:iVBORw0KGgo"))
    #expect(text.hasSuffix("\u{7}"))
  }
}
