/// The order of the versions and markers of one file.
///
/// Servers list the newest first (AWS, ListObjectVersions), and say whole seconds. So of one time their order counts; but
/// the latest is the first, whatever its place. moto lists all versions, then all markers, each kind in its order: there
/// the two kinds of one time take turns, since a marker hides a version, and byteclub deletes nothing twice.
struct S3VersionOrder: Sendable {
  /// The answers `order` of the self-test, for a file that was written, deleted and written.
  enum Answer: String, Sendable {
    case kept
    /// Versions, then markers.
    case kinds
    case other
  }

  private let listsByKind: Bool

  init(_ findings: ServerFindings?) { listsByKind = findings?["order"] == Answer.kinds.rawValue }

  /// - Parameter versions: of one file, as the server lists them.
  func newestFirst(_ versions: [S3Version]) -> [S3Version] {
    let sorted = versions.enumerated().sorted { one, other in
      if one.element.isLatest != other.element.isLatest { return one.element.isLatest }
      return one.element.time != other.element.time ? one.element.time > other.element.time : one.offset < other.offset
    }
    guard let latest = sorted.first else { return [] }
    // A marker that is the latest and comes after a version of its time shows the list's kind, too.
    let isLate =
      latest.element.isLatest && latest.element.isMarker
      && versions[..<latest.offset].contains { $0.time == latest.element.time }
    let all = sorted.map(\.element)
    guard listsByKind || isLate else { return all }
    var mixed: [S3Version] = []
    var rest = all[...]
    while let first = rest.first {
      let second = rest.prefix { $0.time == first.time }
      rest = rest.dropFirst(second.count)
      mixed += turns(second, below: mixed.last)
    }
    return mixed
  }

  /// Markers and versions of one time by turns. Nothing tells which kind is first in a time before the latest one; more
  /// files are removed right after a save than written right after a removal.
  private func turns(_ all: ArraySlice<S3Version>, below newer: S3Version?) -> [S3Version] {
    var (markers, versions) = (all.filter(\.isMarker)[...], all.filter { !$0.isMarker }[...])
    var isMarkersTurn = newer?.isMarker != true
    if let first = all.first, first.isLatest {
      isMarkersTurn = first.isMarker
    } else if markers.count > versions.count {
      isMarkersTurn = true
    }
    var mixed: [S3Version] = []
    while !markers.isEmpty, !versions.isEmpty {
      mixed.append(isMarkersTurn ? markers.removeFirst() : versions.removeFirst())
      isMarkersTurn.toggle()
    }
    return mixed + markers + versions
  }
}
