public import FileStores
public import TextUI

public final class ClubsPerformer: AnsweringPerformer {
  public typealias Effect = ClubsEffect
  public typealias Action = ClubsAction

  private let services: any ClubsServices

  public init(_ services: any ClubsServices) { self.services = services }

  public func answer(
    to effect: ClubsEffect, _ sender: Sender<ClubsAction>
  ) async throws(StoreError) -> ClubsAction? {
    let answer: ClubsAnswer
    switch effect.call {
    case .clubs:
      // Only the newest report matters.
      await services.clubs { sender.send(.answered(effect, .rows($0)), replacing: "clubs.rows \(effect.number)") }
      answer = .allAsked
    case .check(let form): answer = .findings(await services.check(form))
    case .add(let form): answer = .added(try await services.add(form))
    case .join(let line, let agreed): answer = .joined(try await services.join(line, agreed: agreed))
    case .beginSignIn(let club): answer = .step(try await services.beginSignIn(club))
    case .awaitSignIn(let step): answer = .signedIn(try await services.awaitSignIn(step))
    case .finishSignIn(let step, let typed): answer = .signedIn(try await services.finishSignIn(step, typed))
    case .deviceLine(let club): answer = .line(try await services.deviceLine(club))
    case .placeLine(let club): answer = .line(try await services.placeLine(club))
    case .qr(let text): answer = .qr(await services.qr(text))
    }
    return .answered(effect, answer)
  }
}
