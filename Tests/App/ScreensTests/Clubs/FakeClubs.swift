import FileStores
import Synchronization
import TestKit
import TextUI

@testable import Screens

/// Clubs without a network: returns scripted answers and records the calls. Calls wait at `gate` while it is closed.
final class FakeClubs: ClubsServices {
  struct Script: Sendable {
    var rows: [[ClubRow]] = []
    var findings: [FormFinding] = []
    var joined: Result<JoinAnswer, StoreError> = .success(.joined(club: "pier", said: "You are ann in Pier."))
    var added: Result<String, StoreError> = .success("cloud")
    var step: Result<SignInStep?, StoreError> = .success(nil)
    var awaited: Result<String?, StoreError> = .success(nil)
    var finished: Result<String, StoreError> = .success("Signed in as ann.")
    var line: Result<ShownLine, StoreError> = .success(ClubsSamples.line)
  }

  private struct State {
    var script: Script
    var calls: [String] = []
  }

  private let state: Mutex<State>
  private let gate: Gate?
  let forms = ClubsSamples.forms

  init(_ script: Script = Script(), gate: Gate? = nil) {
    state = Mutex(State(script: script))
    self.gate = gate
  }

  var calls: [String] { state.withLock { $0.calls } }

  /// Records a call, and the end of one that was cancelled.
  private func take(_ call: String) async -> Script {
    state.withLock { $0.calls.append(call) }
    await gate?.wait()
    if Task.isCancelled { state.withLock { $0.calls.append("cancelled \(call)") } }
    return state.withLock { $0.script }
  }

  func clubs(_ report: @escaping @Sendable ([ClubRow]) -> Void) async {
    for rows in await take("clubs").rows { report(rows) }
  }

  func check(_ form: PlaceForm) async -> [FormFinding] {
    await take("check \(form.fields.map(\.value).joined(separator: ","))").findings
  }

  func add(_ form: PlaceForm) async throws(StoreError) -> String {
    try await take("add \(form.fields.map(\.value).joined(separator: ","))").added.get()
  }

  func join(_ line: String, agreed: Bool) async throws(StoreError) -> JoinAnswer {
    try await take("join \(line)\(agreed ? " agreed" : "")").joined.get()
  }

  func beginSignIn(_ club: String) async throws(StoreError) -> SignInStep? {
    try await take("begin \(club)").step.get()
  }

  func awaitSignIn(_ step: SignInStep) async throws(StoreError) -> String? {
    try await take("await \(step.club)").awaited.get()
  }

  func finishSignIn(_ step: SignInStep, _ answer: String) async throws(StoreError) -> String {
    try await take("finish \(step.club) \(answer)").finished.get()
  }

  func deviceLine(_ club: String) async throws(StoreError) -> ShownLine {
    try await take("device \(club)").line.get()
  }

  func placeLine(_ club: String) async throws(StoreError) -> ShownLine {
    try await take("place \(club)").line.get()
  }

  func qr(_ text: String) async -> QRBlocks? {
    _ = await take("qr \(text)")
    return ClubsSamples.qr
  }
}

enum ClubsSamples {
  static let address = "https://club.example:8443/oauth2/authorize?client_id=byteclub&state=Zm9v"
  static let invitation = "https://club.example:8443/join#QUFBQUFBQUFBQUFBQUFBQQ"

  static let line = ShownLine(
    line: invitation,
    sentences: ["On your other machine, type: byteclub join, and this line.", "It is good once, for ten minutes."])

  /// As large as the code of some eighty bytes.
  static let qr = QRBlocks((0..<33 * 33).map { $0 * 7 % 5 < 2 }, width: 33)
  static let smallQR = QRBlocks((0..<21 * 21).map { $0 * 7 % 5 < 2 }, width: 21)

  static let forms = [
    PlaceForm(
      kind: "dropbox", title: "Dropbox", about: "A folder of your Dropbox, with an app key of your own.",
      fields: [.init(key: "appKey", label: "App key", example: "", isRequired: true)]),
    PlaceForm(
      kind: "webdav", title: "Nextcloud or WebDAV", about: "A folder of a server that speaks WebDAV.",
      fields: [
        .init(key: "url", label: "Address", example: "https://cloud.example/dav/byteclub", isRequired: true),
        .init(key: "user", label: "User", example: "you", isRequired: true),
        .init(key: "caFile", label: "Certificates", example: "", isRequired: false),
      ]),
    PlaceForm(
      kind: "s3", title: "S3", about: "A bucket at Amazon or of another server.",
      fields: [.init(key: "bucket", label: "Bucket", example: "byteclub", isRequired: true)]),
  ]

  static var rows: [ClubRow] {
    func row(_ name: String, _ place: String, _ change: (inout ClubRow) -> Void) -> ClubRow {
      var row = ClubRow(name: name, place: place)
      change(&row)
      return row
    }
    return [
      row("home", "~/ByteClub") { ($0.state, $0.isOpen) = (.reachable, true) },
      row("pier", "https://club.example:8443/ as ann") {
        ($0.state, $0.news, $0.waiting, $0.canAddDevice) = (.away, 3, 2, true)
      },
      row("cloud", "https://cloud.example/remote.php/dav/files/ann/byteclub") { $0.state = .needsSignIn },
      row("bucket", "s3://byteclub/club/") { $0.state = .broken("The key of \"bucket\" is missing. Set AWS_PROFILE.") },
      row("garage", "Dropbox: /garage") { $0.news = 0 },
    ]
  }

  static func step(_ input: SignInStep.Input, address: String? = address) -> SignInStep {
    SignInStep(
      club: "cloud", sentence: "Open this page, allow byteclub, and type the code that the page shows.",
      address: address, input: input)
  }
}
