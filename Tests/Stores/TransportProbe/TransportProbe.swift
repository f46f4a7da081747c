import Backends
import Basics
import FileStores
import POSIX
import Transfers

/// One transfer by the HTTP transport alone, for `scripts/bench`: linked with the rooms that it needs and nothing else,
/// as a program's start is part of its time.
///
///     TransportProbe get URL        what it receives is thrown away
///     TransportProbe put URL FILE
@main
enum TransportProbe {
  private static let pool = BlockingPool()

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // On the threads that all tasks of byteclub itself run on.
    await Task(executorPreference: pool.tasks) {
      do throws(StoreError) {
        try await run(Array(CommandLine.arguments.dropFirst()))
      } catch {
        print("TransportProbe: \(error)")
        exit(1)
      }
      exit(0)
    }.value
  }

  private static func run(_ words: [String]) async throws(StoreError) {
    switch (words.first, words.count) {
    case ("get", 2): try await exchange(HTTPRequest(.get, words[1], kind: .content), words[1])
    case ("put", 3):
      let source = try await FileSource(path: words[2], pool: pool)
      let body = HTTPBody.source(source, from: 0, length: source.size)
      try await exchange(HTTPRequest(.put, words[1], body: body, kind: .content), words[1])
    default: throw StoreError(.badInput, "TransportProbe does not know \"\(words.joined(separator: " "))\".")
    }
  }

  private static func exchange(_ request: HTTPRequest, _ url: String) async throws(StoreError) {
    guard let origin = HTTPOrigin(url) else { throw StoreError(.badInput, "\"\(url)\" has no origin.") }
    let transport = CurlTransport(options: HTTPOptions(origins: [origin]))
    let answer = try await transport.exchange(request, sent: nil) { (_, _) throws(StoreError) in }
    guard 200..<300 ~= answer.status else { throw StoreError(.server, "The answer was \(answer.status).") }
  }
}
