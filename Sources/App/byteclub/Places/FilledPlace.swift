import Accounts
import Backends
import Basics
import FileStores
import Screens

/// A form that was filled in, as the place that the member means.
struct FilledPlace: Sendable {
  /// Of a value, in bytes.
  private static let most = 2048

  let kind: any StoreKind
  let form: any StoreForm
  let store: StoreDescription
  /// As typed, without blanks around it.
  private let typed: [String: String]

  /// - Throws: `badInput` for a kind without a form, and for a value that its form has no field for.
  init(_ place: PlaceForm, _ stores: StoreRegistry, _ config: Config) throws(StoreError) {
    kind = try stores.kind(place.kind)
    guard let form = kind.form else {
      throw StoreError(
        .badInput, "A club of the kind \"\(place.kind)\" is not added by a form.",
        remedy:
          "The kinds with a form are: \(stores.kinds.filter { $0.form != nil }.map(\.name).joined(separator: ", ")).")
    }
    var typed: [String: String] = [:]
    for field in place.fields {
      guard form.fields.contains(where: { $0.key == field.key }) else {
        throw StoreError(
          .badInput, "The form of \(form.title) has no \"\(field.key)\".",
          remedy: "It has: \(form.fields.map(\.key).joined(separator: ", ")).")
      }
      let scalars = field.value.unicodeScalars.drop { $0.properties.isWhitespace }
      let end = scalars.lastIndex { !$0.properties.isWhitespace }
      if let end { typed[field.key] = String(scalars[...end]) }
    }
    var store = StoreDescription(kind: kind.name, options: typed)
    store.allowsPlainHTTP = config.mayBePlain
    (self.form, self.typed, self.store) = (form, typed, form.completed(store))
  }

  /// What is wrong with the values alone.
  var faults: [FormFinding] {
    let found = form.fields.compactMap { field -> FormFinding? in
      let sentence: String? =
        switch typed[field.key] {
        case nil: field.use == .required ? "\(field.label) is missing." : nil
        case let value?: fault(of: value, field)
        }
      return sentence.map { FormFinding(field: field.key, $0, isError: true) }
    }
    guard found.isEmpty else { return found }
    do throws(StoreError) {
      try kind.check(store)
      _ = try kind.httpOptions(for: store)
      if case .tokens(let signIn) = try kind.signIn(to: store) {
        _ = try Account(club: kind.name, signIn, bringsToken: false)
      }
      return []
    } catch {
      return [finding(error)]
    }
  }

  private func fault(of value: String, _ field: StoreFormField) -> String? {
    if value.utf8.count > FilledPlace.most { return "\(field.label) is longer than \(FilledPlace.most) bytes." }
    if value.unicodeScalars.contains(where: PlaceLine.isHidden) {
      return "\(field.label) has an invisible character."
    }
    if case .choice(let words)? = kind.settings.first(where: { $0.key == field.key })?.value, !words.contains(value) {
      return "\(field.label) must be \(Setting.spoken(words))."
    }
    return nil
  }

  /// What the member should know of right values.
  var notes: [FormFinding] {
    var notes = form.fields.compactMap { field -> FormFinding? in
      guard let value = store.options[field.key], value != typed[field.key] else { return nil }
      return FormFinding(field: field.key, "byteclub takes it as \(value.withoutAddressPasswords).", isError: false)
    }
    let origins = (try? kind.httpOptions(for: store))?.origins ?? []
    if let plain = origins.first(where: { !$0.isEncrypted && !$0.isLoopback }) {
      notes.append(
        FormFinding(
          field: address?.key, "\(plain) is not encrypted: others on the network can read the club.", isError: false))
    }
    return notes
  }

  private var address: StoreFormField? { form.fields.first(where: \.isAddress) }

  /// About the field that the error names, else about the address.
  func finding(_ error: StoreError) -> FormFinding {
    let field =
      form.fields.first { field in
        (field.use != .rare || typed[field.key] != nil) && error.description.contains("\"\(field.key)\"")
      } ?? address
    return FormFinding(field: field?.key, sentence(error), isError: true)
  }

  /// Without advice about the config: there is none yet. "Use https, or set it in the config." becomes "Use https."
  private func sentence(_ error: StoreError) -> String {
    let advice = error.remedy.split(separator: " ").reduce(into: [[Substring]]()) { sentences, word in
      if sentences.last?.last?.hasSuffix(".") ?? true { sentences.append([]) }
      sentences[sentences.count - 1].append(word)
    }
    let kept = advice.map { $0.joined(separator: " ") }.compactMap { sentence -> String? in
      guard sentence.contains(" config") else { return sentence }
      return sentence.firstRange(of: ", or set ").map { "\(sentence[..<$0.lowerBound])." }
    }
    let takesKey = error.remedy.contains("\"pin\"") && form.fields.contains { $0.key == "pin" }
    let key = "A server of your own is added with its key: byteclub club add \(kind.name) --set pin=sha256//..."
    // The new club has no name yet; the kind stands for it.
    let message = error.message.replacing(" of the club \"\(kind.name)\"", with: "")
    return ([message] + kept + (takesKey ? [key] : [])).joined(separator: " ")
  }

  /// Of the server's host and the club's folder, for a new club.
  func name(_ taken: Set<String>) -> String {
    let host = address.flatMap { store.options[$0.key] }.flatMap { HTTPOrigin($0) }?.host ?? kind.name
    return JoinPlanner.name(host: host, club: form.folderName(of: store), taken: taken)
  }
}
