import Foundation

/// Writes a file as another program would.
func write(_ text: String, to path: String) throws {
  try FileManager.default.createDirectory(
    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

/// Everything below a folder, by path from there.
func everything(below path: String) -> [String] {
  (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).sorted()
}

/// The files below a folder that this process has open.
func openDescriptors(below path: String) -> Int {
  let files = FileManager.default
  return ((try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count { number in
    (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number))?.hasPrefix(path) == true
  }
}
