import TestKit
import Testing

@testable import Screens

/// A view that follows a gaze over a slow and lossy line, with a clock of its own.
@Suite struct GazeGlideTests {
  /// Milliseconds.
  private static let (tick, send) = (40, 100)

  /// The gaze of one leader as it comes, and the view that follows it, at each tick.
  private func run(
    seed: UInt64, delay: Int, loss: Double, milliseconds: Int, _ leader: (Int) -> Double
  ) -> [(time: Int, known: Double, view: Double)] {
    var numbers = SeededNumbers(seed)
    // A lost packet comes again later, and what follows waits for it.
    var arrivals: [(time: Int, yaw: Double)] = []
    for sent in stride(from: 0, through: milliseconds, by: Self.send) {
      let isLost = Double.random(in: 0..<1, using: &numbers) < loss
      let time = sent + delay + numbers.below(30) + (isLost ? 200 + delay : 0)
      arrivals.append((max(time, arrivals.last?.time ?? 0), leader(sent)))
    }
    var (glide, view) = (GazeGlide(), 0.0)
    var steps: [(Int, Double, Double)] = []
    for time in stride(from: 0, to: milliseconds + 2000, by: Self.tick) {
      guard let known = arrivals.last(where: { $0.time <= time })?.yaw else { continue }
      view += glide.step(right: known - view, up: 0, seconds: Double(Self.tick) / 1000).right
      steps.append((time, known, view))
    }
    return steps
  }

  @Test(arguments: 1...50)
  func `a view never swings at 400 ms of delay and 5 % loss`(seed: UInt64) {
    // Turns to the right, each time faster, and stops.
    // at any pace: the time is counted, and does not pass.
    let steps = run(seed: seed, delay: 400, loss: 0.05, milliseconds: 4000) { time in
      Double(min(time, 3000)) * 0.04 + (time > 1500 ? Double(min(time, 3000) - 1500) * 0.05 : 0)
    }
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(after.view >= before.view && after.view <= after.known, "at \(after.time) ms")
    }
    #expect(abs(195 - (steps.last?.view ?? 0)) < 0.1)
  }

  @Test(arguments: 1...50)
  func `300 ms after a gaze has come to rest the view agrees to half a degree`(seed: UInt64) {
    // at any pace: the time is counted, and does not pass.
    let steps = run(seed: seed, delay: 0, loss: 0, milliseconds: 2000) { Double(min($0, 1050)) * 0.06 }
    for step in steps where step.time >= 1050 + 300 { #expect(abs(step.view - 63) <= 0.5, "at \(step.time) ms") }
  }

  @Test func `a gaze that turns back is not passed`() {
    var (glide, view) = (GazeGlide(), 0.0)
    for _ in 0..<5 { view += glide.step(right: 90 - view, up: 0, seconds: 0.02).right }
    let turn = view
    for _ in 0..<40 {
      let next = view + glide.step(right: 10 - view, up: 0, seconds: 0.02).right
      #expect(next <= max(turn, 10) && (next <= view || view < 10))
      view = next
    }
    #expect(abs(view - 10) < 0.01)
  }

  @Test func `a step of any length ends at the gaze or before it`() {
    var numbers = SeededNumbers(7)
    for _ in 0..<1000 {
      var glide = GazeGlide()
      var rest = Double.random(in: -180...180, using: &numbers)
      let side = rest
      for _ in 0..<20 {
        rest -= glide.step(right: rest, up: 0, seconds: Double.random(in: 0.001...2, using: &numbers)).right
        #expect(rest * side >= 0 && abs(rest) <= 180)
      }
    }
  }
}
