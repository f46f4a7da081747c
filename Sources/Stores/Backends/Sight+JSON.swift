package import FileStores
package import JSON

/// Sights as `byteclub serve` and its clients write them to each other.
extension Sight {
  /// nil for anything but a sight. `path` is read by the caller, because each side has its own paths.
  package init?(_ json: JSONValue, at path: StorePath?) {
    var gaze: Gaze?
    if let view = json["view"], view != .null {
      guard let yaw = view["yaw"]?.number, let pitch = view["pitch"]?.number, let width = view["width"]?.number,
        let seen = Gaze(yaw: yaw, pitch: pitch, width: width)
      else { return nil }
      gaze = seen
    }
    var line: Line?
    if let place = json["line"], place != .null {
      guard let number = place["number"]?.integer, let revision = place["rev"]?.text, number > 0,
        number <= Int32.max, revision.utf8.count <= Sight.mostBytes.revision,
        revision.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      line = Line(Int(number), of: Revision(revision))
    }
    guard (path?.bytes.count ?? 0) <= Sight.mostBytes.path, let points = UInt8(exactly: json["points"]?.integer ?? 0)
    else { return nil }
    self.init(
      path, gaze: gaze, points: points, edits: json["edits"]?.boolean ?? false, line: line,
      follows: json["follows"]?.boolean ?? false)
  }

  /// - Parameter path: as the receiver writes it; nil for the lists.
  package func json(at path: String?) -> JSONValue {
    .members([
      "path": path.map { .string($0) },
      "view": gaze.map { .members(["yaw": .number($0.yaw), "pitch": .number($0.pitch), "width": .number($0.width)]) },
      "points": points == 0 ? nil : .number(points), "edits": edits ? true : nil,
      "line": line.map { .members(["number": .number($0.number), "rev": .string($0.revision.value)]) },
      "follows": follows ? true : nil,
    ])
  }
}
