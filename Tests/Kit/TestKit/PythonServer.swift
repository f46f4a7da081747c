/// A server that a script of `scripts/test.d` runs on a free port of 127.0.0.1. It ends with `stop`, or with this process.
public struct PythonServer {
  public enum Failure: Error { case didNotStart(String) }

  public let port: UInt16
  private let process: Spawn

  /// Returns when the server takes connections.
  public init(_ script: String, _ arguments: [String] = []) throws(Failure) {
    guard let python = PythonPackages.python, let path = PythonPackages.script(script) else {
      throw .didNotStart(PythonPackages.reason)
    }
    do throws(Spawn.Failure) {
      // Its standard input stays open until `stop`.
      process = try Spawn(
        python, [path] + arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"], input: nil)
      try process.wait(forNotice: ";")
    } catch {
      throw .didNotStart("\(error)")
    }
    guard let port = process.said.split(whereSeparator: { " ;\n".contains($0) }).last.flatMap({ UInt16($0) }) else {
      throw .didNotStart(process.said)
    }
    self.port = port
  }

  public func stop() {
    process.closeInput()
    do throws(Spawn.Failure) {
      _ = try process.finish()
    } catch {
      process.signal(9)
    }
  }
}
