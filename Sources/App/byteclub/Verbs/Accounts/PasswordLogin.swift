import Accounts
import Backends
import Basics
import FileStores
import JSON

/// `byteclub login`, `logout` and `whoami` for a club that a member enters with a name and a password.
struct PasswordLogin: Sendable {
  private let setup: ClubSetup
  private let secret: SecretSignIn
  private let member: SecretSignIn.Member
  private let output: Output

  /// nil for a club with another sign-in.
  init?(_ setup: ClubSetup, _ output: Output) {
    guard case .secret(let secret) = setup.signIn, let member = secret.member else { return nil }
    (self.setup, self.secret, self.member, self.output) = (setup, secret, member, output)
  }

  private var file: PasswordFile { PasswordFile(directory: setup.paths.tokensDirectory, member: member) }

  /// Asks for the password unless another place has it, tries it, keeps it, and tests the server.
  func run() async throws(StoreError) -> Answer {
    if let warning = setup.plainWarning { output.alert(warning) }
    let (file, old) = (file, try await kept())
    if !isElsewhere {
      let password = try await asked()
      try await setup.pool.run { () throws(StoreError) in try file.write(password) }
    }
    do throws(StoreError) {
      return try await tried()
    } catch {
      // A password that the server refuses is not kept; any other error does not concern it.
      guard error.kind == .notSignedIn, !isElsewhere else { throw error }
      try await setup.pool.run { () throws(StoreError) in
        if let old { try file.write(old) } else { _ = try file.remove() }
      }
      throw StoreError(
        .notSignedIn, "\(member.origin) does not accept this \(secret.word) for \"\(member.user)\".",
        remedy: "Try again with: \(setup.choice.commands.login)")
    }
  }

  private var isElsewhere: Bool { setup.environment.accessToken != nil || secret.command != nil }

  private func kept() async throws(StoreError) -> String? {
    let file = file
    do throws(StoreError) {
      return try await setup.pool.run { () throws(StoreError) in try file.read() }
    } catch {
      // A damaged file is written anew.
      if error.kind == .notSignedIn { return nil }
      throw error
    }
  }

  private func asked() async throws(StoreError) -> String {
    let question =
      "\(secret.word.prefix(1).uppercased())\(secret.word.dropFirst()) of \(member.user) at \(member.origin): "
    guard let line = try await StandardInput.readSecret(question, output, setup.pool), !line.isEmpty else {
      throw StoreError(
        .badInput, "There was no \(secret.word).",
        remedy: "Start byteclub login in a terminal, or set \"\(secret.setting)\" in the config.")
    }
    return line
  }

  private func tried() async throws(StoreError) -> Answer {
    var answer = Answer([record], notice: "Signed in to \(member.origin) as \(member.user).")
    do throws(StoreError) {
      _ = try await setup.openStoreAlone().list(.root, ListOptions(.names), after: nil)
      if let test = setup.serverTest { answer.notices += try await test.run().sentences }
    } catch {
      guard error.kind == .notFound else { throw error }
      answer.notices.append(
        "The club's folder does not exist yet. Make it with: \(setup.choice.commands.makeFolder)")
    }
    setup.log.info("login", ["club": setup.choice.name, "service": member.origin])
    return answer
  }

  /// Removes the password from this machine.
  func forget() async throws(StoreError) -> Answer {
    let file = file
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
