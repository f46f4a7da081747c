import Backends
import Basics
import FileStores
import Screens

/// The places of clubs that members sign in to by themselves, and not by an invitation: their forms, and the clubs that
/// come of them.
struct Places: Sendable {
  let paths: Paths
  let environment: Environment
  /// The named config file.
  var config: String?
  var stores = StoreRegistry.standard
  var pool = BlockingPool()
  /// Makes no connection yet.
  var transport: @Sendable (HTTPOptions) -> any HTTPTransport = { CurlTransport(options: $0) }

  /// Empty, one for each kind of store that has one.
  var forms: [PlaceForm] { stores.kinds.compactMap { kind in kind.form.map { PlaceForm(kind, $0) } } }

  /// The values alone first; if they are right, the server is asked once.
  func check(_ form: PlaceForm) async -> [FormFinding] {
    do throws(StoreError) {
      let report = try await pool.run { () throws(StoreError) in try self.report() }
      let place = try FilledPlace(form, stores, report.config)
      let faults = place.faults
      guard faults.isEmpty else { return faults }
      if let there = there(place, report) { return [FormFinding(there.description, isError: true)] }
      if let fault = otherPin(place, report) { return [FormFinding(field: "pin", fault.description, isError: true)] }
      return place.notes + (await answers(of: place, report))
    } catch {
      return [FormFinding(error.description, isError: true)]
    }
  }

  private func answers(of place: FilledPlace, _ report: ConfigReport) async -> [FormFinding] {
    do throws(StoreError) {
      guard var options = try place.kind.httpOptions(for: place.store) else { return [] }
      report.network(of: nil).apply(to: &options)
      options.timeouts.whole = options.timeouts.idle
      return try await place.form.look(at: place.store, transport(options))
        .map { FormFinding(field: $0.key, $0.sentence, isError: $0.isError) }
    } catch {
      return [place.finding(error)]
    }
  }

  /// Writes the club into a file of its own, and returns its name here.
  /// - Parameter name: the one that the member wants.
  /// - Throws: `badInput` for values that `check` calls wrong without the server; `exists` for a place or a name that
  ///   another club has; errors of the disk.
  func add(_ form: PlaceForm, name: String? = nil) async throws(StoreError) -> String {
    try await pool.run { () throws(StoreError) in
      let report = try self.report()
      if let folder = report.brokenDropIns.first(where: { $0.club.isEmpty }) {
        throw StoreError(.badInput, folder.fault)
      }
      let place = try FilledPlace(form, stores, report.config)
      if let fault = place.faults.first { throw StoreError(.badInput, fault.sentence) }
      let lock = try JoinLock(paths, knowing: report)
      defer { lock.release() }
      if let there = there(place, report) { throw there }
      if let fault = otherPin(place, report) { throw fault }
      let club = try Places.name(name, report) ?? place.name(report.takenNames)
      try DropIn.write(place.store, of: place.kind, as: club, paths)
      return club
    }
  }

  /// nil without a request.
  private static func name(_ wanted: String?, _ report: ConfigReport) throws(StoreError) -> String? {
    guard let name = wanted else { return nil }
    guard DropIn.isName(name) else {
      throw StoreError(
        .badInput, "\"\(name)\" cannot be the club's name here.", remedy: "Use a to z, 0 to 9 and -, at most 40.")
    }
    guard !report.takenNames.contains(name) else {
      throw StoreError(.exists, "There is a club \"\(name)\" already.", remedy: "Choose another name.")
    }
    return name
  }

  /// An error about another club here that is at the same place as the same member.
  private func there(_ place: FilledPlace, _ report: ConfigReport) -> StoreError? {
    let words = place.kind.place(of: place.store).words
    let other = report.config.clubNames.first { name in
      guard report.config.storeKind(of: name) == place.kind.name,
        let store = try? report.config.store(of: name, place.kind, paths)
      else { return false }
      let whole = place.form.completed(store)
      return place.kind.place(of: whole).words == words
        && place.kind.user(of: whole) == place.kind.user(of: place.store)
    }
    return other.map {
      StoreError(.exists, "The club \"\($0)\" is at this place already, \(words).", remedy: "Open that one.")
    }
  }

  /// - Throws: `badInput` with all faults of the config.
  func report() throws(StoreError) -> ConfigReport {
    try ConfigFault.asStoreError { () throws(ConfigFault) in
      let report = try ClubSetup.report(paths, StartOptions(config: config), environment, stores)
      _ = try report.checked()
      return report
    }
  }
}

extension PlaceForm {
  init(_ kind: any StoreKind, _ form: any StoreForm) {
    self.init(
      kind: kind.name, title: form.title, about: form.about,
      fields: form.fields.filter { $0.use != .rare }.map { Field($0) })
  }
}

extension PlaceForm.Field {
  init(_ field: StoreFormField, value: String = "") {
    self.init(
      key: field.key, label: field.label, example: field.example, isRequired: field.use == .required, value: value)
  }
}

extension ConfigReport {
  /// Names that no new club can have. "home" stays free for the club of this machine.
  var takenNames: Set<String> {
    Set(["home"] + config.clubNames + brokenDropIns.map(\.club))
      .union(config.clubNames.compactMap { config.text("clubs.\($0).account") })
  }
}
