import TestKit
import Testing

@testable import Imaging

@Suite struct `A tour` {
  private func read(_ text: String) throws -> Tour { try TourReader.read(Array(text.utf8)) }

  private func fault(_ text: String) -> String? {
    do throws(TourReader.Fault) {
      _ = try TourReader.read(Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `of one panorama is a scene without a name`() throws {
    let tour = try read(
      #"{"type":"equirectangular","panorama":"pier.jpg","yaw":30,"pitch":-5.5,"hfov":80,"autoLoad":true,"#
        + #""hotSpots":[{"pitch":1,"yaw":190,"type":"info","text":"Low tide","URL":"Tides.md"}]}"#)
    let scene = try #require(tour.scenes[""])
    #expect(scene.panorama == "pier.jpg" && tour.scenes.count == 1)
    #expect(scene.view == Tour.View(yawDegrees: 30, pitchDegrees: -5.5, fieldOfViewDegrees: 80))
    #expect(
      scene.hotSpots == [
        Tour.HotSpot(yawDegrees: -170, pitchDegrees: 1, text: "Low tide", target: .link("Tides.md"))
      ])
  }

  @Test func `has scenes, which take what they do not say from the default`() throws {
    let tour = try read(
      #"{"default":{"firstScene":"pier","hfov":100,"basePath":"big/"},"scenes":{"pier":{"title":"The pier","panorama":"pier.jpg","#
        + #""hotSpots":[{"pitch":0,"yaw":0,"sceneId":"quay","targetYaw":-20,"targetPitch":"same","targetHfov":"same"},"#
        + #"{"pitch":95,"yaw":0,"text":"Up"}]},"quay":{"panorama":"quay.jpg","hfov":60,"basePath":""}}}"#)
    let (pier, quay) = (try #require(tour.scenes["pier"]), try #require(tour.scenes["quay"]))
    #expect(pier.title == "The pier" && pier.panorama == "big/pier.jpg" && pier.view.fieldOfViewDegrees == 100)
    #expect(quay.panorama == "quay.jpg" && quay.view.fieldOfViewDegrees == 60 && quay.hotSpots.isEmpty)
    let arrival = Tour.Arrival(yaw: .degrees(-20), pitch: .same, fieldOfView: .same)
    #expect(pier.hotSpots.map(\.target) == [.scene("quay", arrival), .none])
    #expect(pier.hotSpots[1].pitchDegrees == 90)
    let view = arrival.view(before: Tour.View(yawDegrees: 1, pitchDegrees: 2, fieldOfViewDegrees: 3), own: quay.view)
    #expect(view == Tour.View(yawDegrees: -20, pitchDegrees: 2, fieldOfViewDegrees: 3))
  }

  @Test(arguments: [
    ("", "in line 1, the text ends too early"), ("[]", "it is not a JSON object"),
    ("{\n\"scenes\":{},}", "in line 2, a key in double quotes was expected"),
    (#"{"scenes":[]}"#, "\"scenes\" is not an object"),
  ])
  func `that is damaged has a fault in words`(text: String, reason: String) { #expect(fault(text) == reason) }

  @Test(arguments: [
    (#"{"hotSpots":{}}"#, "\"hotSpots\" is not a list"), (#"{"hotSpots":[7]}"#, "hot spot 1 is not an object"),
    (#"{"hotSpots":[{"pitch":1}]}"#, "hot spot 1 has no yaw"),
    (#"{"scenes":{"hut":{"hotSpots":[{"yaw":1,"pitch":"x"}]}}}"#, "hot spot 1 of scene \"hut\" has no pitch"),
    (#"{"yaw":"east"}"#, "\"yaw\" is not a number"), (#"{"panorama":7}"#, "\"panorama\" is not a text"),
    (#"{"default":{"hfov":"wide"},"scenes":{"a":{}}}"#, "\"hfov\" of scene \"a\" is not a number"),
    (
      #"{"hotSpots":[{"yaw":1,"pitch":1,"sceneId":"a","targetYaw":"up"}]}"#,
      "\"targetYaw\" of hot spot 1 is not a number"
    ),
    (#"{"panorama":"a\u0007.jpg"}"#, "the address of the panorama has a control character"),
    (#"{"hotSpots":[{"yaw":1,"pitch":1,"URL":"a\nb"}]}"#, "the address of hot spot 1 has a control character"),
  ])
  func `is read without a value that cannot be, and names it`(text: String, fault: String) throws {
    #expect(try read(text).scenes.values.flatMap(\.faults) == [fault])
  }

  @Test func `loses one value alone to a fault in it`() throws {
    let tour = try read(
      #"{"default":{"hfov":"110"},"scenes":{"hut":7,"a":{"yaw":" -20.5 ","pitch":"up","hotSpots":[{"yaw":1},"#
        + #"{"yaw":"1e1","pitch":"-5","sceneId":"b","targetYaw":"30","targetHfov":"0x9"}]}}}"#)
    let scene = try #require(tour.scenes["a"])
    #expect(tour.scenes.count == 1)
    #expect(scene.view == Tour.View(yawDegrees: -20.5, pitchDegrees: nil, fieldOfViewDegrees: 110))
    let target = Tour.Target.scene("b", Tour.Arrival(yaw: .degrees(30)))
    #expect(scene.hotSpots == [Tour.HotSpot(yawDegrees: 10, pitchDegrees: -5, target: target)])
    #expect(
      scene.faults == [
        "\"pitch\" of scene \"a\" is not a number", "hot spot 1 of scene \"a\" has no pitch",
        "\"targetHfov\" of hot spot 2 of scene \"a\" is not a number",
      ])
  }

  @Test func `has limits on size, depth and count`() throws {
    let spot = #"{"yaw":1,"pitch":1}"#
    func spots(_ count: Int) -> String {
      "{\"hotSpots\":[\(Array(repeating: spot, count: count).joined(separator: ","))]}"
    }
    func scenes(_ count: Int) -> String {
      "{\"scenes\":{\((0..<count).map { "\"s\($0)\":{}" }.joined(separator: ","))}}"
    }
    #expect(try read(spots(TourReader.mostHotSpots)).scenes[""]?.faults == [])
    let many = try read(spots(TourReader.mostHotSpots + 1)).scenes[""]
    #expect(many?.faults == ["there are more than 200 hot spots"] && many?.hotSpots.count == TourReader.mostHotSpots)
    #expect(fault(scenes(TourReader.mostScenes)) == nil)
    #expect(fault(scenes(TourReader.mostScenes + 1)) == "it has more than 500 scenes")
    #expect(fault("{\"a\":" + String(repeating: "[", count: 5000))?.hasSuffix("nested too deeply") == true)
    #expect(fault("{\"a\":\"\(String(repeating: "x", count: TourReader.mostBytes))\"}")?.contains("bytes") == true)
    let long = String(repeating: "x", count: TourReader.mostAddressBytes + 1)
    #expect(try read("{\"panorama\":\"\(long)\"}").scenes[""]?.faults == ["the address of the panorama is too long"])
  }

  @Test func `keeps a text on one line, without controls, and cuts a long one`() throws {
    let long = String(repeating: "y", count: 500)
    let tour = try read(
      #"{"hotSpots":[{"yaw":0,"pitch":0,"text":"  One\n\u001b[31mtwo \t three\u009b "},{"yaw":0,"pitch":0,"text":"\#(long)"}]}"#
    )
    #expect(tour.scenes[""]?.hotSpots[0].text == "One [31mtwo three")
    #expect(tour.scenes[""]?.hotSpots[1].text.count == TourReader.mostLetters)
  }

  @Test func `ends with a value or a fault for any bytes`() {
    let good = Array(
      #"{"default":{"hfov":1e3},"scenes":{"a":{"panorama":"a.jpg","hotSpots":[{"yaw":-1e308,"pitch":2,"sceneId":"a"}]}}}"#
        .utf8)
    var numbers = SeededNumbers(5)
    for count in 0...good.count { _ = try? TourReader.read(Array(good[..<count])) }
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<(1 + numbers.below(4)) { bytes[numbers.below(bytes.count)] = UInt8(numbers.below(256)) }
      guard let tour = try? TourReader.read(bytes) else { continue }
      for spot in tour.scenes.values.flatMap(\.hotSpots) {
        #expect(abs(spot.yawDegrees) <= 180 && abs(spot.pitchDegrees) <= 90)
      }
    }
  }
}

@Suite struct `A spin` {
  @Test func `is slower in each tick and ends`() {
    var spin = Spin()
    spin.hold()
    spin.push(right: 0.05, up: -0.02)
    let isFree = spin.release()
    #expect(isFree && spin.isFree)
    var steps: [Double] = []
    while let step = spin.tick() {
      steps.append(step.right)
      #expect(abs(step.up + step.right * 0.4) < 1e-9)
    }
    #expect(steps == steps.sorted(by: >) && (4..<30).contains(steps.count) && !spin.isFree)
  }

  @Test func `has a highest speed, and needs a speed to begin`() {
    var spin = Spin()
    spin.hold()
    spin.push(right: 5, up: 0)
    _ = spin.release()
    let first = spin.tick()?.right
    #expect(first.map { $0 <= 0.12 } == true)
    spin.hold()
    spin.push(right: 0.001, up: 0)
    let isFree = spin.release()
    #expect(!isFree && !spin.isFree)
  }

  @Test func `begins when keys stop repeating, and a push ends it`() {
    var spin = Spin()
    for _ in 0..<5 {
      spin.push(right: 0.125, up: 0)
      let step = spin.tick()
      #expect(step.map { $0 == (0, 0) } == true)
    }
    let free = spin.tick()
    #expect(free.map { $0.right > 0 } == true && spin.isFree)
    spin.push(right: -0.125, up: 0)
    let (pushed, last) = (spin.tick(), spin.tick())
    #expect(!spin.isFree && pushed.map { $0 == (0, 0) } == true && last == nil)
  }

  @Test func `does not begin under a mouse that rests`() {
    var spin = Spin()
    spin.hold()
    for _ in 0..<5 {
      spin.push(right: 0.1, up: 0)
      _ = spin.tick()
    }
    let (last, isFree) = (spin.tick(), spin.release())
    #expect(last == nil && !isFree)
  }
}
