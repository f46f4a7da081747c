import Basics
import FileStores
import POSIX
import Imaging
import Markdown
import Screens
import TextUI

/// Opens a file of a directory club with `xdg-open`. Its content must show that it is harmless: a picture, or text that
/// is neither executable nor a launcher.
struct DesktopLauncher: DesktopOpener {
  /// nil if the club is not a directory.
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

  func open(address: String) async throws(StoreError) -> String {
    guard let link = LinkAddress(address) else {
      throw StoreError(.notPermitted, "\"\(address)\" is not an address of the web or of mail.")
    }
    return try await pool.run { () throws(StoreError) in
      try launch(link.text, link.text, nil)
      return "Opened \"\(address)\" with the desktop's program."
    }
  }

  private func check(_ file: String, _ name: String, _ path: StorePath?) throws(StoreError) {
    let (facts, head): (OpenFile.Facts, [UInt8])
    do throws(SystemError) {
      let file = try OpenFile(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
      facts = try file.facts()
      head = facts.isRegular ? try file.read(from: 0, count: 4096) : []
    } catch {
      throw StoreError(.notFound, "\"\(name)\" cannot be read: \(SystemError.text(error.code)).", path: path)
    }
    guard facts.isRegular else { throw StoreError(.badInput, "\"\(name)\" is not a regular file.", path: path) }
    if head.withUnsafeBytes({ PictureFormat.recognise($0) }) != nil { return }
    let isLauncher = file.hasSuffix(".desktop") || head.starts(with: "#!".utf8)
    guard !head.contains(0), !isLauncher, facts.permissions & 0o111 == 0 else {
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
        .unsupported, "\"\(name)\" was not opened: xdg-open did not start (\(SystemError.text(error.code))).",
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

/// `$VISUAL`, or else `$EDITOR`, or else the first editor of Debian's that is there.
struct EditorProgram: Sendable {
  private let command: String?

  init(_ environment: Environment) {
    command = environment["VISUAL"] ?? environment["EDITOR"]
  }

  /// Ends as a shell does that finds no program.
  private static let usual =
    "for editor in sensible-editor nano vi; do command -v $editor >/dev/null && exec $editor \"$@\"; done; exit 127"

  /// As in git, a shell splits the variable; the file name is one argument.
  @Sendable
  func program(file: String) -> ExternalProgram {
    guard let command, !command.isEmpty else {
      return ExternalProgram(["/bin/sh", "-c", Self.usual, "editor", file])
    }
    return ExternalProgram(["/bin/sh", "-c", command + " \"$@\"", command, file])
  }
}

enum DesktopBrowser {
  static func isHere(_ environment: Environment) -> Bool {
    environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens an HTTP or HTTPS address with `xdg-open`; false if that failed. Blocks until it ends, at most five seconds.
  static func open(_ address: String) -> Bool {
    guard let link = LinkAddress(address), !link.isMail else { return false }
    // Its own process group keeps Ctrl-C away from a browser that starts here.
    let program = ProgramStart(
      "xdg-open", ["xdg-open", link.text], streams: (.nothing, .nothing, .nothing), group: .own)
    guard let child = try? program.start() else { return false }
    // A newly started browser may stay in the foreground, which counts as opened.
    for _ in 0..<100 {
      if let status = ProgramStart.ended(child) { return status == 0 }
      usleep(50_000)
    }
    return true
  }
}
