import Accounts
import Backends

extension ClubSetup {
  /// True if the member can sign in here: byteclub keeps the sign-in, and no variable and no program brings it.
  var canSignIn: Bool {
    guard environment.accessToken == nil else { return false }
    return switch signIn {
    case .none: false
    case .secret(let secret): secret.command == nil && secret.member != nil
    case .tokens(let tokens): tokens.command == nil
    }
  }

  /// True if a program of the member's config brings the secret.
  var startsProgram: Bool {
    guard environment.accessToken == nil else { return false }
    return switch signIn {
    case .none: false
    case .secret(let secret): secret.command != nil
    case .tokens(let tokens): tokens.command != nil
    }
  }

  /// True if nobody needs to sign in first. Blocks.
  var hasSignIn: Bool {
    if environment.accessToken != nil { return true }
    switch signIn {
    case .none: return true
    case .secret(let secret):
      if secret.command != nil { return true }
      guard let member = secret.member else { return false }
      return (try? PasswordFile(directory: paths.tokensDirectory, member: member).read()) != nil
    case .tokens(let tokens):
      if tokens.command != nil { return true }
      guard let account = try? ClubAccount(self).account else { return false }
      return (try? TokenFile(directory: paths.tokensDirectory, account: account).read()) != nil
    }
  }
}
