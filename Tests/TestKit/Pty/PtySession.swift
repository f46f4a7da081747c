internal import Dispatch
internal import Foundation
internal import Glibc
public import TextUI

/// A program that runs on a terminal of its own, of which the test is the keyboard and the eyes.
///
/// Nothing in it sleeps: `wait` looks again whenever the program has written something. Questions of the program to its
/// terminal (device attributes, cursor position) are answered. The program is killed when the session goes away.
public final class PtySession: Sendable {
  /// How a program ended.
  public enum End: Sendable, Hashable {
    /// With an exit code.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
  }

  /// Settings of the terminal, by which it is told whether a program gave it back.
  public struct Modes: Sendable, Hashable {
    /// Input comes in lines.
    public var isCanonical: Bool
    /// The terminal shows what is typed.
    public var echoes: Bool
    /// Ctrl-C and Ctrl-Z are signals.
    public var hasSignals: Bool

    /// Makes modes.
    public init(isCanonical: Bool, echoes: Bool, hasSignals: Bool) {
      self.isCanonical = isCanonical
      self.echoes = echoes
      self.hasSignals = hasSignals
    }

    /// As a shell sets them.
    public static let cooked = Modes(isCanonical: true, echoes: true, hasSignals: true)
  }

  private let core: PtyCore

  /// What sessions have as their environment: this process's PATH and HOME, no language, no colours asked for, and
  /// Swift's backtraces off, which would wait for a key.
  public static var basicEnvironment: [String: String] {
    let here = ProcessInfo.processInfo.environment
    var environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] { environment[name] = here[name] }
    return environment
  }

  /// Starts a program. `executable` is looked for in PATH when it has no slash. `environment` is added to
  /// `basicEnvironment`; an empty value takes a variable out.
  public init(
    _ executable: String, _ arguments: [String] = [], size: Size = Size(80, 24), environment: [String: String] = [:],
    workingDirectory: String? = nil
  ) throws(PtyError) {
    let all = Self.basicEnvironment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
    core = try PtyCore(
      executable, [executable] + arguments, size: size, environment: all.map { "\($0.key)=\($0.value)" }.sorted(),
      workingDirectory: workingDirectory)
  }

  deinit { core.abandon() }

  /// The program's process.
  public var process: Int32 { core.process }

  /// What the terminal shows now.
  public var screen: ScreenSnapshot { core.screen }

  /// All that the program has written so far.
  public var rawBytes: [UInt8] { core.rawBytes }

  /// The terminal's settings now.
  public var modes: Modes {
    let bits = core.modeBits
    return Modes(isCanonical: bits & 1 != 0, echoes: bits & 2 != 0, hasSignals: bits & 4 != 0)
  }

  /// Types text; a line feed in it is the return key.
  public func send(_ text: String) { core.write(Array(text.utf8).map { $0 == 0x0A ? 0x0D : $0 }) }

  /// Sends bytes as they are.
  public func send(bytes: [UInt8]) { core.write(bytes) }

  /// Presses keys, in the spelling of xterm (cursor keys in their normal mode).
  public func press(_ keys: Key...) { for key in keys { core.write(KeyBytes.bytes(of: key)) } }

  /// Presses keys by their names, such as `Ctrl-S` or `PgDn`.
  public func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
      core.write(KeyBytes.bytes(of: key))
    }
  }

  /// Pastes text as terminals do when a program has asked for marks around it.
  public func paste(_ text: String) {
    core.write(Array("\u{1B}[200~".utf8) + Array(text.utf8).map { $0 == 0x0A ? 0x0D : $0 } + Array("\u{1B}[201~".utf8))
  }

  /// Gives the terminal another size; the program gets SIGWINCH.
  public func resize(_ size: Size) { core.resize(size) }

  /// Sends the program a signal.
  public func signal(_ number: Int32) { core.signal(number) }

  /// Takes the terminal away, as when its window is closed.
  public func hangUp() { core.hangUp() }

  /// Waits until the screen is as `isReached` wants it. Looks at once, and whenever something was written.
  /// - Returns: that screen.
  @discardableResult
  public func wait(
    _ goal: String = "the screen to be as expected", timeout: Duration = .seconds(10),
    until isReached: (ScreenSnapshot) -> Bool
  ) throws(PtyError) -> ScreenSnapshot {
    var shown: ScreenSnapshot?
    let reached = core.wait(timeout) { state in
      let screen = state.snapshot()
      shown = screen
      return isReached(screen) ? true : state.isFinished ? false : nil
    }
    if reached == true, let shown { return shown }
    let reason = reached == nil ? "was not reached in time" : "was not reached before the program ended"
    throw PtyError(message: "\(goal) \(reason)", screen: shown?.text ?? "")
  }

  /// Waits until some row has this text.
  @discardableResult
  public func wait(for text: String, timeout: Duration = .seconds(10)) throws(PtyError) -> ScreenSnapshot {
    try wait("\"\(text)\"", timeout: timeout) { $0.contains(text) }
  }

  /// Waits until the program's output has something, which need not be on the screen.
  public func waitForBytes(_ text: String, timeout: Duration = .seconds(10)) throws(PtyError) {
    let needle = Array(text.utf8)
    let found = core.wait(timeout) { state in
      state.raw.firstRange(of: needle) != nil ? true : state.isFinished ? false : nil
    }
    guard found == true else {
      throw PtyError(message: "the bytes \(text.debugDescription) were not written", screen: screen.text)
    }
  }

  /// Waits for the program's end and for all that it has written.
  public func waitExit(timeout: Duration = .seconds(10)) throws(PtyError) -> End {
    guard core.wait(timeout, { $0.end != nil ? true : nil }) == true else {
      throw PtyError(message: "the program did not end in time", screen: screen.text)
    }
    // Another process that still has the terminal keeps its output open; it is not waited for.
    _ = core.wait(.milliseconds(500)) { $0.isFinished ? true : nil }
    guard let end = core.end else { throw PtyError(message: "the program's end was lost", screen: screen.text) }
    return end
  }
}

extension PtySession {
  /// The path of an executable that is built together with the tests; nil when it is not there.
  public static func builtProgram(_ name: String) -> String? {
    guard let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }
}
