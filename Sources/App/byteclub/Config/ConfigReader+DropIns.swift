import JSON

/// Clubs in files of their own, which are read after the config. A fault in one leaves that club out alone.
extension ConfigReader {
  mutating func take(_ dropIns: [DropIn]) {
    for dropIn in dropIns {
      if let fault = fault(of: dropIn) {
        report.brokenDropIns.append((dropIn.name, fault))
        report.warnings.append(fault)
      }
    }
  }

  /// Takes a drop-in, or returns a sentence why not.
  private mutating func fault(of dropIn: DropIn) -> String? {
    guard let bytes = dropIn.bytes else { return dropIn.fault }
    let (name, place) = (dropIn.name, dropIn.place)
    guard !report.config.clubNames.contains(name) else {
      return report.config.entries.contains { $0.key == "clubs.\(name).store" && $0.origin == .builtIn }
        && !hasOwn(name)
        ? "\(place) is left out: the club \"\(name)\" is ~/ByteClub. Rename the file."
        : "\(place) is left out: \(self.place) has a club \"\(name)\", too. Rename one of them."
    }
    var reader = ConfigReader(table, place: place, isDropIn: true)
    if let members = reader.members(of: bytes) { reader.take(members, as: name) } else { reader.sayHowToMend() }
    report.warnings += reader.report.warnings
    guard reader.report.faults.isEmpty else { return reader.report.faults.joined(separator: "\n") }
    report.config.addClub(name)
    for entry in reader.report.config.entries { report.config.set(entry.key, entry.value, entry.origin) }
    report.dropInClubs.insert(name)
    report.formerPlaces[name] = reader.report.formerPlaces[name]
    return nil
  }

  /// True for a club that the config itself has.
  private func hasOwn(_ club: String) -> Bool {
    report.config.entries.contains { entry in
      guard case .file = entry.origin else { return false }
      return entry.key.hasPrefix("clubs.\(club).")
    }
  }

  private mutating func take(_ members: [JSONMember], as name: String) {
    let version = members.last { $0.key == "version" }?.value
    guard version == .number(DropIn.version) else {
      report.faults.append(
        version?.integer ?? 0 > DropIn.version
          ? "\(place) was written by a newer byteclub. Install that version, or remove the file."
          : "\(place) has no \"version\": \(DropIn.version), so it is not a club's. Remove it, and join the club again."
      )
      return
    }
    let settings = members.filter { $0.key != "version" && $0.key != "was" }
    report.formerPlaces[name] = members.last { $0.key == "was" }?.value.text
    let path = ["clubs", name]
    let store = store(settings)
    if let program = settings.first(where: { table.setting(path + [$0.key], store: nil)?.kind == .program }) {
      report.faults.append(
        "\(place), line \(program.line): \"\(program.key)\" starts a program, which a file of this folder cannot. Remove "
          + "it, or write the club into the config.")
      return
    }
    report.config.addClub(name)
    take(settings, below: path, store: store)
    completeClubs()
    sayHowToMend()
  }

  /// Behind the faults of a damaged file, which no member wrote.
  private mutating func sayHowToMend() {
    guard let last = report.faults.popLast() else { return }
    report.faults.append("\(last) Delete the file, and join the club again.")
  }
}
