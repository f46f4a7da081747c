import Basics
import FileStores
import POSIX
import Imaging
import Screens

struct MemberFiles: LocalFiles {
  let home: String?
  let memory: FolderMemory?
  let pool = BlockingPool(threads: 1)

  init(home: String?, memory: FolderMemory? = nil) { (self.home, self.memory) = (home, memory) }

  /// nil if the folder no longer exists. Blocks.
  func remembered(for purpose: PathPurpose) -> String? {
    guard let folder = memory?.folder(for: purpose), LocalDirectory.exists(resolve(folder)) else { return nil }
    return folder
  }

  func remember(_ folder: String, for purpose: PathPurpose) async throws(StoreError) {
    try await pool.run { [memory] () throws(StoreError) in try memory?.remember(folder, for: purpose) }
  }

  /// `~/Pictures` or `~/Downloads` if one exists, otherwise the home directory.
  var downloads: String {
    guard let home else { return LocalDirectory.absolute(".") }
    return ["/Pictures", "/Downloads"].first { LocalDirectory.exists(home + $0) }.map { "~\($0)" } ?? "~"
  }

  func resolve(_ typed: String) -> String {
    if typed == "~", let home { return home }
    if typed.hasPrefix("~/"), let home { return home + typed.dropFirst() }
    return typed
  }

  func holds(_ file: String, size: UInt64, contentHash: ContentHash?) async -> Bool {
    await pool.run {
      guard let file = try? OpenFile(reading: file), let facts = try? file.facts(), facts.isRegular, facts.size == size
      else { return false }
      guard let contentHash else { return true }
      let hasher = ContentHasher()
      do throws(SystemError) {
        while case let bytes = try file.readNext(1 << 18), !bytes.isEmpty { hasher.update(bytes[...]) }
        return hasher.finish() == contentHash
      } catch {
        return false
      }
    }
  }

  func folder(_ typed: String) async -> FolderFinding {
    await pool.run { [self] in
      let readings = TypedPaths.readings(typed).compactMap { $0.count == 1 ? $0[0] : nil }
      let path = readings.first { LocalDirectory.exists(resolve($0)) } ?? readings.first ?? typed
      let full = resolve(path)
      guard LocalDirectory.exists(full) else {
        return LocalDirectory.holdsAnything(full)
          ? .unusable("\"\(path)\" is not a folder. Choose a folder.") : .missing(path)
      }
      return usable(path)
    }
  }

  func makeFolder(_ path: String) async -> FolderFinding {
    await pool.run { [self] in
      let error = LocalDirectory.make(trimmed(resolve(path)))
      guard error == 0 else {
        return .unusable("The folder \"\(path)\" could not be made: \(SystemError.text(error)).")
      }
      return usable(path)
    }
  }

  private func usable(_ path: String) -> FolderFinding {
    guard access(resolve(path), W_OK | X_OK) != 0 else { return .isThere(path) }
    return .unusable("byteclub cannot write to \"\(path)\": \(SystemError.text(errno)).")
  }

  private func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

extension MemberFiles {
  /// Typing more narrows the completions.
  private static let limit = 500

  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion {
    await pool.run { [self] in completion(of: typed, for: purpose) }
  }

  private func completion(of typed: String, for purpose: PathPurpose) -> PathCompletion {
    let readings = TypedPaths.readings(typed)
    for paths in readings {
      if paths.count > 1, purpose == .upload, paths.allSatisfy({ isFile($0) }) { return several(paths, typed) }
      guard paths.count == 1, let path = paths.first else { continue }
      if isFile(path) { return choices(of: path, for: purpose, meaning: .files([path])) }
      if LocalDirectory.exists(resolve(path)) { return choices(of: path, for: purpose, meaning: .folder) }
    }
    let plain = choices(of: typed, for: purpose, meaning: .nothing)
    guard plain.choices.isEmpty, !typed.isEmpty else { return plain }
    for paths in readings where purpose == .upload && paths.contains(where: TypedPaths.hasWildcard) {
      let matches = paths.flatMap { TypedPaths.hasWildcard($0) ? pictures(matching: $0) : [$0] }
      if !matches.isEmpty, matches.allSatisfy({ isFile($0) }) { return several(matches, typed) }
    }
    for paths in readings where paths.count == 1 && paths != [typed] {
      let written = choices(of: paths[0], for: purpose, meaning: .nothing)
      if !written.choices.isEmpty { return written }
    }
    return plain
  }

  private func several(_ paths: [String], _ typed: String) -> PathCompletion {
    let choices = paths.prefix(MemberFiles.limit).map { PathCompletion.Choice(path: $0, isDirectory: false) }
    return PathCompletion(choices: choices, common: typed, meaning: .files(paths))
  }

  private func choices(
    of path: String, for purpose: PathPurpose, meaning: PathCompletion.Meaning
  ) -> PathCompletion {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (shown, prefix) = (String(path[..<cut]), path[cut...])
    guard path != "~" else {
      return PathCompletion(choices: [.init(path: "~/", isDirectory: true)], common: "~/", meaning: meaning)
    }
    let folder = shown.isEmpty ? "." : resolve(shown)
    let names: [String]
    do throws(SystemError) {
      names = try Folders.names(in: folder)
    } catch {
      // A download folder may be created later.
      let problem =
        error.code == ENOENT && purpose == .download
        ? nil : "\"\(folder)\" cannot be read: \(SystemError.text(error.code))."
      return PathCompletion(choices: [], common: path, problem: problem, meaning: meaning)
    }
    var choices: [PathCompletion.Choice] = []
    for name in names {
      guard name.utf8.starts(with: prefix.utf8), prefix.hasPrefix(".") || !name.hasPrefix(".") else { continue }
      let isDirectory = LocalDirectory.exists(folder + "/" + name)
      guard isDirectory || purpose == .upload && PictureFormat.named(name) != nil else { continue }
      choices.append(.init(path: shown + name + (isDirectory ? "/" : ""), isDirectory: isDirectory))
    }
    choices.sort { $0.path < $1.path }
    let common = choices.dropFirst().reduce(choices.first?.path ?? path) { beginning($0, $1.path) }
    return PathCompletion(
      choices: Array(choices.prefix(MemberFiles.limit)), common: common.isEmpty ? path : common, meaning: meaning)
  }

  /// Matches of `*`, `?` and `[…]`, sorted, with a typed `~` kept.
  private func pictures(matching pattern: String) -> [String] {
    let full = resolve(pattern)
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(full, 0, nil, &found) == 0 else { return [] }
    var paths: [String] = []
    for index in 0..<Int(found.gl_pathc) {
      guard let bytes = found.gl_pathv[index] else { continue }
      let path = String(cString: bytes)
      guard PictureFormat.named(path) != nil, isFile(path) else { continue }
      let isBelowHome = full != pattern && home.map { path.hasPrefix($0 + "/") } == true
      paths.append(isBelowHome ? "~" + path.dropFirst(home?.count ?? 0) : path)
    }
    return paths
  }

  private func isFile(_ typed: String) -> Bool {
    var facts = stat()
    return stat(resolve(typed), &facts) == 0 && facts.st_mode & S_IFMT != S_IFDIR
  }

  private func beginning(_ left: String, _ right: String) -> String {
    String(zip(left, right).prefix { $0 == $1 }.map(\.0))
  }
}
