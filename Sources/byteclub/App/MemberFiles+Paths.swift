import FileStores
import Glibc
import Imaging
import Screens

/// What a typed path means, and what it could become.
extension MemberFiles {
  /// At most so many possibilities are shown: more are narrowed by typing on.
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

  /// Names below the path's folder that go on as its last part does.
  private func choices(
    of path: String, for purpose: PathPurpose, meaning: PathCompletion.Meaning
  ) -> PathCompletion {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (shown, prefix) = (String(path[..<cut]), path[cut...])
    guard path != "~" else {
      return PathCompletion(choices: [.init(path: "~/", isDirectory: true)], common: "~/", meaning: meaning)
    }
    let folder = shown.isEmpty ? "." : resolve(shown)
    guard let stream = opendir(folder) else {
      // A folder for downloads may be made.
      let problem =
        errno == ENOENT && purpose == .download
        ? nil : "\"\(folder)\" cannot be read: \(SystemError.sentence(errno))."
      return PathCompletion(choices: [], common: path, problem: problem, meaning: meaning)
    }
    defer { closedir(stream) }
    var choices: [PathCompletion.Choice] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.utf8.starts(with: prefix.utf8),
        prefix.hasPrefix(".") || !name.hasPrefix(".")
      else { continue }
      let isDirectory = LocalDirectory.exists(folder + "/" + name)
      guard isDirectory || purpose == .upload && PictureFormat.named(name) != nil else { continue }
      choices.append(.init(path: shown + name + (isDirectory ? "/" : ""), isDirectory: isDirectory))
    }
    choices.sort { $0.path < $1.path }
    let common = choices.dropFirst().reduce(choices.first?.path ?? path) { beginning($0, $1.path) }
    return PathCompletion(
      choices: Array(choices.prefix(MemberFiles.limit)), common: common.isEmpty ? path : common, meaning: meaning)
  }

  /// The pictures that a pattern with `*`, `?` or `[…]` matches, sorted, written as the pattern was.
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
