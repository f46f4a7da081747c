import ArgumentParser
import FileStores

/// `byteclub demo`: a club to try things in, which goes when the app does.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try byteclub: a throw-away club with notes, photos, another member and a slow server on this machine.",
    discussion: "Nothing of yours is touched, nothing leaves this machine, and nothing is left when you quit.")

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json { throw ValidationError("The demo is an app and tells no results: leave out --json.") }
    if shared.start != StartOptions() {
      throw ValidationError("The demo brings a club and a config of its own: leave out --club, --folder and --config.")
    }
  }

  func run() throws {
    let ended: Result<Int32, StoreError>
    do throws(StoreError) {
      ended = .success(try Demo.run())
    } catch {
      ended = .failure(error)
    }
    switch ended {
    case .success(ExitStatus.done.rawValue): return
    case .success(let code): throw ExitCode(code)
    case .failure(let error):
      try CommandEnd.finish(.failure(error), name: "demo", output: Output(), asJSON: false, log: nil)
    }
  }
}
