public import FileStores
internal import ClubServices
public import TextUI

/// A new page for photos, to be shown to the giver's phone.
public struct ShownDropPage: Sendable {
  let page: SharedLink
  let code: QRBlocks?
  /// Sentences about phones that do not reach the address, or that warn of it.
  let warnings: [String]

  public init(_ page: SharedLink, code: QRBlocks?, warnings: [String]) {
    (self.page, self.code, self.warnings) = (page, code, warnings)
  }

}

extension ShownDropPage: PhotosView {
  var places: [KeyCommand.Place] { [.clubLine, .moves, .lists] }
  var footer: [CommandID] { [.clubLineCopy, .help, .quit] }

  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    CodePage(frame, canvas.size, code: code) { page in
      page.whole(self.page.url, .link)
    } rest: { page in
      page.gap()
      for sentence in self.page.dropSentences { page.say(sentence) }
      for warning in warnings { page.say(warning, .warning) }
    }.draw(on: &canvas)
  }

  /// Any command but the one that copies closes the page.
  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard command == .clubLineCopy else {
      state.views.removeLast()
      return []
    }
    frame.say("Copied the address.")
    return [.copy(page.url)]
  }
}

extension PhotosScreen {
  /// The line for the giver's name.
  static func runForGiver(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let giver = state.giver?.string, [.pathAccept, .pathCancel, .close, .interrupt].contains(command) else {
      return []
    }
    state.giver = nil
    return command == .pathAccept ? ask(giver, &frame) : []
  }

  static func ask(_ giver: String, _ frame: inout Frame) -> Commands {
    frame.say("Asking for a page where a phone leaves photos.")
    return [.run(.askForPhotos(giver: giver))]
  }

  /// A text that is being typed goes on: the address is then in the notice.
  static func show(_ made: ShownDropPage, _ state: inout PhotosState, _ frame: inout Frame) {
    guard !state.takesText else {
      frame.show("The page for photos is \(made.page.url) \(made.page.terms)")
      return
    }
    state.question = nil
    state.views.append(made)
    frame.say("Show this to the giver's phone.")
  }
}

extension DropTerms {
  /// `photos from Mia, at most 500.0 MiB`.
  public var words: String {
    "photos from \(giver ?? "a phone")" + (mostBytes.map { ", at most \(ByteCount.text($0))" } ?? "")
  }
}

extension SharedLink {
  /// Sentences about a new drop page, for the member who asked for it: what it takes and where, and its end.
  public var dropSentences: [String] {
    guard let drop else { return [terms] }
    let giver = drop.giver.map { "\($0)'s phone" } ?? "Any phone"
    let limit = drop.mostBytes.map { ", \(ByteCount.text($0)) at most," } ?? ""
    return ["\(giver) leaves photos\(limit) in \"\(path)\" at this address.", terms]
  }
}
