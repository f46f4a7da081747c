/// Where the member goes from an open club.
public enum Departure: Sendable, Equatable {
  case club(String)
  case clubs(ClubsStart)

  /// Signing in is what sends the texts that wait, so nothing is asked about them.
  var isForSignIn: Bool { if case .clubs(.signIn) = self { true } else { false } }
}
