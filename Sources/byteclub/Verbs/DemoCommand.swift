import ArgumentParser
import FileStores

/// `byteclub demo`: a club to try things in, which goes when the app does.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try byteclub: a throw-away club with notes, photos, another member and a slow server on this machine.",
    discussion:
      "The demo changes none of your files, sends nothing from this machine, and leaves nothing when you quit.")

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json { throw ValidationError("The demo is full screen and prints no results. Leave out --json.") }
    if shared.start != StartOptions() {
      throw ValidationError("The demo has its own club and config. Leave out --club, --folder and --config.")
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
