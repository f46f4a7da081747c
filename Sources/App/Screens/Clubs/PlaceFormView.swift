internal import FileStores
internal import TextUI

/// The fields that name the place of a club. They are checked when one is left, and before the form is sent.
struct PlaceFormView: ClubsView {
  private enum Stage {
    case typing
    case checking(sends: Bool)
    case adding
  }

  let form: PlaceForm
  private var typed: FieldSet
  private var stage = Stage.typing
  private var findings: [FormFinding] = []
  private var problem: StoreError?
  /// A field has changed since the last check.
  private var isChanged = false

  init(_ form: PlaceForm) {
    self.form = form
    typed = FieldSet(
      form.fields.map { field in
        let words = [field.example, field.isRequired ? "" : "(optional)"].filter { !$0.isEmpty }
        return ClubsField(field.label, field.value, placeholder: words.joined(separator: " "))
      })
  }

  var title: String { form.title }
  var places: [KeyCommand.Place] { [.clubForm] }
  var footer: [CommandID] { [.clubFormEnter, .clubFormSend, .clubFormNext] }
  var takesText: Bool { true }

  var isAsking: Bool {
    switch stage {
    case .typing, .checking(sends: false): false
    case .checking(sends: true), .adding: true
    }
  }

  /// The form with the typed values.
  var filled: PlaceForm {
    var filled = form
    for index in filled.fields.indices { filled.fields[index].value = typed.fields[index].text.string }
    return filled
  }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    // A form that is being sent stays as it is.
    guard !isAsking else { return [] }
    switch input {
    case .command(.clubFormNext): return move(to: typed.focus + 1)
    case .command(.clubFormPrevious): return move(to: typed.focus - 1)
    case .command(.clubFormEnter): return typed.isLast ? send() : move(to: typed.focus + 1)
    case .command(.clubFormSend): return send()
    case .command: return []
    case .typed, .pasted, .mouse:
      let before = typed.focus
      let isEdited = typed.take(input, page(frame), height: ClubsScreen.bodySize(of: frame).height)
      return isEdited ? edited() : typed.focus == before ? [] : check()
    }
  }

  /// What was found is not about the present text.
  private mutating func edited() -> [ClubsStep] {
    let key = form.fields[typed.focus].key
    findings.removeAll { $0.field == key || $0.field == nil }
    (problem, isChanged) = (nil, true)
    guard case .checking = stage else { return [] }
    stage = .typing
    return [.stop(.check)]
  }

  private mutating func move(to field: Int) -> [ClubsStep] {
    let before = typed.focus
    typed.select(field)
    return typed.focus == before ? [] : check()
  }

  private mutating func check() -> [ClubsStep] {
    guard isChanged else { return [] }
    (stage, isChanged) = (.checking(sends: false), false)
    return [.ask(.check(filled))]
  }

  private mutating func send() -> [ClubsStep] {
    problem = nil
    let filled = filled
    if let empty = filled.fields.firstIndex(where: { $0.isRequired && !$0.value.contains { $0 != " " } }) {
      let field = filled.fields[empty]
      findings = [FormFinding(field: field.key, "\(field.label) is needed.", isError: true)]
      typed.select(empty)
      return []
    }
    (stage, isChanged) = (.checking(sends: true), false)
    return [.ask(.check(filled))]
  }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] {
    let sends = isAsking
    stage = .typing
    switch answer {
    case .findings(let found):
      // A field that is empty may be the one that is filled in next.
      let empty = filled.fields.filter { $0.isRequired && $0.value.isEmpty }.map { Optional($0.key) }
      findings = sends ? found : found.filter { !empty.contains($0.field) }
      guard sends else { break }
      if let error = found.first(where: \.isError) {
        if let field = form.fields.firstIndex(where: { $0.key == error.field }) { typed.select(field) }
      } else {
        stage = .adding
        return [.ask(.add(filled))]
      }
    case .added(let club): return [.showOverList(SignInView(club, isNew: true))]
    default: break
    }
    return []
  }

  mutating func failed(_ call: ClubsCall, _ error: StoreError) { (stage, problem) = (.typing, error.shown) }

  /// A club that is being written is written.
  mutating func stop() -> Bool {
    if case .adding = stage { return false }
    stage = .typing
    return true
  }

  private func page(_ frame: Frame) -> ClubsPage {
    var page = ClubsPage(frame)
    page.say(form.about, .dim)
    page.gap()
    for (index, field) in form.fields.enumerated() {
      page.field(index)
      say(findings.filter { $0.field == field.key }, on: &page)
    }
    page.gap()
    let keys = Set(form.fields.map(\.key))
    say(findings.filter { finding in finding.field.map { !keys.contains($0) } ?? true }, on: &page)
    page.complain(problem)
    switch stage {
    case .typing: break
    case .checking: page.sayAsking()
    case .adding: page.say("Writing the club ...", .dim)
    }
    return page
  }

  private func say(_ findings: [FormFinding], on page: inout ClubsPage) {
    for finding in findings {
      page.say((finding.isError ? "! " : "") + finding.sentence, finding.isError ? .error : .dim)
    }
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { page(frame).draw(typed, on: &canvas) }
}
