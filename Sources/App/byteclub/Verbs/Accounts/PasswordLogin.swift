import Accounts
import Backends
import Basics
import FileStores
import JSON

/// Sign-in, sign-out and `whoami` of a club that a member enters with a name and a password. `byteclub login` and the app
/// share it.
struct PasswordLogin: Sendable {
  let member: SecretSignIn.Member
  private let setup: ClubSetup
  private let secret: SecretSignIn

  /// nil for a club with another sign-in.
  init?(_ setup: ClubSetup) {
    guard case .secret(let secret) = setup.signIn, let member = secret.member else { return nil }
    (self.setup, self.secret, self.member) = (setup, secret, member)
  }

  private var file: PasswordFile { PasswordFile(directory: setup.paths.tokensDirectory, member: member) }

  /// True if the password comes from a variable or a program.
  private var isElsewhere: Bool { setup.environment.accessToken != nil || secret.command != nil }

  /// For the field: `Password of ann`.
  var label: String { "\(secret.word.prefix(1).uppercased())\(secret.word.dropFirst()) of \(member.user)" }

  var sentence: String { "Signed in to \(member.origin) as \(member.user)." }

  /// - Throws: `badInput` if the club takes its password from elsewhere.
  func check() throws(StoreError) {
    guard isElsewhere else { return }
    let place =
      setup.environment.accessToken != nil ? "the variable \(Environment.tokenVariable)" : "its \"\(secret.setting)\""
    throw ClubAccount.bringsSecret(setup.choice.name, secret.word, from: place)
  }

  /// Tries a password and keeps it on this machine.
  /// - Returns: false if the club's folder does not exist.
  /// - Throws: `notSignedIn` if the server refuses it: the old one stays. After any other error but `cancelled` it is kept,
  ///   because the error does not concern it, unless `keepsUntested` is false: the member can try again where they are.
  func finish(_ password: String, keepsUntested: Bool = true) async throws(StoreError) -> Bool {
    let found: Result<Bool, StoreError>
    do throws(StoreError) {
      found = .success(try await finds(StaticToken(password)))
    } catch {
      switch error.kind {
      case .notSignedIn:
        throw StoreError(
          .notSignedIn, "\(member.origin) does not accept this \(secret.word) for \"\(member.user)\".",
          remedy: "Try again with: \(setup.choice.commands.login)")
      case .cancelled: throw error
      default:
        guard keepsUntested else { throw error }
        found = .failure(error)
      }
    }
    try await setup.pool.run { () throws(StoreError) in try file.write(password) }
    return try found.get()
  }

  /// Asks the server with a password. Returns false if the club's folder does not exist.
  private func finds(_ password: StaticToken?) async throws(StoreError) -> Bool {
    guard let network = try setup.network() else { return true }
    let trial = StoreNetwork(
      transport: network.transport, tokens: password ?? network.tokens, commands: network.commands,
      findings: network.findings, programs: network.programs)
    let store = try setup.choice.kind.open(setup.choice.store, pool: setup.pool, network: trial)
    return try await ifThere { () throws(StoreError) in
      _ = try await store.list(.root, ListOptions(.names), after: nil)
      if Task.isCancelled { throw .cancelled("Signing in to \(member.origin)") }
      return true
    } ?? false
  }

  /// Removes the password from this machine.
  func forget() async throws(StoreError) -> Answer {
    let wasThere = try await setup.pool.run { () throws(StoreError) in try file.remove() }
    setup.log.info("logout", ["club": setup.choice.name, "service": member.origin])
    return Answer(
      [record],
      notice: wasThere
        ? "Removed the \(secret.word) for \(member.origin) from this machine."
        : "This machine had no \(secret.word) for \(member.origin).")
  }

  /// True if another club here needs the kept password, too.
  func isShared(_ report: ConfigReport) -> Bool {
    report.config.clubNames.contains { other in
      guard other != setup.choice.name, let name = report.config.storeKind(of: other),
        let kind = try? setup.stores.kind(name),
        let store = try? report.config.store(of: other, kind, setup.paths),
        case .secret(let theirs)? = try? kind.signIn(to: store)
      else { return false }
      return theirs.member == member
    }
  }

  func whoami() async throws(StoreError) -> Answer {
    _ = try await setup.openStore().list(.root, ListOptions(.names), after: nil)
    return Answer([record])
  }

  private var record: Record {
    let source = setup.environment.accessToken != nil ? "variable" : secret.command != nil ? "command" : "login"
    return Record(
      .members([
        "club": .string(setup.choice.name), "service": .string(member.origin), "source": .string(source),
        "name": .string(member.user),
      ]), lines: ["\(member.user) on \(member.origin)"])
  }
}

/// `byteclub login`.
extension PasswordLogin {
  /// Asks for the password unless another place has it, tries it, keeps it, and tests the server.
  func run(_ output: Output) async throws(StoreError) -> Answer {
    if let warning = setup.plainWarning { output.alert(warning) }
    let isThere = try await isElsewhere ? finds(nil) : finish(try await asked(output))
    var answer = Answer([record], notice: sentence)
    if !isThere {
      answer.notices.append(setup.folderIsMissing)
    } else if let test = setup.serverTest {
      answer.notices += try await test.run().sentences
    }
    setup.log.info("login", ["club": setup.choice.name, "service": member.origin])
    return answer
  }

  private func asked(_ output: Output) async throws(StoreError) -> String {
    let question = "\(label) at \(member.origin): "
    guard let line = try await StandardInput.readSecret(question, output, setup.pool), !line.isEmpty else {
      throw StoreError(
        .badInput, "There was no \(secret.word).",
        remedy: "Start byteclub login in a terminal, or set \"\(secret.setting)\" in the config.")
    }
    return line
  }
}
