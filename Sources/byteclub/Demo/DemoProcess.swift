import CLinux
import FileStores
import Glibc

/// A program that a demo starts.
struct DemoProcess: Sendable {
  let id: pid_t
  /// The end of its standard input that is ours; it ends when this process does.
  let input: Int32
  /// The end of its standard output that is ours.
  let output: Int32

  /// Starts a program away from the terminal, in a process group of its own, so that the terminal's keys are not for
  /// it. What it complains of goes into a file.
  static func start(
    aside program: String, _ arguments: [String], environment: [String: String], log: String
  ) throws(StoreError) -> DemoProcess {
    let (input, output) = (try pipe(), try pipe())
    defer {
      close(input.read)
      close(output.write)
    }
    do throws(ProgramStart.Failure) {
      let id = try ProgramStart(
        program, arguments, environment: environment.map { "\($0.key)=\($0.value)" },
        streams: (.descriptor(input.read), .descriptor(output.write), .appending(log)), group: .own
      ).start()
      return DemoProcess(id: id, input: input.write, output: output.read)
    } catch {
      close(input.write)
      close(output.read)
      throw ServeCommand.failed(error.code)
    }
  }

  /// Starts this program once more, in this terminal.
  static func start(self arguments: [String], environment: [String: String]) throws(StoreError) -> DemoProcess {
    do throws(ProgramStart.Failure) {
      let id = try ProgramStart(
        ProgramStart.itself, arguments, environment: environment.map { "\($0.key)=\($0.value)" }
      ).start()
      return DemoProcess(id: id, input: -1, output: -1)
    } catch {
      throw StoreError(.notPermitted, "byteclub could not be started: \(SystemError.sentence(error.code)).")
    }
  }

  /// The first line that it prints; nil when it ends without one.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(output, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Lets go of what is open.
  func letGo() {
    if input >= 0 { close(input) }
    if output >= 0 { close(output) }
  }

  private static func pipe() throws(StoreError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = ends.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { cl_pipe($0) } ?? -EINVAL }
    guard code == 0 else {
      throw StoreError(.server, "No pipe could be made: \(SystemError.sentence(-code)).")
    }
    return (ends[0], ends[1])
  }
}
