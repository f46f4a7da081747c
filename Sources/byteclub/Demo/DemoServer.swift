import FileStores
import Glibc

/// The demo's server: byteclub's own, as a process beside the app, slowed down so that there is something to see.
struct DemoServer: Sendable {
  /// A line as one has at home, so that a photo takes a moment, and slower still upwards, so that a progress is seen.
  private static let slowness = "latency=120ms,bandwidth=3MiB,bandwidth@/2/files/upload*=512KiB"

  /// The process; it ends with its standard input.
  let process: DemoProcess
  /// Where it answers.
  let origin: String
  /// The access tokens: the member's and the other's.
  let tokens: (member: String, robin: String)

  /// Starts it and waits until it answers.
  init(in place: DemoPlace, environment: [String: String]) throws(StoreError) {
    let program = ServeCommand.siblingPath().flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? ServeCommand.program
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
    process = try start("run", "--while-input", "--listen", "127.0.0.1:0", "--chaos", DemoServer.slowness)
    // The line is what a member's config needs: JSON with the address in it.
    let line = process.line() ?? ""
    guard let start = line.firstRange(of: "http://"), let end = line[start.lowerBound...].firstIndex(of: "\"") else {
      kill(process.id, SIGKILL)
      _ = ProgramStart.wait(for: process.id)
      process.letGo()
      throw DemoServer.failed(place)
    }
    origin = String(line[start.lowerBound..<end])
  }

  /// Ends it at once: what it has is thrown away.
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
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return buffer[..<count].split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
  }
}
