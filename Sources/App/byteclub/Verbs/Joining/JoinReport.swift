import Accounts
import ClubServices
import FileStores

/// How the member is known in the club, and what it holds. `byteclub join` and the app share it.
struct JoinReport: Sendable {
  /// nil if the club cannot be listed now. It is joined even so.
  let counts: (notes: Int, photos: Int)?
  let sentences: [String]

  init(_ done: JoinFlow.Done, _ setup: ClubSetup) async {
    let member = done.member.asServersWords
    guard let joined = done.joined else {
      (counts, sentences) = (nil, ["You are in this club already, as \(member)."])
      return
    }
    let you = "You are \(member) in the club \"\(joined.club.asServersWords)\""
    let rights = joined.isReader ? ["You can read everything there, and change nothing."] : []
    do throws(StoreError) {
      let found = try await JoinReport.counts(setup)
      counts = found
      sentences =
        [
          "\(you), which has \(JoinReport.spoken(found.notes, "note")) and \(JoinReport.spoken(found.photos, "photo"))."
        ] + rights
    } catch {
      counts = nil
      sentences = ["\(you).", "It cannot be listed now: \(error)"] + rights
    }
  }

  private static func counts(_ setup: ClubSetup) async throws(StoreError) -> (notes: Int, photos: Int) {
    let open = try OpenClub(setup, owner: await ClubOwner.find(setup))
    var (notes, photos) = (0, 0)
    try await open.notes.names { notes += $0.notes.count }
    try await open.photos.list { photos += $0.count }
    return (notes, photos)
  }

  private static func spoken(_ number: Int, _ one: String) -> String {
    number == 0 ? "no \(one)s" : number == 1 ? "one \(one)" : "\(number) \(one)s"
  }
}
