import FileStores
import Foundation
import POSIX
import Screens
import TestKit
import Testing
import TextUI

@testable import byteclub

/// The app between clubs, on a terminal that a script uses.
struct FullScreenTests {
  /// A member's home with the clubs `one` and `two`, a note in each.
  private final class Home: Sendable {
    let folder: TemporaryFolder
    let environment: Environment

    init(_ more: String = "") throws {
      folder = try TemporaryFolder()
      environment = Environment(["HOME": folder.path])
      for club in ["one", "two"] {
        try FileManager.default.createDirectory(
          atPath: folder.file("\(club)/photos"), withIntermediateDirectories: true)
        try Data("text of \(club)".utf8).write(to: URL(fileURLWithPath: folder.file("\(club)/note of \(club).md")))
      }
      try FileManager.default.createDirectory(
        atPath: folder.file(".config/byteclub"), withIntermediateDirectories: true)
      let config = #"{"club":"one","clubs":{"one":{"path":"~/one"},"two":{"path":"~/two"}\#(more)}}"#
      try Data(config.utf8).write(to: URL(fileURLWithPath: folder.file(".config/byteclub/config.json")))
    }
  }

  private struct Ended: Sendable {
    let screens: [String]
    let isThrough: Bool
    let isSettled: Bool
    let backgroundCount: Int
  }

  /// Runs the app until the script has quit it.
  private func run(
    _ home: Home, from place: @escaping @Sendable () -> FullScreen.Place = { .club(.first) },
    _ steps: @escaping @Sendable () -> [ScriptedTerminal.Step]
  ) async throws -> Ended {
    let setup = try ClubSetup(StartOptions(), environment: home.environment)
    let (ended, ending) = await Task.detached { () -> (Ended, @Sendable () async -> Void) in
      let terminal = ScriptedTerminal(steps())
      let app = FullScreen(StartOptions(), home.environment, SharedServices(TransferBase(setup)), on: terminal)
      _ = app.run(from: place())
      let ended = Ended(
        screens: terminal.screens, isThrough: terminal.isThrough, isSettled: app.settle(),
        backgroundCount: terminal.backgroundCount)
      return (ended, app.ending)
    }.value
    await ending()
    return ended
  }

  @Test func `the background is asked for while a club opens, and by the club`() async throws {
    let ended = try await run(try Home()) { [.press("q", when: "note of one.md")] }
    #expect(ended.isThrough && ended.backgroundCount == 2)
  }

  @Test func `a text that is open when the member changes clubs is a draft, which is offered when they come back`()
    async throws
  {
    let home = try Home()
    let ended = try await run(home) {
      [
        .press("Enter", when: "note of one.md"), .press("i", when: "i edit"),
        .type("TYPED ", when: "unchanged  line 1"),
        .init("TYPED text of one") { terminal, topLine in
          guard let name = topLine.firstRange(of: "one: ") else { return }
          let column = topLine.distance(from: topLine.startIndex, to: name.lowerBound)
          terminal.send(.mouse(.init(.press, at: Point(column, 0))))
        },
        .type("j\n", when: "~/two"), .type(":club one\n", when: "note of two.md"),
        .press("Enter", when: "Draft of \"note of one.md\""), .press("Ctrl-Q", when: "changed  line 1"),
        .press("q", when: "Saved \"note of one.md\"."),
      ]
    }
    #expect(ended.isThrough && ended.isSettled, "\(ended.screens.last ?? "")")
    let text = try String(contentsOfFile: home.folder.file("one/note of one.md"), encoding: .utf8)
    #expect(text == "TYPED text of one")
  }

  @Test(arguments: [false, true])
  func `what is typed with the choice of a club, or while it opens, is for that club`(isWhileOpening: Bool) async throws
  {
    let ended = try await run(try Home()) {
      let choice: [ScriptedTerminal.Step] =
        isWhileOpening
        ? [.type(":club two\n", when: "note of one.md"), .type("/two", when: "Opening two")]
        : [.type(":club two\n/two", when: "note of one.md")]
      // Right after Esc one q alone does not quit.
      return choice + [.press("Esc", when: "note of two.md"), .type(":q\n", when: "note of two.md")]
    }
    #expect(ended.isThrough && ended.screens.dropLast().last?.contains("Find: two") == true, "\(ended.screens)")
  }

  @Test func `only Esc and Ctrl-C end the opening of a club`() {
    func ends(_ key: Key) -> Bool {
      let state = OpeningScreen.State(sentence: "", theme: Theme(.plain, colors: .none), isASCII: false)
      return if case .cancelled = OpeningScreen.action(for: .key(key), in: state) { true } else { false }
    }
    #expect(ends(Key(.escape)) && ends(Key(.character("c"), .control)))
    #expect(!"/quiz".unicodeScalars.contains { ends(Key(.character($0))) } && !ends(Key(.enter)))
  }

  @Test func `Esc in the list leads back to the open text, too`() async throws {
    let ended = try await run(try Home()) {
      [
        .press("Enter", when: "note of one.md"), .press("i", when: "i edit"),
        .type("TYPED ", when: "unchanged  line 1"),
        .init("TYPED text of one") { terminal, topLine in
          guard let name = topLine.firstRange(of: "one: ") else { return }
          let column = topLine.distance(from: topLine.startIndex, to: name.lowerBound)
          terminal.send(.mouse(.init(.press, at: Point(column, 0))))
        },
        .press("Esc", when: "~/two"), .press("Enter", when: "Draft of \"note of one.md\""),
        .press("Ctrl-Q", when: "changed  line 1"), .press("q", when: "Saved \"note of one.md\"."),
      ]
    }
    #expect(ended.isThrough && ended.isSettled, "\(ended.screens.last ?? "")")
  }

  @Test func `Esc in the list leads back to the club`() async throws {
    let ended = try await run(try Home()) {
      [.press("L", when: "note of one.md"), .press("Esc", when: "~/two"), .press("q", when: "note of one.md")]
    }
    #expect(ended.isThrough, "\(ended.screens.last ?? "")")
  }

  @Test func `Esc leads back to the only club, although another one was added meanwhile`() async throws {
    let home = try Home()
    let file = URL(fileURLWithPath: home.folder.file(".config/byteclub/config.json"))
    try Data(#"{"clubs":{"one":{"path":"~/one"}}}"#.utf8).write(to: file)
    let ended = try await run(home) {
      [
        .init("note of one.md") { terminal, _ in
          try? Data(#"{"clubs":{"one":{"path":"~/one"},"two":{"path":"~/two"}}}"#.utf8).write(to: file)
          terminal.press("L")
        },
        .press("Esc", when: "~/two"), .press("q", when: "note of one.md"),
      ]
    }
    #expect(ended.isThrough, "\(ended.screens.last ?? "")")
  }

  @Test func `a club that cannot be opened leads to the list, which says why`() async throws {
    let home = try Home(#","gone":{"path":"~/gone"}"#)
    let ended = try await run(home) {
      [
        .type(":club gone\n", when: "note of one.md"), .type("g\n", when: "~/two"),
        .press("q", when: "note of one.md"),
      ]
    }
    #expect(ended.isThrough, "\(ended.screens.last ?? "")")
  }

  @Test func `without a default the list comes first, and Enter opens the chosen club`() async throws {
    let ended = try await run(try Home(), from: { .clubs(.list) }) {
      [.type("j\n", when: "~/two"), .press("q", when: "note of two.md")]
    }
    #expect(ended.isThrough, "\(ended.screens.last ?? "")")
  }

  @Test func `a club without a sign-in leads to the sign-in, and Esc to what this machine knows`() async throws {
    let home = try Home(#","far":{"store":"dropbox","server":"http://127.0.0.1:1","folder":"/"}"#)
    let ended = try await run(home) {
      [
        .type(":club far\n", when: "note of one.md"), .press("Esc", when: "Sign in to far"),
        .type(":club one\n", when: "Press A to sign in."), .press("q", when: "note of one.md"),
      ]
    }
    #expect(ended.isThrough, "\(ended.screens.last ?? "")")
  }

  @Test func `a token of the variable goes to no club but its own`() throws {
    let home = try Home()
    let environment = Environment(["HOME": home.folder.path, Environment.tokenVariable: "secret"])
    let base = TransferBase(try ClubSetup(StartOptions(), environment: environment))
    #expect(try base.setup(of: "one").environment.accessToken == "secret")
    #expect(try base.setup(of: "two").environment.accessToken == nil)
  }
}
