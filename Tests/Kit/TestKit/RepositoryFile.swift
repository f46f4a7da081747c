import Foundation
public import Testing

/// Files of the repository that a test compares with what the program says.
public enum RepositoryFile {
  /// The text of a file, by its path from the root.
  public static func text(_ path: String, filePath: String = #filePath) throws -> String {
    try String(contentsOf: url(path, filePath), encoding: .utf8)
  }

  /// Expects a file to be `text`. `RECORD_SNAPSHOTS=1` writes it, and fails the test.
  public static func expect(
    _ path: String, toBe text: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      let file = url(path, filePath)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("Recorded \(path): run again without RECORD_SNAPSHOTS.", sourceLocation: sourceLocation)
      return
    }
    let kept = try? self.text(path, filePath: filePath)
    if kept != text {
      Issue.record(
        "\(path) is not what the program prints; RECORD_SNAPSHOTS=1 swift test writes it anew.",
        sourceLocation: sourceLocation)
    }
  }

  private static func url(_ path: String, _ filePath: String) -> URL {
    let root = filePath.components(separatedBy: "/Tests/").dropLast().joined(separator: "/Tests/")
    return URL(fileURLWithPath: root + "/" + path)
  }
}
