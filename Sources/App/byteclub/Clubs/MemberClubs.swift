import Basics
import FileStores
import QRCodes
import Screens
import TextUI

/// What the screen of clubs asks for, on this machine.
struct MemberClubs: ClubsServices {
  private let rows: ClubRows
  private let places: Places
  private let signIn: AppSignIn
  private let joining: AppJoin
  private let pool: BlockingPool

  /// - Parameter current: the club that the app shows.
  init(_ shared: SharedServices, current: String?) {
    let base = shared.base
    let log = base.log
    // The token of a variable is for its own club alone.
    let environment = Environment { base.environment[$0] }
    let places = Places(
      paths: base.paths, environment: environment, config: base.configFile, stores: base.stores, pool: base.pool,
      transport: { log.telling(ClubNetworks.process.transport($0)) })
    rows = ClubRows(shared, current: current)
    signIn = AppSignIn(environment) { (club) throws(StoreError) in
      try ConfigFault.asStoreError { () throws(ConfigFault) in try base.setup(of: club) }
    }
    joining = AppJoin(StartOptions(config: base.configFile), environment, log: log, pool: base.pool) {
      (line) throws(StoreError) in try places.form(ofLine: line)
    }
    (self.places, pool) = (places, base.pool)
  }

  var forms: [PlaceForm] { places.forms }

  func clubs(_ report: @escaping @Sendable ([ClubRow]) -> Void) async { await rows.report(report) }

  func check(_ form: PlaceForm) async -> [FormFinding] { await places.check(form) }

  func add(_ form: PlaceForm) async throws(StoreError) -> String { try await places.add(form) }

  func join(_ line: String, agreed: Bool) async throws(StoreError) -> JoinAnswer {
    try await joining.join(line, agreed: agreed)
  }

  func beginSignIn(_ club: String) async throws(StoreError) -> SignInStep? { try await signIn.begin(club) }

  func awaitSignIn(_ step: SignInStep) async throws(StoreError) -> String? { try await signIn.awaitBrowser(step) }

  func finishSignIn(_ step: SignInStep, _ answer: String) async throws(StoreError) -> String {
    try await signIn.finish(step, answer)
  }

  func deviceLine(_ club: String) async throws(StoreError) -> ShownLine { try await joining.deviceLine(club) }

  func placeLine(_ club: String) async throws(StoreError) -> ShownLine {
    try await pool.run { [places] () throws(StoreError) in try places.line(for: club) }
  }

  func qr(_ text: String) async -> QRBlocks? { await pool.run { QRBlocks.of(text) } }
}
