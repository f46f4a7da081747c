import Basics
import ClubServices
import Decoding
import FileStores
import Foundation
import Markdown
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// Previews of real files in a folder club.
@Suite struct PreviewPerformerTests {
  private final class Scene {
    let folder: TemporaryFolder
    private let club: OpenClub
    let clock = ManualClock(advancesOnSleep: true)

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.file("club/photos"), withIntermediateDirectories: true)
      let setup = try ClubSetup(
        StartOptions(folder: folder.file("club")), environment: Environment(["HOME": folder.path]),
        decoder: InProcessDecoder(pool: BlockingPool(threads: 1)))
      club = try OpenClub(setup)
    }

    /// The answers to a request: the texts of each, after `delayed` for each report of a delay.
    func preview(
      _ name: String, _ kind: PreviewRequest.Kind = .note, columns: Int = 40, isBehindNetwork: Bool = false,
      isCopied: Bool = false
    ) async throws -> [PreviewContent?] {
      let request = PreviewRequest(
        kind: kind, path: try StorePath(name), size: nil, modified: nil, columns: columns, rows: 20)
      let answers = Mutex<[PreviewContent?]>([])
      let performer = PreviewPerformer(
        notes: club.notes, photos: club.photos, connection: isBehindNetwork ? StoreConnection() : nil, clock: clock,
        isCopied: { _ in isCopied })
      await performer.perform(
        request,
        Sender { action, _ in
          switch action {
          case .shown(let answered, let content):
            #expect(answered == request)
            answers.withLock { $0.append(content) }
          case .delayed: answers.withLock { $0.append(nil) }
          }
        })
      return answers.withLock { $0 }
    }

    func text(_ name: String, columns: Int = 40) async throws -> (lines: [String], isCut: Bool) {
      let content = try #require(try await preview(name, columns: columns).first ?? nil)
      return (
        content.lines.map { String(decoding: $0.runs.flatMap(\.text), as: UTF8.self) }, content.isCut
      )
    }
  }

  @Test func `a plain text is wrapped to the pane, as it is`() async throws {
    let scene = try Scene()
    try scene.folder.write("club/a.txt", Array("# no heading\none two three four\n".utf8))
    #expect(try await scene.text("a.txt", columns: 12).lines == ["# no heading", "one two ", "three four", ""])
  }

  @Test func `Markdown is rendered`() async throws {
    let scene = try Scene()
    try scene.folder.write("club/a.md", Array("# Heading\n\ntext\n".utf8))
    let content = try #require(try await scene.preview("a.md").first ?? nil)
    #expect(content.lines.contains { $0.rendered != nil } && !content.isCut)
  }

  @Test(arguments: ["a.txt", "a.md"], [5, 800])
  func `a place that a search found is marked, and in sight`(name: String, line: Int) throws {
    let text = (0..<1000).map { $0 == line ? "a sphere of the lighthouse\n\n" : "line \($0)\n\n" }.joined()
    var request = PreviewRequest(
      kind: .note, path: try StorePath(name), size: nil, modified: nil, columns: 40, rows: 20)
    request.sought = SoughtPlace(words: ["Lighthouse"], line: line * 2)
    let content = PreviewPerformer.note(Array(text.utf8), request)
    var state = PreviewState()
    _ = state.follow(request)
    state.take(.shown(request, content))
    let hit = try #require(content.hit)
    #expect((state.top..<state.top + 20).contains(hit))
    if name == "a.txt" {
      let marked = content.lines[hit].runs.filter { $0.role == .match }
      #expect(marked.map { String(decoding: $0.text, as: UTF8.self) } == ["lighthouse"])
    } else {
      let shown = try #require(content.lines[hit].rendered)
      #expect(shown.runs.contains { String(decoding: $0.text, as: UTF8.self).contains("lighthouse") })
      #expect(content.places.count == 1)
    }
  }

  @Test(arguments: [([], "This note is empty."), ([0x61, 0, 0x62], "This file is not text.")] as [([UInt8], String)])
  func `a file without text says so`(bytes: [UInt8], sentence: String) async throws {
    let scene = try Scene()
    try scene.folder.write("club/a.txt", bytes)
    #expect(try await scene.text("a.txt").lines == [sentence])
  }

  @Test func `of a long note the beginning is read, cut between characters`() async throws {
    let scene = try Scene()
    let limit = PreviewPerformer.mostBytes
    try scene.folder.write("club/a.txt", Array("a\n".utf8) + Array(repeating: Array("é".utf8), count: limit).joined())
    let (lines, isCut) = try await scene.text("a.txt")
    #expect(isCut && lines.first == "a")
    #expect(lines.dropFirst().allSatisfy { line in line.allSatisfy { $0 == "é" } })
    try scene.folder.write("club/b.txt", Array(repeating: 0x61, count: 100))
    #expect(try await scene.text("b.txt").isCut == false)
  }

  @Test func `a file that is gone says so`() async throws {
    let lines = try await Scene().text("gone.md", columns: 80).lines
    #expect(lines.joined().contains("gone.md"))
  }

  @Test func `a photo has its facts below it; one that is damaged says so`() async throws {
    let scene = try Scene()
    try scene.folder.write("club/photos/a.jpg", SamplePicture.jpeg)
    let content = try #require(try await scene.preview("photos/a.jpg", .photo).first ?? nil)
    #expect(content.picture != nil)
    let facts = String(decoding: try #require(content.lines.first).runs.flatMap(\.text), as: UTF8.self)
    #expect(facts.hasPrefix("Picture  ") && facts.contains("megapixels"))
    try scene.folder.write("club/photos/b.jpg", Array("no picture".utf8))
    let broken = try #require(try await scene.preview("photos/b.jpg", .photo).first ?? nil)
    #expect(broken.picture == nil && !broken.lines.isEmpty)
  }

  @Test(arguments: [(false, false), (true, false), (true, true)])
  func `the member rests on a file before it is read, longer before a server is asked`(
    isBehindNetwork: Bool, isCopied: Bool
  ) async throws {
    let scene = try Scene()
    try scene.folder.write("club/a.md", Array("text".utf8))
    let answers = try await scene.preview("a.md", isBehindNetwork: isBehindNetwork, isCopied: isCopied)
    let (rest, request) = (PreviewPerformer.rest, PreviewPerformer.restBeforeRequest)
    let asks = isBehindNetwork && !isCopied
    #expect(scene.clock.slept == (asks ? [rest, request - rest] : [rest]))
    #expect(answers.map { $0 == nil } == (asks ? [true, false] : [false]))
    #expect(rest < .milliseconds(50))
  }

  @Test(arguments: [false, true]) func `a request that was replaced answers nothing`(isBehindNetwork: Bool) async throws
  {
    let scene = try Scene()
    try scene.folder.write("club/a.md", Array("text".utf8))
    let asking = Task { [scene] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await scene.preview("a.md", isBehindNetwork: isBehindNetwork).count
    }
    #expect(try await asking.value == 0)
  }
}
