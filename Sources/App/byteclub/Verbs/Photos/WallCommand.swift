import ArgumentParser
import FileStores
import POSIX
import Screens

/// The app with the newest photos full screen.
struct WallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wall", abstract: "Show the newest photos full screen, one after the other.",
    discussion: Examples.text([
      "byteclub wall": "an evening with photos; a key that does nothing names the others",
      "byteclub wall --ask": "with a page where phones leave photos, as a QR code in the corner",
      "byteclub wall --seconds 60": "a minute for each photo",
    ])
      + "\n\nA panorama turns, a sweep pans, other photos rest. The name, the member, the caption and the newest remarks "
      + "are below. A photo that comes meanwhile is shown at once, then the turn goes on. While the server is away, the "
      + "wall shows the photos that are on this machine. Space pauses, the arrows lead on and back, U asks for photos, Esc or "
      + "q leaves. In the app, V in the tab of photos opens the wall, and so does :wall."
      + "\n\nWith the setting ui.reducedMotion, nothing moves.")

  /// In seconds.
  static let times = 2...86_400

  @Option(
    help: ArgumentHelp("The time for each photo, instead of the setting wall.seconds.", valueName: "number"))
  var seconds: Int?
  @Flag(help: "Ask for photos, as byteclub photo ask does.") var ask = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if let seconds, !Self.times.contains(seconds) {
      throw ValidationError("--seconds needs a number from \(Self.times.lowerBound) to \(Self.times.upperBound).")
    }
    if shared.json { throw ValidationError("The wall has no JSON. For the photos: byteclub photo ls --json") }
  }

  func run() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, Environment.process["TERM"] != "dumb" else {
      let error = StoreError(
        .unsupported, "The wall is full screen and needs a terminal that draws.",
        remedy: "Lists and words without one: byteclub photo ls, byteclub news --follow")
      return try CommandEnd.finish(.failure(error), name: "wall", output: Output(), asJSON: false, log: nil)
    }
    var options = shared.start
    options.wall = WallStart(seconds: seconds, asks: ask)
    throw ExitCode(try RootCommand.open(options))
  }
}
