import TestKit
import Testing

@testable import Imaging

@Suite struct `A walk` {
  private static func sphere() -> LookAround {
    var header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 4000, height: 2000))
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = header.size
    header.panorama = facts
    return LookAround(PictureGeometry(header, as: .sphere), window: PixelSize(width: 80, height: 40))
  }

  private static let head = #"{"version":1,"title":"t","member":"ann","photos":["a.jpg"],"views":["#

  private func read(_ text: String) -> Result<Walk, TourReader.Fault> {
    do throws(TourReader.Fault) {
      return .success(try Walk(reading: Array(text.utf8)))
    } catch {
      return .failure(error)
    }
  }

  /// Stored and read again.
  private func stored(_ walk: Walk) throws -> Walk {
    #expect(walk.bytes.count <= Walk.mostBytes)
    return try Walk(reading: walk.bytes)
  }

  enum Way: CaseIterable { case steps, drags, seam, poles, zoom }

  /// A random way of some kind: the views with their times, as the member saw them.
  private func record(
    _ way: Way, _ seed: UInt64, _ recorder: inout WalkRecorder, count: Int
  ) -> [(time: Int64, look: LookAround)] {
    var random = SeededNumbers(seed)
    var (look, time, seen) = (Self.sphere(), Int64(1_000_000), [(time: Int64, look: LookAround)]())
    if way == .seam { look.look(yaw: 179, pitch: 0, fieldOfView: 90) }
    if way == .poles { look.look(yaw: 0, pitch: 89, fieldOfView: 90) }
    for _ in 0..<count {
      recorder.add("a.jpg", look, atMilliseconds: time)
      seen.append((time, look))
      switch way {
      case .steps:
        look.turn(
          right: [-0.125, 0, 0.125].randomElement(using: &random) ?? 0,
          up: [-0.125, 0.125].randomElement(using: &random) ?? 0)
      case .drags:
        look.turn(
          rightDegrees: Double.random(in: -1...4, using: &random), upDegrees: Double.random(in: -1...1, using: &random))
      case .seam: look.turn(rightDegrees: Double.random(in: -3...3, using: &random), upDegrees: 0)
      case .poles:
        look.turn(
          rightDegrees: Double.random(in: -20...20, using: &random),
          upDegrees: Double.random(in: -1...1, using: &random))
      case .zoom: look.zoom(by: Double.random(in: 0.9...1.1, using: &random))
      }
      time += Int64.random(in: 1...(way == .steps ? 3000 : 80), using: &random)
    }
    return seen
  }

  @Test(arguments: Way.allCases, UInt64(1)...UInt64(4))
  func `that is recorded, stored and played shows each view within a degree`(way: Way, seed: UInt64) throws {
    var recorder = WalkRecorder()
    let seen = record(way, seed, &recorder, count: 60)
    let walk = try stored(try #require(recorder.walk(title: "Around the pier", member: "ann")))
    let start = try #require(seen.first).time
    for (time, look) in seen {
      let shown = walk.view(at: Int(time - start))
      var played = Self.sphere()
      played.look(yaw: shown.yawDegrees, pitch: shown.pitchDegrees, fieldOfView: shown.fieldOfViewDegrees)
      #expect(abs((played.yawDegrees - look.yawDegrees).remainder(dividingBy: 360)) < 1)
      #expect(abs(played.pitchDegrees - look.pitchDegrees) < 1)
      #expect(abs(played.fieldOfViewDegrees - look.fieldOfViewDegrees) < 1)
    }
  }

  @Test func `that turns steadily needs few views`() throws {
    var (recorder, look) = (WalkRecorder(), Self.sphere())
    for tick in 0..<1000 {
      recorder.add("a.jpg", look, atMilliseconds: Int64(tick * 80))
      look.turn(rightDegrees: 1, upDegrees: 0)
    }
    let walk = try #require(recorder.walk(title: "", member: "ann"))
    #expect(walk.views.count < 20)
    let shown = walk.view(at: 500 * 80)
    #expect(abs((shown.yawDegrees - 500).remainder(dividingBy: 360)) < 1)
  }

  @Test func `that is too long for its file is cut at its end, and what is there is right`() throws {
    var recorder = WalkRecorder()
    let seen = record(.poles, 7, &recorder, count: 3000)
    let walk = try stored(try #require(recorder.walk(title: "long", member: "ann")))
    let end = try #require(walk.views.last)
    #expect(walk.views.count > 200 && end.milliseconds < Int(seen[2999].time - seen[0].time))
    #expect(walk.bytes.count > Walk.mostBytes - 64)
  }

  @Test func `through a door shows the next photo from its time on, and turns nothing on the way`() throws {
    var (recorder, look) = (WalkRecorder(), Self.sphere())
    recorder.add("a.jpg", look, atMilliseconds: 0)
    look.turn(rightDegrees: 170, upDegrees: 0)
    recorder.add("b.jpg", look, atMilliseconds: 2000)
    let walk = try stored(try #require(recorder.walk(title: "t", member: "ann")))
    #expect(walk.photos == ["a.jpg", "b.jpg"])
    #expect(walk.view(at: 1999).photo == 0 && walk.view(at: 1999).yawDegrees == 0)
    #expect(walk.view(at: 2000).photo == 1 && walk.view(at: 9000).yawDegrees == 170)
  }

  @Test func `that turns too fast is slowed for eyes, and another keeps its times`() throws {
    func calm(_ views: String) throws -> [Walk.View] {
      try Walk(reading: Array((Self.head + views + "]}").replacing(#"["a.jpg"]"#, with: #"["a.jpg","b.jpg"]"#).utf8))
        .calm.views
    }
    // Back and forth and between two photos in each millisecond, as long as a file can be.
    let wild = (0..<300).map { "[\($0 / 2 % 2),\($0),\($0 % 4 == 1 ? 180 : 0),0,90]" }.joined(separator: ",")
    let views = try calm(wild)
    #expect(views.count == 300)
    for (before, view) in zip(views, views.dropFirst()) {
      let seconds = Double(view.milliseconds - before.milliseconds) / 1000
      #expect(view.photo == before.photo ? view.distance(to: before) <= 720 * seconds : seconds >= 0.33)
    }
    // What follows keeps its distance in time.
    #expect(try calm("[0,0,0,0,90],[0,1,180,0,90],[0,1001,180,10,90]").map(\.milliseconds) == [0, 250, 1250])
    #expect(try calm("[0,0,0,0,90],[0,250,180,0,90],[1,600,0,0,90]").map(\.milliseconds) == [0, 250, 600])
  }

  @Test func `rests at most ten seconds, whatever the clock does`() throws {
    var (recorder, look) = (WalkRecorder(), Self.sphere())
    for time in [Int64(0), 5_000_000, -7, .min, .max] {
      recorder.add("a.jpg", look, atMilliseconds: time)
      look.turn(rightDegrees: 5, upDegrees: 0)
    }
    let walk = try #require(recorder.walk(title: "t", member: "ann"))
    #expect(try #require(walk.views.last).milliseconds <= 20_000)
    _ = try stored(walk)
  }

  @Test func `ends when it has fifty photos, and a record of nothing is none`() {
    var recorder = WalkRecorder()
    #expect(recorder.walk(title: "t", member: "ann") == nil)
    for number in 0...Walk.mostPhotos {
      recorder.add("\(number).jpg", Self.sphere(), atMilliseconds: Int64(number) * 1000)
    }
    #expect(recorder.isFull && recorder.walk(title: "t", member: "ann")?.photos.count == Walk.mostPhotos)
  }

  @Test(arguments: [
    ("", "in line 1, the text ends too early"), ("[]", "it is no walk"), ("{}", "it is no walk"),
    (#"{"version":2}"#, "it is of version 2, and this byteclub reads version 1"),
    (#"{"version":1}"#, "it has no photos, or more than 50"),
    (head + "]}", "it has no views"), (head + "7]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0,1,2]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[1,0,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[-1,0,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0,1,91,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0,400,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0,1,2,180]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,3600001,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,31536000000,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,99999999999999999999,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,-1,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0.5,1,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,0,1e9,2,90]]}", "view 1 is damaged, or not later than the one before"),
    (head + "[0,5,1,2,90],[0,5,1,2,90]]}", "view 2 is damaged, or not later than the one before"),
    (head + "[0,5,1,2,90],[0,4,1,2,90]]}", "view 2 is damaged, or not later than the one before"),
  ])
  func `that is damaged has a fault in words`(text: String, reason: String) {
    guard case .failure(let fault) = read(text) else { return #expect(Bool(false)) }
    #expect(fault.reason == reason)
  }

  @Test func `that is cut anywhere, or larger than its limit, is refused`() {
    let text = Self.head + "[0,0,1,2,90],[0,900,3,4,80.5]]}"
    for count in 0..<text.utf8.count {
      guard case .failure = read(String(decoding: Array(text.utf8).prefix(count), as: UTF8.self)) else {
        return #expect(Bool(false), "\(count)")
      }
    }
    guard case .success(let walk) = read(text) else { return #expect(Bool(false)) }
    #expect(walk.view(at: 450).yawDegrees == 2 && walk.title == "t" && walk.member == "ann")
    guard case .failure = read(text + String(repeating: " ", count: Walk.mostBytes)) else {
      return #expect(Bool(false))
    }
  }
}
