import Basics
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Screens

/// The screen of clubs with its performer, in a loop.
@Suite struct ClubsLoopTests {
  /// Its own threads: tests that wait for programs on ptys block Swift's.
  private let pool = BlockingPool()

  /// The loop blocks its thread, so it gets its own.
  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { ended in
      Thread.detachNewThread {
        body()
        ended.resume()
      }
    }
  }

  private func loop(
    _ start: ClubsStart, _ services: FakeClubs, _ terminal: FakeTerminal, current: String? = nil
  ) -> Loop<ClubsScreen> {
    let frame = Frame(size: terminal.size, abilities: terminal.abilities, keys: .standard, club: "")
    let (state, commands) = ClubsScreen.start(frame, start, forms: services.forms, current: current)
    return Loop<ClubsScreen>(
      state, commands: commands, terminal: terminal, performer: ClubsPerformer(services), now: { 0 },
      executor: pool.tasks)
  }

  /// Handles the events, and waits for the effects.
  private func settle(_ loop: Loop<ClubsScreen>) {
    repeat { loop.turn() } while !loop.mailbox.isIdle
  }

  @Test func `a club is added by keys alone, from the first screen to its name`() async {
    await onThread {
      var script = FakeClubs.Script()
      script.step = .success(ClubsSamples.step(.password("Password"), address: nil))
      let (services, terminal) = (FakeClubs(script), FakeTerminal())
      let loop = loop(.firstStart, services, terminal)
      terminal.press("4", "Enter")
      terminal.type("https://a")
      terminal.press("Tab")
      terminal.type("ann")
      terminal.press("Ctrl-S")
      settle(loop)
      terminal.type("secret")
      terminal.press("Enter")
      settle(loop)
      #expect(loop.state.outcome == .open(club: "cloud", said: "Signed in as ann."))
      #expect(!terminal.grid.text.contains("secret"))
      // A check runs beside the calls that follow it, and ends with them.
      let calls = services.calls.filter { $0 != "clubs" && !$0.contains("check ") }
      #expect(calls == ["add https://a,ann,", "begin cloud", "finish cloud secret"])
      #expect(services.calls.contains { $0.hasPrefix("check https://a,") })
    }
  }

  @Test func `reports reach the list as they come`() async {
    await onThread {
      var script = FakeClubs.Script()
      script.rows = [[ClubRow(name: "pier", place: "a place")], ClubsSamples.rows]
      let (services, terminal) = (FakeClubs(script), FakeTerminal())
      let loop = loop(.list, services, terminal, current: "home")
      settle(loop)
      #expect(terminal.grid.text.contains("3 new  2 to send  offline"))
      #expect(!terminal.grid.text.contains("Asking the clubs ..."))
    }
  }

  @Test func `Esc cancels a call that hangs, and its answer changes nothing`() async {
    let gate = Gate()
    let services = FakeClubs(gate: gate)
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(.join("line"), services, terminal, current: "home")
      #expect(terminal.grid.text.contains("Asking the server ..."))
      terminal.press("Esc")
      settle(loop)
      #expect(loop.state.outcome == nil && terminal.grid.text.contains("An invitation"))
      #expect(services.calls == ["join line", "cancelled join line"])
      terminal.press("Esc")
      loop.turn()
      #expect(loop.state.outcome == .back)
    }
  }

  @Test func `all that is asked reaches the services, and each answer comes back`() async {
    await onThread {
      var script = FakeClubs.Script()
      script.rows = [ClubsSamples.rows]
      let (services, terminal) = (FakeClubs(script), FakeTerminal(Size(120, 50)))
      let loop = loop(.list, services, terminal, current: "home")
      settle(loop)
      terminal.press("j", "d")
      settle(loop)
      #expect(terminal.grid.text.contains("█"))
      terminal.press("q", "i")
      settle(loop)
      #expect(
        services.calls == [
          "clubs", "device pier", "qr \(ClubsSamples.invitation)", "place pier", "qr \(ClubsSamples.invitation)",
        ])
    }
  }

  @Test func `a failure of the services is shown where it was asked`() async {
    await onThread {
      var script = FakeClubs.Script()
      script.joined = .failure(StoreError(.badInput, "The line is cut.", remedy: "Copy all of it."))
      let (services, terminal) = (FakeClubs(script), FakeTerminal())
      let loop = loop(.join("https://club.example/jo"), services, terminal)
      settle(loop)
      #expect(terminal.grid.text.contains("! The line is cut. Copy all of it."))
      #expect(terminal.grid.text.contains("https://club.example/jo"))
    }
  }
}
