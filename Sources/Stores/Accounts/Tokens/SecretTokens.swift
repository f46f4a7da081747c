public import Backends
public import Basics
public import FileStores

/// A constant secret, such as a password, for a store that asks for tokens. Its program runs once for all callers; the
/// output stays in memory, and no error or description contains it. Without a program it is the password that
/// `byteclub login` has kept.
public actor SecretTokens: AccessTokens {
  private let club: String
  private let signIn: SecretSignIn
  private let variable: String?
  private let directory: String?
  private let loginCommand: String
  private let pool: BlockingPool
  private var current: String?
  private var running: Task<Result<String, StoreError>, Never>?

  /// Runs nothing yet. `variable` is the value of `BYTECLUB_TOKEN` for the selected club; nil for any other.
  /// `directory` has the kept passwords.
  public init(
    club: String, _ signIn: SecretSignIn, variable: String?, directory: String? = nil,
    loginCommand: String = "byteclub login", pool: BlockingPool
  ) {
    (self.club, self.signIn, self.variable, self.pool) = (club, signIn, variable, pool)
    (self.directory, self.loginCommand) = (directory, loginCommand)
  }

  /// The variable's secret, else the program's output.
  /// - Throws: `notSignedIn`, with a remedy, if there is no secret or it was refused.
  public func token(refusing stale: String?) async throws(StoreError) -> String {
    if let variable {
      guard variable != stale else {
        throw refused(of: "BYTECLUB_TOKEN", remedy: "Set it to a valid \(signIn.word), or unset it.")
      }
      return variable
    }
    if let current, current != stale { return current }
    let secret = try await asked().get()
    guard secret != stale else {
      if signIn.command == nil, let member = signIn.member {
        throw StoreError(
          .notSignedIn, "\(member.origin) does not accept your \(signIn.word).", remedy: "Sign in with: \(loginCommand)"
        )
      }
      throw refused(
        of: "its \"\(signIn.setting)\"",
        remedy: "Make sure that \"clubs.\(club).\(signIn.setting)\" prints a valid \(signIn.word).")
    }
    current = secret
    return secret
  }

  private func asked() async -> Result<String, StoreError> {
    if let running { return await running.value }
    let task = Task(executorPreference: pool.tasks) { await self.ask() }
    running = task
    defer { running = nil }
    return await task.value
  }

  private func ask() async -> Result<String, StoreError> {
    do throws(StoreError) {
      if signIn.command == nil, let member = signIn.member, let directory {
        let file = PasswordFile(directory: directory, member: member)
        guard let password = try await pool.run({ () throws(StoreError) in try file.read() }) else {
          throw StoreError(
            .notSignedIn, "You are not signed in to \(member.origin).", remedy: "Sign in with: \(loginCommand)")
        }
        return .success(password)
      }
      guard let command = signIn.command else {
        throw StoreError(
          .notSignedIn, "The club \"\(club)\" has no \"\(signIn.setting)\", so byteclub cannot sign in.",
          remedy: "Set \"clubs.\(club).\(signIn.setting)\" in the config to a program that prints the password.")
      }
      let wanted = TokenCommand.Wanted(
        club: club, setting: signIn.setting, word: signIn.word, takesAllLines: signIn.takesAllLines
      ) { !$0.isEmpty }
      return .success(try await TokenCommand(command).secret(wanted, on: pool))
    } catch {
      return .failure(error)
    }
  }

  private func refused(of source: String, remedy: String) -> StoreError {
    StoreError(
      .notSignedIn, "The server refused the \(signIn.word) that the club \"\(club)\" takes from \(source).",
      remedy: remedy)
  }
}
