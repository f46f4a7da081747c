import FileStores
import Glibc
import Imaging
import Screens

/// Opens a file of a club that is a directory with `xdg-open`.
///
/// A file is opened by what it contains, never run: a picture, or text that is not executable and no launcher.
struct DesktopLauncher: DesktopOpener {
  /// The club's; nil for a club that is none.
  let directory: String?
  let pool: BlockingPool

  func open(_ path: StorePath) async throws(StoreError) -> String {
    guard let directory else {
      throw StoreError(
        .unsupported, "\"\(path)\" is not on this machine, so no other program can open it.",
        remedy: "Download it first.", path: path)
    }
    return try await pool.run { () throws(StoreError) in
      let file = directory + "/" + String(decoding: path.bytes, as: UTF8.self)
      try check(file, "\(path)", path)
      try launch(file, "\(path)", path)
      return "Opened \"\(path)\" with the desktop's program."
    }
  }

  func open(file: String) async throws(StoreError) -> String {
    try await pool.run { () throws(StoreError) in
      try check(file, file, nil)
      try launch(file, file, nil)
      return "Opened \"\(file)\" with the desktop's program."
    }
  }

  private func check(_ file: String, _ name: String, _ path: StorePath?) throws(StoreError) {
    let descriptor = Glibc.open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw StoreError(.notFound, "\"\(name)\" cannot be read: \(SystemError.sentence(errno)).", path: path)
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.badInput, "\"\(name)\" is not a regular file.", path: path)
    }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = head.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    head.removeLast(head.count - max(0, count))
    if head.withUnsafeBytes({ PictureFormat.recognise($0) }) != nil { return }
    let isLauncher = file.hasSuffix(".desktop") || head.starts(with: "#!".utf8)
    guard !head.contains(0), !isLauncher, facts.st_mode & 0o111 == 0 else {
      throw StoreError(
        .notPermitted, "\"\(name)\" is neither a picture nor plain text, so byteclub does not open it.",
        remedy: "Look at it here, or open it yourself.", path: path)
    }
  }

  private func launch(_ file: String, _ name: String, _ path: StorePath?) throws(StoreError) {
    let program = ProgramStart("xdg-open", ["xdg-open", file], streams: (.nothing, .nothing, .nothing))
    let status: Int32
    do throws(ProgramStart.Failure) {
      status = ProgramStart.wait(for: try program.start())
    } catch {
      throw StoreError(
        .unsupported, "\"\(name)\" was not opened: xdg-open did not start (\(SystemError.sentence(error.code))).",
        remedy: "Install the package xdg-utils.", path: path)
    }
    guard status == 0 else {
      throw StoreError(
        .unsupported,
        "\"\(name)\" was not opened: this machine has no desktop, or its desktop has no program for the file.",
        path: path)
    }
  }
}
