import ClubServices
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Screens
@testable import TextUI
@testable import byteclub

/// The actions that the screen of notes gets while a club in a folder is listed and read.
@Suite struct NotesPerformerTests {
  private struct NoDesktop: DesktopOpener {
    func open(_ path: StorePath) async throws(StoreError) -> String { "" }
    func open(address: String) async throws(StoreError) -> String { "" }
    func open(file: String) async throws(StoreError) -> String { "" }
  }

  private let folder: TemporaryFolder
  private let club: OpenClub
  private let clock = ManualClock(advancesOnSleep: true)
  private let input = InputTurns()

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("club"), withIntermediateDirectories: true)
    club = try OpenClub(
      ClubSetup(StartOptions(folder: folder.file("club")), environment: Environment(["HOME": folder.path])))
  }

  private func perform(_ effect: NotesEffect, _ receive: @escaping @Sendable (NotesAction) -> Void) async {
    let performer = NotesPerformer(
      service: club.notes, journal: club.drafts, editor: { ExternalProgram([$0]) }, desktop: NoDesktop(), clock: clock,
      input: input)
    await performer.perform(effect, Sender { action, _ in receive(action) })
  }

  @Test(arguments: [false, true])
  func `names are listed at once, and details wait while the member types`(types: Bool) async throws {
    try folder.write("club/a.md", Array("text".utf8))
    let told = Mutex<[String]>([])
    await perform(.files(.list)) { [input, clock] action in
      guard case .files(let action) = action else { return }
      let (word, pages) =
        switch action {
        case .listed: ("names", 0)
        case .detailed(let page, let isLast): (isLast ? "all" : "details", page.count)
        default: ("", 0)
        }
      if types, word == "details" { input.came() }
      told.withLock { $0.append("\(word) \(pages) after \(clock.slept.count)") }
    }
    #expect(told.withLock { $0 } == ["names 0 after 0", "details 1 after 0", "all 0 after \(types ? 1 : 0)"])
    #expect(clock.slept == (types ? [InputRest.length] : []))
  }

  @Test func `of a long note the beginning comes before the rest is read`() async throws {
    let text = Array(String(repeating: "a walk along the shore\n", count: 20_000).utf8)
    try folder.write("club/long.md", text)
    let told = Mutex<[(bytes: Int, head: [UInt8]?)]>([])
    await perform(.open(try StorePath("long.md"), .read)) { action in
      switch action {
      case .opening(_, let bytes, let head): told.withLock { $0.append((bytes, head)) }
      case .opened(let note, _, _): told.withLock { $0.append((note.bytes.count, nil)) }
      default: break
      }
    }
    let steps = told.withLock { $0 }
    let head = try #require(steps.first?.head)
    #expect(head.count <= LoadingSteps.headBytes && text.starts(with: head) && !head.isEmpty)
    #expect(steps.count > 1 && steps.dropFirst().allSatisfy { $0.head == nil })
    #expect(steps.map(\.bytes) == steps.map(\.bytes).sorted() && steps.last?.bytes == text.count)
  }

  @Test func `a search for links says how many notes are read`() async throws {
    // Longer notes are read one by one.
    let text = Array(("[[1]]\n" + String(repeating: "a walk along the shore\n", count: 50_000)).utf8)
    for number in 0..<4 { try folder.write("club/\(number).md", text) }
    let told = Mutex<[String]>([])
    await perform(.backlinks(try StorePath("1.md"))) { action in
      switch action {
      case .backlinksSought(_, let unread, let total): told.withLock { $0.append("\(unread) of \(total)") }
      case .backlinksFound(_, let found): told.withLock { $0.append("\(found.links.count) links") }
      default: break
      }
    }
    let steps = told.withLock { $0 }
    #expect(steps.count > 1 && steps.dropLast().allSatisfy { $0.hasSuffix(" of 4") })
    #expect(steps.last == "3 links")
  }
}
