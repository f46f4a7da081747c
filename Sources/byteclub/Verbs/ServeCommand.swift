import ArgumentParser
import Basics
import FileStores
import Glibc

/// `byteclub serve` replaces itself with another program, which keeps the server out of the app.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Serve a folder to the members of a club, as Dropbox does; with --chaos, with faults, to test clients. "
      + "byteclub serve --help has all options.",
    discussion: Examples.text([
      "byteclub serve member add ray --root DIR": "add a member: prints the access token",
      "byteclub serve --root DIR": "serve the folder to this machine",
      "byteclub serve --root DIR --listen 0.0.0.0:8443 --tls-cert F --tls-key F": "serve it to other machines",
      "byteclub serve --root DIR --chaos latency=200ms,503=0.1,drop=0.05,cut=0.1 --seed 7":
        "with faults on purpose, to test clients (--help lists them)",
    ]))

  /// Next to this program, or in the shell's search path.
  static let program = "byteclub-serve"

  @Argument(parsing: .captureForPassthrough, help: "The server's command and options.") var arguments: [String] = []

  func run() throws {
    let error = ServeCommand.become(arguments)
    try CommandEnd.finish(.failure(error), name: "serve", output: Output(), asJSON: false, log: nil)
  }

  /// Returns the error if this process cannot be replaced.
  private static func become(_ arguments: [String]) -> StoreError {
    var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var failure = ENOENT
    if let beside = siblingPath() {
      execv(beside, &texts)
      failure = errno
    }
    if failure == ENOENT {
      execvp(program, &texts)
      failure = errno
    }
    return failed(failure)
  }

  static func failed(_ code: Int32) -> StoreError {
    guard code == ENOENT else {
      return StoreError(.notPermitted, "\(program) did not start: \(SystemError.text(code)).")
    }
    return StoreError(
      .unsupported, "The server program \(program) is missing.",
      remedy: "Install it beside byteclub; in the sources, \"scripts/run serve\" builds and starts it.")
  }

  static func siblingPath() -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    return own[...slash] + program
  }
}
