import Basics
import POSIX

/// A club in a file of its own, `clubs.d/NAME.json`, which byteclub writes and removes: the member's config stays as it
/// is. It holds the settings of the club, a `version`, the place where it `was` before it moved, and no program.
struct DropIn: Sendable, Equatable {
  static let version = 1
  static let mostBytes = 64 << 10
  static let most = 500
  private static let ending = ".json"

  /// The club's, which is the file's without its ending.
  let name: String
  /// The file, for messages.
  let place: String
  /// nil if it cannot be read.
  let bytes: [UInt8]?
  /// A sentence about a file that cannot be read.
  let fault: String?

  init(name: String, place: String, bytes: [UInt8]) {
    (self.name, self.place, self.bytes, fault) = (name, place, bytes, nil)
  }

  private init(name: String, place: String, fault: String) {
    (self.name, self.place, bytes) = (name, place, nil)
    self.fault = "\(place) \(fault)"
  }

  /// 1 to 40 of `a-z`, `0-9` and `-`, not at its ends: no path, and no option of a command.
  static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
      && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
  }

  /// All drop-ins by name. Never fails: a file that cannot be read has a fault, and the others are read. A folder that
  /// others can change is one fault, without a name.
  static func all(_ paths: Paths, user: UInt32 = geteuid()) -> [DropIn] {
    let directory = paths.dropIns
    func broken(_ fault: String) -> DropIn {
      DropIn(name: "", place: paths.abbreviating(directory), fault: fault)
    }
    let (folder, names): (OpenFile, [String])
    do throws(SystemError) {
      folder = try OpenFile(folder: directory)
      let facts = try folder.facts()
      guard facts.user == user else { return [broken("belongs to another user, so byteclub does not use it.")] }
      guard facts.permissions & 0o022 == 0 else {
        let mend = "Fix it with: chmod 700 \(PathText.plainWord(paths.abbreviating(directory)))"
        return [broken("can be changed by other users, so byteclub does not use it. \(mend)")]
      }
      names = try Folders.names(in: directory)
    } catch {
      guard error.code != ENOENT, error.code != ENOTDIR else { return [] }
      return [broken("cannot be read: \(SystemError.text(error.code)).")]
    }
    let files = names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.sorted()
    var found = files.prefix(most).map { file in
      let place = paths.abbreviating("\(directory)/\(file)")
      return read(file, in: folder, String(file.dropLast(ending.count)), place, user)
    }
    if files.count > most {
      found.append(
        broken("has more than \(most) clubs; byteclub leaves out the rest. Remove those that you do not need."))
    }
    return found
  }

  private static func read(
    _ path: String, in folder: OpenFile, _ name: String, _ place: String, _ user: UInt32
  ) -> DropIn {
    func broken(_ fault: String) -> DropIn { DropIn(name: name, place: place, fault: fault) }
    guard isName(name) else {
      return broken("is left out: the name of a club here has only a to z, 0 to 9 and -. Rename the file.")
    }
    do throws(SystemError) {
      let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, in: folder)
      let facts = try file.facts()
      guard facts.isRegular else { return broken("is not a regular file. Remove it.") }
      guard facts.user == user else {
        return broken("belongs to another user, so byteclub does not use it. Remove it, and join the club again.")
      }
      guard facts.permissions & 0o022 == 0 else {
        return broken(
          "can be changed by other users, so byteclub does not use it. Fix it with: chmod 600 \(PathText.plainWord(place))"
        )
      }
      guard let bytes = try file.readAll(limit: mostBytes) else {
        return broken("is larger than 64 KiB, so it is not a club's. Remove it, and join the club again.")
      }
      return DropIn(name: name, place: place, bytes: bytes)
    } catch {
      if error.code == ELOOP { return broken("is a symbolic link, which byteclub does not follow. Remove it.") }
      return broken("cannot be read: \(SystemError.text(error.code)).")
    }
  }
}
