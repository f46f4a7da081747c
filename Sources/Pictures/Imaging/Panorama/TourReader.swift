internal import JSON

/// Reads Pannellum's JSON: one panorama, or a tour with `scenes` and a `default` for all of them. Keys that byteclub
/// does not use are skipped, and a value that cannot be is left out and named. Any bytes end with a tour or a fault.
public enum TourReader {
  public static let mostBytes = 256 << 10
  public static let mostScenes = 500
  /// In one scene.
  public static let mostHotSpots = 200
  /// Of a title or a hot spot's text; the rest is cut.
  public static let mostLetters = 200
  /// Of an address; a longer one is a fault.
  public static let mostAddressBytes = 4096
  private static let mostDepth = 16

  public struct Fault: Error, Equatable {
    /// A clause: `it is not a JSON object`.
    public let reason: String
  }

  public static func read(_ bytes: [UInt8]) throws(Fault) -> Tour {
    let file = try value(bytes)
    guard case .object = file else { throw Fault(reason: "it is not a JSON object") }
    guard let scenes = file["scenes"] else { return Tour(scenes: ["": scene(file, file["default"], "")]) }
    guard case .object(let members) = scenes else { throw Fault(reason: "\"scenes\" is not an object") }
    guard members.count <= mostScenes else { throw Fault(reason: "it has more than \(mostScenes) scenes") }
    var found: [String: Tour.Scene] = [:]
    for member in members {
      guard case .object = member.value else { continue }
      found[member.key] = scene(member.value, file["default"], " of scene \(quoted(member.key))")
    }
    return Tour(scenes: found)
  }

  static func value(_ bytes: [UInt8], most: Int = mostBytes) throws(Fault) -> JSONValue {
    var options = JSONReader.Options()
    options.depth = mostDepth
    options.mostBytes = most
    options.takesByteOrderMark = true
    do throws(JSONReader.Fault) {
      return try JSONReader.read(bytes, options)
    } catch {
      throw Fault(reason: "in line \(error.place.line), \(error.reason)")
    }
  }

  /// `common` holds the values that the scene does not give itself. `place` ends the sentences about faults.
  private static func scene(_ own: JSONValue, _ common: JSONValue?, _ place: String) -> Tour.Scene {
    var scene = Tour.Scene(title: line(own["title"]?.text ?? ""))
    func given(_ key: String) -> JSONValue? { own[key] ?? common?[key] }
    func degrees(_ key: String) -> Double? {
      given(key).flatMap { number($0, "\"\(key)\"\(place)", &scene.faults) }
    }
    if let value = own["panorama"] {
      if let text = value.text {
        scene.panorama = address((given("basePath")?.text ?? "") + text, "the panorama\(place)", &scene.faults)
      } else {
        scene.faults.append("\"panorama\"\(place) is not a text")
      }
    }
    (scene.view.yawDegrees, scene.view.pitchDegrees) = (degrees("yaw"), degrees("pitch"))
    scene.view.fieldOfViewDegrees = degrees("hfov")
    scene.hotSpots = hotSpots(own["hotSpots"], place, &scene.faults)
    return scene
  }

  /// Pannellum takes numbers in quotes, too.
  private static func number(_ value: JSONValue?) -> Double? {
    if let number = value?.number { return number }
    let text = value?.text?.split(separator: " ").joined(separator: " ") ?? ""
    return text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  private static func number(_ value: JSONValue, _ name: String, _ faults: inout [String]) -> Double? {
    let found = number(value)
    if found == nil { faults.append("\(name) is not a number") }
    return found
  }

  private static func hotSpots(_ value: JSONValue?, _ place: String, _ faults: inout [String]) -> [Tour.HotSpot] {
    guard let value else { return [] }
    guard let elements = value.elements else {
      faults.append("\"hotSpots\"\(place) is not a list")
      return []
    }
    if elements.count > mostHotSpots { faults.append("there are more than \(mostHotSpots) hot spots\(place)") }
    var spots: [Tour.HotSpot] = []
    for (index, element) in elements.prefix(mostHotSpots).enumerated() {
      let name = "hot spot \(index + 1)\(place)"
      guard case .object = element, let yaw = number(element["yaw"]), let pitch = number(element["pitch"]) else {
        let missing = number(element["yaw"]) == nil ? "yaw" : "pitch"
        if case .object = element {
          faults.append("\(name) has no \(missing)")
        } else {
          faults.append("\(name) is not an object")
        }
        continue
      }
      spots.append(
        Tour.HotSpot(
          yawDegrees: yaw.turnedDegrees, pitchDegrees: pitch.clamped(-90, 90), text: line(element["text"]?.text ?? ""),
          target: target(element, name, &faults)))
    }
    return spots
  }

  private static func target(_ spot: JSONValue, _ name: String, _ faults: inout [String]) -> Tour.Target {
    if let scene = spot["sceneId"]?.text {
      return .scene(
        scene,
        Tour.Arrival(
          yaw: angle(spot["targetYaw"], "targetYaw", name, &faults),
          pitch: angle(spot["targetPitch"], "targetPitch", name, &faults),
          fieldOfView: angle(spot["targetHfov"], "targetHfov", name, &faults)))
    }
    guard let link = spot["URL"]?.text, let address = address(link, name, &faults) else { return .none }
    return .link(address)
  }

  /// Pannellum's `sameAzimuth` corrects the yaw for the two compasses; the yaw of the picture is kept here.
  private static func angle(
    _ value: JSONValue?, _ key: String, _ name: String, _ faults: inout [String]
  ) -> Tour.Arrival.Angle {
    switch value {
    case nil: .own
    case .string("same"), .string("sameAzimuth"): .same
    case .some(let value): number(value, "\"\(key)\" of \(name)", &faults).map(Tour.Arrival.Angle.degrees) ?? .own
    }
  }

  /// nil for an address that is too long or has a control character.
  private static func address(_ text: String, _ name: String, _ faults: inout [String]) -> String? {
    let isLong = text.utf8.count > mostAddressBytes
    guard isLong || text.unicodeScalars.contains(where: isControl) else { return text }
    faults.append("the address of \(name) \(isLong ? "is too long" : "has a control character")")
    return nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// One line without control characters.
  static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(mostLetters) { scalars.append(isControl(scalar) ? " " : scalar) }
    return String(scalars).split(separator: " ").joined(separator: " ")
  }

  private static func quoted(_ id: String) -> String { "\"\(line(String(id.prefix(40))))\"" }
}
