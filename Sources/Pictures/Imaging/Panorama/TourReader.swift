internal import JSON

/// Reads Pannellum's JSON: one panorama, or a tour with `scenes` and a `default` for all of them. Keys that byteclub
/// does not use are skipped. Any bytes end with a tour or a fault.
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
    /// A clause: `hot spot 2 of scene "hut" has no yaw`.
    public let reason: String
  }

  public static func read(_ bytes: [UInt8]) throws(Fault) -> Tour {
    let file = try value(bytes)
    guard case .object = file else { throw Fault(reason: "it is not a JSON object") }
    guard let scenes = file["scenes"] else { return Tour(scenes: ["": try scene(file, file["default"], "")]) }
    guard case .object(let members) = scenes else { throw Fault(reason: "\"scenes\" is not an object") }
    guard members.count <= mostScenes else { throw Fault(reason: "it has more than \(mostScenes) scenes") }
    var found: [String: Tour.Scene] = [:]
    for member in members {
      guard case .object = member.value else { throw Fault(reason: "scene \(quoted(member.key)) is not an object") }
      found[member.key] = try scene(member.value, file["default"], " of scene \(quoted(member.key))")
    }
    return Tour(scenes: found)
  }

  private static func value(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
    var options = JSONReader.Options()
    options.depth = mostDepth
    options.mostBytes = mostBytes
    options.takesByteOrderMark = true
    do throws(JSONReader.Fault) {
      return try JSONReader.read(bytes, options)
    } catch {
      throw Fault(reason: "in line \(error.place.line), \(error.reason)")
    }
  }

  /// `common` holds the values that the scene does not give itself. `place` ends the sentences about faults.
  private static func scene(_ own: JSONValue, _ common: JSONValue?, _ place: String) throws(Fault) -> Tour.Scene {
    func given(_ key: String) -> JSONValue? { own[key] ?? common?[key] }
    /// Without a number the picture's own.
    func degrees(_ key: String) -> Double? { given(key)?.degrees }
    var panorama: String?
    if let value = own["panorama"] {
      guard let text = value.text else { throw Fault(reason: "\"panorama\"\(place) is not a text") }
      panorama = try address((given("basePath")?.text ?? "") + text, "the panorama\(place)")
    }
    return Tour.Scene(
      title: line(own["title"]?.text ?? ""), panorama: panorama,
      view: Tour.View(
        yawDegrees: degrees("yaw"), pitchDegrees: degrees("pitch"), fieldOfViewDegrees: degrees("hfov")),
      hotSpots: try hotSpots(own["hotSpots"], place))
  }

  private static func hotSpots(_ value: JSONValue?, _ place: String) throws(Fault) -> [Tour.HotSpot] {
    guard let value else { return [] }
    guard let elements = value.elements else { throw Fault(reason: "\"hotSpots\"\(place) is not a list") }
    guard elements.count <= mostHotSpots else {
      throw Fault(reason: "there are more than \(mostHotSpots) hot spots\(place)")
    }
    var spots: [Tour.HotSpot] = []
    for (index, element) in elements.enumerated() {
      let name = "hot spot \(index + 1)\(place)"
      guard case .object = element else { throw Fault(reason: "\(name) is not an object") }
      guard let yaw = element["yaw"]?.degrees else { throw Fault(reason: "\(name) has no yaw") }
      guard let pitch = element["pitch"]?.degrees else { throw Fault(reason: "\(name) has no pitch") }
      spots.append(
        Tour.HotSpot(
          yawDegrees: yaw.turnedDegrees, pitchDegrees: pitch.clamped(-90, 90), text: line(element["text"]?.text ?? ""),
          target: try target(element, name)))
    }
    return spots
  }

  private static func target(_ spot: JSONValue, _ name: String) throws(Fault) -> Tour.Target {
    if let scene = spot["sceneId"]?.text {
      return .scene(
        scene,
        Tour.Arrival(
          yaw: try angle(spot["targetYaw"], "targetYaw", name),
          pitch: try angle(spot["targetPitch"], "targetPitch", name),
          fieldOfView: try angle(spot["targetHfov"], "targetHfov", name)))
    }
    guard let link = spot["URL"]?.text else { return .none }
    return .link(try address(link, name))
  }

  /// Pannellum's `sameAzimuth` corrects the yaw for the two compasses; the yaw of the picture is kept here.
  private static func angle(_ value: JSONValue?, _ key: String, _ name: String) throws(Fault) -> Tour.Arrival.Angle {
    switch value {
    case nil: return .own
    case .string("same"), .string("sameAzimuth"): return .same
    case .some(let value):
      guard let number = value.degrees else { throw Fault(reason: "\"\(key)\" of \(name) is not a number") }
      return .degrees(number)
    }
  }

  private static func address(_ text: String, _ name: String) throws(Fault) -> String {
    guard text.utf8.count <= mostAddressBytes else { throw Fault(reason: "the address of \(name) is too long") }
    guard !text.unicodeScalars.contains(where: isControl) else {
      throw Fault(reason: "the address of \(name) has a control character")
    }
    return text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// One line without control characters.
  private static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(mostLetters) { scalars.append(isControl(scalar) ? " " : scalar) }
    return String(scalars).split(separator: " ").joined(separator: " ")
  }

  private static func quoted(_ id: String) -> String { "\"\(line(String(id.prefix(40))))\"" }
}

extension JSONValue {
  /// Pannellum takes numbers in quotes, too.
  fileprivate var degrees: Double? { number ?? text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
}
