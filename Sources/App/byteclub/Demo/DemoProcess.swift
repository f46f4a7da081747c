import Basics
import CPlatform
import FileStores
import POSIX

struct DemoProcess: Sendable {
  let id: pid_t
  /// The write end of standard input, which closes with this process.
  let input: Int32
  let output: Int32

  /// Its own process group keeps the terminal's keys away. Its standard error goes into the file `log`.
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

  static func start(self arguments: [String], environment: [String: String]) throws(StoreError) -> DemoProcess {
    do throws(ProgramStart.Failure) {
      let id = try ProgramStart(
        ProgramStart.itself, arguments, environment: environment.map { "\($0.key)=\($0.value)" }
      ).start()
      return DemoProcess(id: id, input: -1, output: -1)
    } catch {
      throw StoreError(.notPermitted, "byteclub could not be started: \(SystemError.text(error.code)).")
    }
  }

  /// nil if the output ends without a line.
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

  func letGo() {
    if input >= 0 { close(input) }
    if output >= 0 { close(output) }
  }

  private static func pipe() throws(StoreError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = ends.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { cp_pipe($0) } ?? -EINVAL }
    guard code == 0 else {
      throw StoreError(.server, "No pipe could be made: \(SystemError.text(-code)).")
    }
    return (ends[0], ends[1])
  }
}
