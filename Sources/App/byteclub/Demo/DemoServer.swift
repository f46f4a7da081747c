import Basics
import FileStores
import POSIX

/// byteclub's own server as a separate process, slowed down to make progress visible.
struct DemoServer: Sendable {
  /// Like a home connection: a photo takes a moment, an upload longer.
  private static let slowness = "latency=120ms,bandwidth=3MiB,bandwidth@/2/files/upload*=512KiB"

  /// Ends when its standard input closes.
  let process: DemoProcess
  let origin: String
  let tokens: (member: String, robin: String)

  /// Returns when the server answers.
  init(in place: DemoPlace, environment: [String: String]) throws(StoreError) {
    let program = ServeCommand.programPath()
    var variables = environment
    variables["XDG_DATA_HOME"] = place.serverData
    func start(_ words: String...) throws(StoreError) -> DemoProcess {
      try DemoProcess.start(
        aside: program, [ServeCommand.program] + words + ["--root", place.club], environment: variables,
        log: place.serverLog)
    }
    func add(_ name: String) throws(StoreError) -> String {
      let adding = try start("member", "add", name)
      defer { adding.letGo() }
      let token = adding.line()
      guard ProgramStart.wait(for: adding.id) == 0, let token else { throw DemoServer.failed(place) }
      return token
    }
    tokens = (try add("You"), try add("Robin"))
    process = try start(
      "run", "--while-input", "--shared-links", "--drop-pages", "--listen", "127.0.0.1:0", "--chaos",
      DemoServer.slowness)
    // JSON for a member's config, with the address.
    let line = process.line() ?? ""
    guard let start = line.firstRange(of: "http://"), let end = line[start.lowerBound...].firstIndex(of: "\"") else {
      kill(process.id, SIGKILL)
      _ = ProgramStart.wait(for: process.id)
      process.letGo()
      throw DemoServer.failed(place)
    }
    origin = String(line[start.lowerBound..<end])
  }

  /// The server's data is discarded anyway.
  func stop() {
    kill(process.id, SIGKILL)
    _ = ProgramStart.wait(for: process.id)
    process.letGo()
  }

  private static func failed(_ place: DemoPlace) -> StoreError {
    let said = DemoServer.lastLine(of: place.serverLog).map { " It said: \($0)" } ?? ""
    return StoreError(.server, "The demo's server did not start.\(said)")
  }

  private static func lastLine(of file: String) -> String? {
    guard let bytes = try? OpenFile(reading: file).read(from: 0, count: 64 * 1024) else { return nil }
    return bytes.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
  }
}
