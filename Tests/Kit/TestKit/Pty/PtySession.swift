internal import Dispatch
internal import Foundation
internal import POSIX
public import TextUI

/// A program on its own pseudo terminal; the test types and reads the screen.
///
/// Nothing in it sleeps: `wait` looks again after each frame of the program. It answers the program's queries (device
/// attributes, cursor position). The program is killed when the session is released, and is gone then.
public final class PtySession: Sendable {
  public enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Terminal settings, which show whether a program has restored the terminal.
  public struct Modes: Sendable, Hashable {
    /// Input arrives in lines.
    public var isCanonical: Bool
    /// The terminal shows typed text.
    public var echoes: Bool
    /// Ctrl-C and Ctrl-Z are signals.
    public var hasSignals: Bool

    public init(isCanonical: Bool, echoes: Bool, hasSignals: Bool) {
      self.isCanonical = isCanonical
      self.echoes = echoes
      self.hasSignals = hasSignals
    }

    /// The settings of a shell.
    public static let cooked = Modes(isCanonical: true, echoes: true, hasSignals: true)
  }

  private let core: PtyCore
  private let folder: (any AnyObject & Sendable)?

  /// The environment of sessions: this process's PATH and HOME, no language, no colour settings, and no Swift
  /// backtraces, which would wait for a key.
  public static var basicEnvironment: [String: String] {
    let here = ProcessInfo.processInfo.environment
    var environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] { environment[name] = here[name] }
    return environment
  }

  /// Starts a program. An `executable` without a slash is searched in PATH. `environment` is added to
  /// `basicEnvironment`; an empty value removes a variable. `folder` is released after the program's end, because a
  /// program would make its files anew in a folder that is gone. Without `answers` the terminal answers no query.
  public init(
    _ executable: String, _ arguments: [String] = [], size: Size = Size(80, 24), environment: [String: String] = [:],
    workingDirectory: String? = nil, keeping folder: (any AnyObject & Sendable)? = nil,
    answers: Bool = true
  ) throws(PtyError) {
    self.folder = folder
    let all = Self.basicEnvironment.merging(Spawn.coverage) { $1 }.merging(environment) { $1 }
      .filter { !$0.value.isEmpty }
    core = try PtyCore(
      executable, [executable] + arguments, size: size, environment: all.map { "\($0.key)=\($0.value)" }.sorted(),
      workingDirectory: workingDirectory, answers: answers)
  }

  deinit { core.abandon() }

  public var process: Int32 { core.process }

  /// Never the middle of a frame.
  public var screen: ScreenSnapshot { core.screen }

  /// All output of the program so far.
  public var rawBytes: [UInt8] { core.rawBytes }

  /// The terminal's present settings.
  public var modes: Modes {
    let bits = core.modeBits
    return Modes(isCanonical: bits & 1 != 0, echoes: bits & 2 != 0, hasSignals: bits & 4 != 0)
  }

  /// Types text; a line feed becomes the return key.
  public func send(_ text: String) { core.type(Array(text.utf8).map { $0 == 0x0A ? 0x0D : $0 }) }

  public func send(bytes: [UInt8]) { core.type(bytes) }

  /// Presses keys, encoded like xterm (cursor keys in their normal mode).
  public func press(_ keys: Key...) { for key in keys { core.type(KeyBytes.bytes(of: key)) } }

  /// Presses keys by name, such as `Ctrl-S` or `PgDn`.
  public func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
      core.type(KeyBytes.bytes(of: key))
    }
  }

  /// Pastes text in the brackets of bracketed paste.
  public func paste(_ text: String) {
    core.type(Array("\u{1B}[200~".utf8) + Array(text.utf8).map { $0 == 0x0A ? 0x0D : $0 } + Array("\u{1B}[201~".utf8))
  }

  /// Resizes the terminal; the program gets SIGWINCH.
  public func resize(_ size: Size) { core.resize(size) }

  public func signal(_ number: Int32) { core.signal(number) }

  /// Takes the terminal away, as if its window was closed.
  public func hangUp() { core.hangUp() }

  /// Waits for a screen that `isReached` accepts. Checks the frames since the last input, the screen now, and each frame
  /// that comes, or each output of a program that does not say where its frames end.
  /// - Returns: that screen, which may be gone by now.
  @discardableResult
  public func wait(
    _ goal: String = "the screen to be as expected", timeout: Duration = .seconds(180),
    until isReached: (ScreenSnapshot) -> Bool
  ) throws(PtyError) -> ScreenSnapshot {
    let (reached, shown) = core.watch(timeout, isReached)
    if reached == true { return shown }
    let reason = reached == nil ? "was not reached in time" : "was not reached before the program ended"
    throw PtyError(message: "\(goal) \(reason)", screen: shown.text)
  }

  /// Waits until a row contains this text.
  @discardableResult
  public func wait(for text: String, timeout: Duration = .seconds(180)) throws(PtyError) -> ScreenSnapshot {
    try wait("\"\(text)\"", timeout: timeout) { $0.contains(text) }
  }

  /// Waits for bytes in the program's output, on the screen or not.
  public func waitForBytes(_ text: String, timeout: Duration = .seconds(180)) throws(PtyError) {
    let needle = Array(text.utf8)
    let found = core.wait(timeout) { state in
      state.raw.firstRange(of: needle) != nil ? true : state.isFinished ? false : nil
    }
    guard found == true else {
      throw PtyError(message: "the bytes \(text.debugDescription) were not written", screen: screen.text)
    }
  }

  /// Waits for an output that `isReached` accepts. Checks all of it at once and after each new part.
  public func waitForOutput(
    _ goal: String, timeout: Duration = .seconds(180), until isReached: ([UInt8]) -> Bool
  ) throws(PtyError) {
    let reached = core.wait(timeout) { state in isReached(state.raw) ? true : state.isFinished ? false : nil }
    guard reached == true else { throw PtyError(message: "\(goal) was not reached", screen: screen.text) }
  }

  /// Waits for the program's end and for all its output.
  public func waitExit(timeout: Duration = .seconds(180)) throws(PtyError) -> End {
    guard core.wait(timeout, { $0.end != nil ? true : nil }) == true else {
      throw PtyError(message: "the program did not end in time", screen: screen.text)
    }
    // Another process may hold the terminal open; it is not waited for.
    _ = core.wait(timeout) { core.hasAll($0) ? true : nil }
    guard let end = core.end else { throw PtyError(message: "the program's end was lost", screen: screen.text) }
    return end
  }
}

extension PtySession {
  /// The path of an executable that is built together with the tests; nil if it does not exist.
  public static func builtProgram(_ name: String) -> String? {
    guard let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }
}
