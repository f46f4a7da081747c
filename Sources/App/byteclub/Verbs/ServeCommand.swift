import Accounts
import ArgumentParser
import Backends
import Basics
import FileStores
import POSIX

/// `byteclub serve` replaces itself with another program, which keeps the server out of the app.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Serve a folder to the members of a club, as Dropbox does; with --chaos, with faults, to test clients. "
      + "byteclub serve run --help has all options.",
    discussion: Examples.text([
      "byteclub serve invite ann --root DIR --address https://club.example": "invite a friend: prints one line to send",
      "byteclub serve member add ray --root DIR": "add a member: prints the access token",
      "byteclub serve --root DIR": "serve the folder to this machine",
      "byteclub serve --club bucket": "serve a club of the config, whatever its store is",
      "byteclub serve --root DIR --listen 0.0.0.0:8443 --tls-self": "serve it to other machines, with a key of its own",
      "byteclub serve --root DIR --listen 0.0.0.0:8443 --tls-cert F --tls-key F": "with a certificate of an authority",
      "byteclub serve --config FILE": "with the options of a file",
      "byteclub serve --root DIR --chaos latency=200ms,503=0.1,drop=0.05,cut=0.1 --seed 7":
        "with faults on purpose, to test clients (--help lists them)",
    ]))

  static let program = "byteclub-serve"

  /// The server's commands and their verbs.
  static let commands: KeyValuePairs<String, [String]> = [
    "run": [], "invite": ["new", "ls", "rm"], "member": ["add", "ls", "rm", "token", "code", "quota"],
    "app": ["add", "ls", "redirect", "rm"], "backup": [], "restore": [], "manual": [], "help": [],
  ]

  @ParentCommand var root: RootCommand
  @Argument(
    parsing: .captureForPassthrough, help: "The server's command and options.", completion: NameCompletion.server)
  var arguments: [String] = []

  func run() throws {
    let error = ServeCommand.become(try ServedClubWords(arguments, after: root.shared).words())
    try CommandEnd.finish(.failure(error), name: "serve", output: Output(), asJSON: false, log: nil)
  }

  /// Returns the error if this process cannot be replaced.
  private static func become(_ arguments: [String]) -> StoreError {
    var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    execvp(programPath(), &texts)
    return failed(errno)
  }

  static func failed(_ code: Int32) -> StoreError {
    guard code == ENOENT else {
      return StoreError(.notPermitted, "\(program) did not start: \(SystemError.text(code)).")
    }
    return StoreError(.unsupported, "The server program \(program) is missing.", remedy: remedy(folder: ownFolder()))
  }

  /// - Parameter folder: the folder of the running program. SwiftPM builds below a folder `.build`.
  static func remedy(folder: String?) -> String {
    if folder?.contains("/.build/") == true {
      return "Build and start it with: scripts/run serve"
    }
    return "Install the package \(program), or put the program beside byteclub."
  }

  /// The server's program: beside byteclub, in the libexec folder beside its folder, or a name for the search path.
  static func programPath(beside folder: String? = ownFolder()) -> String {
    guard let folder else { return program }
    let places = [folder + "/" + program, folder + "/../libexec/byteclub/" + program]
    return places.first { access($0, X_OK) == 0 } ?? program
  }

  static func ownFolder() -> String? {
    let own = OtherProcesses.program(of: 0)
    return own?.lastIndex(of: "/").flatMap { end in own.map { String($0[..<end]) } }
  }
}

/// The command line of the server for a club of the config.
private struct ServedClubWords {
  private var rest: [String] = []
  /// From "--" on.
  private let ending: [String]
  private var options: StartOptions

  /// - Parameter shared: the options before "serve".
  init(_ arguments: [String], after shared: SharedOptions) throws {
    options = shared.start
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    var words = arguments[..<end]
    var file: String?
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts[0] == "--club" || parts[0] == "--config" else {
        rest.append(word)
        continue
      }
      guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
        throw ValidationError("\(word) needs a value.")
      }
      if parts[0] == "--club" { (options.club, options.folder) = (value, nil) } else { file = value }
    }
    // It is byteclub's own config for a club of it, and else the server's.
    if options.club == nil, let file { rest += ["--config", file] } else { options.config = file ?? options.config }
    if shared.json, !rest.contains("--json") { rest.append("--json") }
    ending = Array(arguments[end...])
  }

  /// A directory is served as with `--root`. For any other club, the server's data have a directory of their own, and
  /// the club's description goes through a pipe.
  func words() throws -> [String] { try rest + place() + ending }

  private func place() throws -> [String] {
    guard options.club != nil || options.folder != nil else { return [] }
    let setup = try ClubSetup(options)
    if let directory = setup.choice.directory { return ["--root", directory] }
    let identity = setup.choice.kind.name + ":" + setup.choice.kind.identity(of: setup.choice.store)
    let data = setup.paths.data + "/serve/" + SHA256.hexadecimal(of: identity.utf8).prefix(16)
    let words = ["--data", data, "--club-name", setup.choice.name]
    if let first = rest.first, first != "run", ServeCommand.commands.contains(where: { $0.key == first }) {
      return words
    }
    let club = ClubDescription(
      name: setup.choice.name, store: setup.choice.store, network: setup.route.map(ClubDescription.Network.init),
      variable: setup.environment.accessToken, tokensDirectory: setup.paths.tokensDirectory, state: setup.paths.state,
      config: options.config.map(LocalDirectory.absolute))
    return words + ["--club-descriptor", String(try Self.pipe(club.bytes))]
  }

  /// - Returns: the descriptor from which the next program of this process reads the bytes.
  private static func pipe(_ bytes: [UInt8]) throws(StoreError) -> Int32 {
    guard bytes.count <= ClubDescription.mostBytes else {
      throw StoreError(
        .tooLarge, "The settings of the club have more than \(ClubDescription.mostBytes) bytes.",
        remedy: "Shorten \"network.headers\" in the config.")
    }
    var ends: [Int32] = [-1, -1]
    guard POSIX.pipe(&ends) == 0 else {
      throw StoreError(.server, "The club could not be passed to the server: \(SystemError.text(errno)).")
    }
    defer { close(ends[1]) }
    do throws(SystemError) {
      try OpenFile.write(bytes[...], to: ends[1])
    } catch {
      throw StoreError(.server, "The club could not be passed to the server: \(error).")
    }
    return ends[0]
  }
}
