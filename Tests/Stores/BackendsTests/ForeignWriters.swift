import Foundation
import POSIX

/// Writes a file as another program would: in place.
func writeInPlace(_ path: String, _ text: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  _ = text.withCString { write(file, $0, strlen($0)) }
  close(file)
}

/// Saves as vim does by default: the old file becomes the backup, the new one is written under its name.
func saveLikeVim(_ path: String, _ text: String) {
  rename(path, path + "~")
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
  _ = text.withCString { write(file, $0, strlen($0)) }
  fsync(file)
  close(file)
  unlink(path + "~")
}

/// All names in a folder, hidden ones too.
func allNames(_ path: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
}

func inode(_ path: String) -> UInt64 {
  var out = stat()
  lstat(path, &out)
  return UInt64(out.st_ino)
}

func mode(_ path: String) -> UInt32 {
  var out = stat()
  lstat(path, &out)
  return out.st_mode & 0o7777
}
