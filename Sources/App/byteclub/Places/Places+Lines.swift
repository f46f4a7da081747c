import Backends
import Basics
import FileStores
import Screens

extension Places {
  /// A line without secrets that fills in a friend's form.
  /// - Throws: `badInput` for a club whose friends come in another way, or that cannot be opened; `tooLarge`.
  func line(for club: String) throws(StoreError) -> ShownLine {
    let (kind, store) = try described(club)
    if case .tokens(let signIn) = try kind.signIn(to: store), signIn.server != nil {
      throw StoreError(
        .badInput, "The club \"\(club)\" is behind a server, and only its owner can let a friend in.",
        remedy: "Ask the owner for an invitation: byteclub serve invite NAME")
    }
    guard let form = kind.form else {
      throw StoreError(
        .badInput, "The club \"\(club)\" is \(kind.about), which no friend can reach: \(kind.place(of: store).words).",
        remedy: "Serve it with byteclub serve, and invite your friend with: byteclub serve invite NAME")
    }
    try kind.check(store)
    let theirs = form.friends(store)
    let values = form.fields.filter { !$0.isPersonal }.compactMap { field in
      theirs.store.options[field.key].map { (key: field.key, value: $0) }
    }
    let line = PlaceLine.text(kind.name, values)
    guard line.utf8.count <= PlaceLine.mostBytes else {
      throw StoreError(.tooLarge, "The settings of the club \"\(club)\" are too long for a line.")
    }
    var sentences = [
      "Your friend types byteclub join - and pastes this line. It has no password: your friend signs in with their own "
        + "account.", theirs.sentence,
    ]
    if let file = store.options["caFile"], store.options["pin"] == nil {
      sentences.append(
        "The line does not carry the certificates of \(file), by which this machine trusts the server. Your friend needs "
          + "that file, too, and \"caFile\" in the config.")
    }
    return ShownLine(line: line, sentences: sentences)
  }

  private func described(_ club: String) throws(StoreError) -> (any StoreKind, StoreDescription) {
    let config = try report().config
    guard config.clubNames.contains(club), let name = config.storeKind(of: club) else {
      throw StoreError(.badInput, "There is no club \"\(club)\".", remedy: "See them with: byteclub club ls")
    }
    let kind = try stores.kind(name)
    return try ConfigFault.asStoreError { () throws(ConfigFault) in (kind, try config.store(of: club, kind, paths)) }
  }

  /// The form that a line fills in; nil if the text has no such line.
  /// - Throws: `badInput` for a line that was cut or changed, or that has what no such line has.
  func form(ofLine text: String) throws(StoreError) -> PlaceForm? {
    guard let line = try PlaceLine(text) else { return nil }
    guard let kind = stores.kinds.first(where: { $0.name == line.kind }), let form = kind.form else {
      throw PlaceLine.wrong("is of the kind \"\(line.kind)\", which byteclub cannot add")
    }
    var filled = PlaceForm(kind, form)
    for (key, value) in line.values {
      guard let field = form.fields.first(where: { $0.key == key && !$0.isPersonal }) else {
        throw PlaceLine.wrong("has \"\(key)\", which byteclub takes from no line")
      }
      filled.set(field, value)
    }
    return filled
  }

  /// The form of a kind with values.
  /// - Throws: `badInput` for a kind without a form; as `filled`.
  func form(ofKind name: String) throws(StoreError) -> PlaceForm {
    let known = forms
    guard let form = known.first(where: { $0.kind == name }) else {
      throw StoreError(
        .badInput, "byteclub adds no club of the kind \"\(name)\".",
        remedy: "The kinds are: \(known.map(\.kind).joined(separator: ", ")). A line of byteclub club invite does, too."
      )
    }
    return form
  }

  /// The form with more values, each as `KEY=VALUE`.
  /// - Throws: `badInput` for anything else, and for a key that the form does not have.
  func filled(_ form: PlaceForm, _ values: [String]) throws(StoreError) -> PlaceForm {
    var form = form
    let fields = try stores.kind(form.kind).form?.fields ?? []
    for text in values {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let field = fields.first(where: { $0.key == parts[0] }) else {
        throw StoreError(
          .badInput, "\"\(text.withoutAddressPasswords)\" is no value of the form of \(form.kind).",
          remedy: "Write it as KEY=VALUE. The keys are: \(fields.map(\.key).joined(separator: ", ")).")
      }
      form.set(field, parts[1])
    }
    return form
  }
}

extension Places {
  /// An error about a pin that another club here with the same sign-in does not have: whoever has the key of that pin
  /// would get its password.
  func otherPin(_ place: FilledPlace, _ report: ConfigReport) -> StoreError? {
    guard let pin = place.store.options["pin"], case .secret(let secret)? = try? place.kind.signIn(to: place.store),
      let member = secret.member
    else { return nil }
    let pins = Set(pin.split(separator: ";"))
    let other = report.config.clubNames.first { name in
      guard let (kind, store) = try? described(name),
        case .secret(let theirs)? = try? kind.signIn(to: kind.form?.completed(store) ?? store),
        theirs.member == member
      else { return false }
      return !pins.isSubset(of: (store.options["pin"] ?? "").split(separator: ";"))
    }
    return other.map { other in
      StoreError(
        .badInput,
        "The club \"\(other)\" has the same sign-in, \(member.user) at \(member.origin), but not this pin: a server "
          + "with the pin's key would get its password.",
        remedy: "Leave the pin out. If the server's owner has told you the pin, remove that club first with: "
          + "byteclub club leave \(PathText.plainWord(other))")
    }
  }
}

extension PlaceForm {
  fileprivate mutating func set(_ field: StoreFormField, _ value: String) {
    if let place = fields.firstIndex(where: { $0.key == field.key }) {
      fields[place].value = value
    } else {
      fields.append(Field(field, value: value))
    }
  }
}
