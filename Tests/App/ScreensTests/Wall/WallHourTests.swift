import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// The wall over hours, in virtual time.
@Suite struct WallHourTests {
  private let names = (0..<30).map { $0 % 10 == 3 ? "sphere\($0).jpg" : $0 % 10 == 7 ? "sweep\($0).jpg" : "p\($0).jpg" }

  @Test func `an hour shows each photo in its turn, and keeps no more than at its beginning`() {
    let world = WallWorld(names)
    world.run(seconds: 3600)
    #expect(world.shown.count == 180 && world.reads <= 182)
    for (index, shown) in world.shown.enumerated() { #expect(shown.name == names[index % 30]) }
    let pauses = zip(world.shown.dropFirst(), world.shown).map { $0.time - $1.time }
    #expect(pauses.allSatisfy { $0 == 20_000 }, "the next photo is decoded while the present one is shown")
    let state = world.state
    #expect(state.order.trail.count == 30 && state.order.arrivals.isEmpty && state.order.early.isEmpty)
    #expect(state.ahead != nil && world.waiting.isSubset(of: ["wall.turn", "wall.tick", "wall.read"]))
  }

  @Test func `nothing ticks for photos that rest, and a panorama has eight frames a second`() {
    let still = WallWorld(["a.jpg", "b.jpg"])
    still.run(seconds: 600)
    #expect(still.ticks == 0)
    let sphere = WallWorld(["sphere.jpg"])
    sphere.run(seconds: 60)
    #expect((470...480).contains(sphere.ticks))
    let calm = WallWorld(["sphere.jpg", "sweep.jpg"], reducedMotion: true)
    calm.run(seconds: 600)
    #expect(calm.ticks == 0 && calm.shown.count == 30)
  }

  @Test func `a panorama turns slowly, and a sweep pans to its ends and back`() throws {
    let world = WallWorld(["sphere.jpg", "sweep.jpg"])
    world.run(seconds: 1)
    let first = try #require(world.state.viewer?.look?.yawDegrees)
    world.run(seconds: 10)
    let degrees = try #require(world.state.viewer?.look?.yawDegrees) - first
    #expect((75...85).contains(degrees))
    world.run(seconds: 10)
    var places: [Double] = []
    for _ in 0..<18 {
      places.append(try #require(world.state.viewer?.flat?.crop.x))
      world.run(seconds: 1)
    }
    #expect(places[0] < 400 && places == places.sorted())
    let long = WallWorld(["sweep.jpg"])
    places = []
    for _ in 0..<600 {
      long.run(seconds: 1)
      places.append(try #require(long.state.viewer?.flat?.crop.x))
    }
    let steps = zip(places.dropFirst(), places).map { $0 - $1 }
    #expect(steps.contains { $0 > 0 } && steps.contains { $0 < 0 } && places.last != places.dropLast().last)
  }

  @Test func `one photo alone is read once, and then nothing happens`() {
    let world = WallWorld(["a.jpg"])
    world.run(seconds: 3600)
    #expect(world.reads == 1 && world.shown.count == 1 && world.waiting.isEmpty)
    world.bring("new.jpg")
    world.run(seconds: 1)
    #expect(world.shown.map(\.name) == ["a.jpg", "new.jpg"])
  }

  @Test func `an arrival is in sight at once, the others within their turns, and the turn goes on where it was`() {
    let world = WallWorld((0..<9).map { "p\($0).jpg" })
    world.run(seconds: 50)
    #expect(world.shown.map(\.name) == ["p0.jpg", "p1.jpg", "p2.jpg"])
    world.bring("x.jpg")
    world.bring("y.jpg")
    world.bring("z.jpg")
    world.run(seconds: 1)
    #expect(world.shown.last?.name == "z.jpg")
    world.run(seconds: 100)
    #expect(world.shown.suffix(5).map(\.name) == ["y.jpg", "x.jpg", "p3.jpg", "p4.jpg", "p5.jpg"])
  }

  @Test func `a photo that is removed leaves the wall at once, and the last one leaves it empty`() {
    let world = WallWorld(["a.jpg", "b.jpg"])
    world.run(seconds: 5)
    world.remove("a.jpg")
    world.run(seconds: 1)
    #expect(world.state.viewer.map { "\($0.path)" } == "photos/b.jpg")
    world.remove("b.jpg")
    #expect(world.state.viewer == nil && world.state.ahead == nil)
    world.bring("c.jpg")
    world.run(seconds: 1)
    #expect(world.state.viewer.map { "\($0.path)" } == "photos/c.jpg")
  }

  @Test func `a photo that was replaced is read again`() throws {
    let world = WallWorld(["a.jpg", "b.jpg", "c.jpg"])
    world.run(seconds: 5)
    let reads = world.reads
    world.bring("a.jpg")
    world.run(seconds: 1)
    #expect(world.reads >= reads + 1 && world.state.order.arrivals.isEmpty)
    #expect(world.state.viewer.map { "\($0.path)" } == "photos/a.jpg")
  }

  @Test func `a photo that fails is left out with its reason for a moment`() {
    let world = WallWorld(["a.jpg", "bad.jpg", "c.jpg"])
    let reason = "\"bad.jpg\" cannot be shown: it is no picture."
    world.failures["bad.jpg"] = StoreError(.corrupt, reason)
    world.run(seconds: 2)
    #expect(world.state.whisper?.text == reason && world.state.whisper?.isFault == true)
    world.run(seconds: 8)
    #expect(world.state.whisper == nil)
    world.run(seconds: 50)
    #expect(world.shown.map(\.name) == ["a.jpg", "c.jpg", "a.jpg"])
  }

  @Test func `a club whose photos all fail is asked three times a turn, and the first that is mended is shown`() {
    let names = (0..<20).map { "bad\($0).jpg" }
    let fault = StoreError(.corrupt, "It is no picture.")
    let world = WallWorld(names, failures: Dictionary(uniqueKeysWithValues: names.map { ($0, fault) }))
    world.run(seconds: 3600)
    #expect(world.shown.isEmpty && (500...560).contains(world.reads))
    world.failures["bad7.jpg"] = nil
    world.run(seconds: 200)
    #expect(world.shown.map(\.name) == ["bad7.jpg"])
  }

  @Test func `a photo that the server never gives does not hold the others up`() {
    let world = WallWorld(["a.jpg", "bad.jpg", "c.jpg"])
    world.failures["bad.jpg"] = StoreError(.server, "The server has a fault.")
    world.run(seconds: 50)
    #expect(world.shown.map(\.name) == ["a.jpg", "c.jpg", "a.jpg"])
  }

  @Test func `while the store is away, the photos of this machine take turns, and afterwards the others come`() {
    let world = WallWorld((0..<6).map { "p\($0).jpg" })
    world.kept = ["p0.jpg", "p1.jpg", "p2.jpg"]
    world.run(seconds: 50)
    world.connect(false)
    world.run(seconds: 200)
    let away = world.shown.filter { $0.time > 61_000 }.map(\.name)
    #expect(away.count >= 9 && Set(away) == ["p0.jpg", "p1.jpg", "p2.jpg"])
    world.connect(true)
    world.run(seconds: 80)
    #expect(Set(world.shown.suffix(4).map(\.name)).isSuperset(of: ["p4.jpg", "p5.jpg"]))
  }

  @Test func `without a photo on this machine, the one in sight stays until the store answers`() {
    let world = WallWorld(["a.jpg", "b.jpg", "c.jpg"])
    world.run(seconds: 5)
    world.remove("b.jpg")
    world.connect(false)
    world.run(seconds: 600)
    #expect(world.shown.last?.name == "a.jpg" || world.shown.last?.name == "c.jpg")
    let count = world.shown.count
    world.connect(true)
    world.run(seconds: 60)
    #expect(world.shown.count > count)
  }

  @Test func `Space stops the turn and the movement, and arrows go on all the same`() {
    let world = WallWorld(["sphere.jpg", "b.jpg", "c.jpg"])
    world.run(seconds: 2)
    world.key { $0.pause($1) }
    let ticks = world.ticks
    world.run(seconds: 600)
    world.bring("new.jpg")
    world.run(seconds: 600)
    #expect(world.shown.count == 1 && world.ticks == ticks && world.waiting.isEmpty)
    world.key { $0.step(isBack: false, $1) }
    world.run(seconds: 60)
    #expect(world.shown.map(\.name) == ["sphere.jpg", "new.jpg"])
    world.key { $0.step(isBack: true, $1) }
    world.run(seconds: 1)
    #expect(world.shown.last?.name == "sphere.jpg")
    world.key { $0.pause($1) }
    world.run(seconds: 21)
    #expect(world.shown.map(\.name) == ["sphere.jpg", "new.jpg", "sphere.jpg", "b.jpg"])
  }
}
