internal import ClubServices
internal import FileStores
internal import TextUI

extension Frame {
  /// The store does not answer or asks for a pause.
  var isAway: Bool {
    switch connection {
    case .offline, .waiting: true
    case .unknown, .online, nil: false
    }
  }

  /// nil while the store answers.
  var awayText: AwayText? {
    let now = keys.name(of: .refresh)
    switch connection {
    case .offline(_, let error):
      return AwayText(
        what: "No connection. Trying again.", reason: error.message, hint: "Press \(now) to try now.")
    case .waiting(let until, let error):
      let seconds = until - self.now
      guard seconds > 0 else {
        return AwayText(what: "The server is busy.", reason: error.message, hint: "Press \(now) to try now.")
      }
      let (stop, typing) = (keys.name(of: .transferCancel), keys.name(of: .interrupt))
      return AwayText(
        what: "Waiting \(seconds) s before the next try.", reason: error.message,
        hint: "Press \(stop), or \(typing) while typing, to stop waiting.")
    case .unknown, .online, nil: return nil
    }
  }

  /// On a narrow screen every notice is wrapped.
  var noticeLine: NoticeLine? {
    guard let notice else { return nil }
    var text = notice.text
    if notice.trouble == .connection, let away = awayText { text = away.all }
    return NoticeLine(text, notice.isError ? .error : notice.isWhole || isNarrow ? .whole : .information)
  }
}

struct AwayText: Sendable {
  let what: String
  let reason: String
  let hint: String

  var all: String { "\(what) \(reason) \(hint)" }

  func draw(on canvas: inout Canvas, y: Int) {
    let below = canvas.paragraph(what, x: 1, y: y, style: canvas[.warning])
    canvas.paragraph("\(reason) \(hint)", x: 1, y: below)
  }
}
