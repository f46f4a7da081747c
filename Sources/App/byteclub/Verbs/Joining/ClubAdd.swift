import ArgumentParser
import Backends
import Basics
import FileStores
import JSON
import Screens

struct ClubAdd: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a club at Dropbox, at a WebDAV server such as Nextcloud, or in an S3 bucket.",
    discussion: Examples.text([
      "byteclub club add webdav --set url=cloud.example.org --set user=ann": "a folder at a Nextcloud",
      "byteclub club add s3 --set bucket=our-club --set accessKeyID=AKIA...":
        "a bucket; --set endpoint=... if not Amazon's",
      "byteclub club add dropbox --set appKey=KEY --set folder=/Club": "a folder in a Dropbox",
      "byteclub club add LINE --set user=ann": "a line of: byteclub club invite",
    ])
      + "\n\nThe values are checked, and the server is asked. The club comes into a file of its own beside your config; no "
      + "password is asked for. Then sign in with byteclub login. In the app, :club add shows the same as a form.\n\n"
      + keys)

  private static var keys: String {
    StoreRegistry.standard.kinds.compactMap { kind in
      kind.form.map { form in
        let keys = form.fields.map { $0.use == .required ? "\($0.key) (needed)" : $0.key }
        return "The keys of \(kind.name): \(keys.joined(separator: ", "))."
      }
    }.joined(separator: "\n")
  }

  @Argument(help: "The kind of store (dropbox, webdav, s3), or a line of club invite.") var place: String?
  @Option(name: .customLong("set"), help: ArgumentHelp("A value of the form; again for each.", valueName: "key=value"))
  var values: [String] = []
  @Option(help: "The club's name on this machine: a to z, 0 to 9 and -.") var name: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard place != nil else {
      throw ValidationError(
        "club add needs the kind of store, \(Setting.spoken(Places.kinds)), and its values. For example: byteclub club add "
          + "webdav --set url=cloud.example.org --set user=ann. In the app, :club add shows a form.")
    }
    if shared.club != nil || shared.folder != nil {
      throw ValidationError("add makes a club of its own. Leave out --club and --folder; --name gives it a name.")
    }
    try NewClubName.check(name)
  }

  func perform(_ output: Output) async throws -> Answer {
    let places = Places(
      paths: try Paths(.process, config: shared.config), environment: .process, config: shared.config)
    let place = place ?? ""
    let form: PlaceForm
    do throws(StoreError) {
      let line = try places.form(ofLine: place)
      let empty = if let line { line } else { try places.form(ofKind: place) }
      form = try places.filled(empty, values)
    } catch {
      throw ConfigFault(error.description)
    }
    return try await ClubAdd.answer(form, name, places, output)
  }

  /// Checks the form, adds the club, and says how to sign in.
  static func answer(
    _ form: PlaceForm, _ name: String?, _ places: Places, _ output: Output
  ) async throws -> Answer {
    let missing = form.fields.filter { $0.isRequired && $0.value.allSatisfy(\.isWhitespace) }
    guard missing.isEmpty else {
      let rest = missing.map { "--set \($0.key)=\($0.example)" }.joined(separator: " ")
      throw ConfigFault(
        "A club of the kind \(form.kind) needs \(missing.map { "\"\($0.key)\"" }.joined(separator: " and ")). Add it with: "
          + "byteclub club add, the same kind or line, and such as: \(rest)")
    }
    let findings = try await WaitTeller.during("the server", output) { (teller) throws(StoreError) in
      teller.take(.asks)
      return await places.check(form)
    }
    if Task.isCancelled { throw StoreError.cancelled("Adding the club") }
    var answer = Answer()
    answer.failures = findings.filter(\.isError).map { StoreError(.badInput, $0.sentence) }
    guard answer.failures.isEmpty else { return answer }
    answer.notices = findings.map(\.sentence)
    let club = try await places.add(form, name: name)
    let setup = try ClubSetup(
      StartOptions(config: places.config, club: club), environment: places.environment, stores: places.stores)
    let file = DropIn.path(of: club, places.paths)
    let signIn = setup.signIn == .none ? nil : setup.choice.commands.login
    answer.notices.append("Added the club \"\(club)\", \(setup.choice.place), in \(places.paths.abbreviating(file)).")
    answer.notices.append(
      signIn.map { "Sign in with: \($0)" } ?? "Open it with: byteclub --club \(PathText.plainWord(club))")
    answer.records = [
      Record(
        .members([
          "name": .string(club), "store": .string(form.kind), "place": .string(setup.choice.place),
          "file": .string(file), "signIn": signIn.map { .string($0) },
        ]), line: nil)
    ]
    setup.log.info("added", ["club": club, "place": setup.choice.place])
    return answer
  }
}

extension Places {
  static var kinds: [String] { StoreRegistry.standard.kinds.filter { $0.form != nil }.map(\.name) }
}

enum NewClubName {
  /// - Throws: wrong usage for what cannot be a new club's name.
  static func check(_ name: String?) throws {
    guard let name, !DropIn.isName(name) || name == "home" else { return }
    throw ValidationError(
      "\"\(name)\" cannot be the club's name here. Use a to z, 0 to 9 and -, at most 40; home is this machine's club.")
  }
}
