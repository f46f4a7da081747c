public import TextUI

extension ClubsScreen {
  public static func draw(_ state: ClubsState, on canvas: inout Canvas) {
    let (frame, size) = (state.frame, canvas.size)
    canvas.theme = frame.theme
    canvas.isASCII = frame.abilities.asciiOnly
    guard size.width >= leastSize.width, size.height >= leastSize.height else {
      canvas.text("terminal too small: \(leastSize.width)x\(leastSize.height) is enough", x: 0, y: 0, width: size.width)
      return
    }
    var x = 1 + canvas.text("Byte Club", x: 1, y: 0, style: canvas[.brand])
    x += canvas.text(" \(canvas.symbol(.dot)) ", x: x, y: 0, style: canvas[.dim])
    canvas.text(state.help == nil ? state.view.title : "Help", x: x, y: 0, width: size.width - x - 1)
    let body = body(of: frame)
    canvas.inside(body) { canvas in
      if let help = state.help { help.draw(on: &canvas) } else { state.view.draw(frame, on: &canvas) }
    }
    let notice = body.y + body.height
    canvas.inside(Rect(0, notice, size.width, size.height - 1 - notice)) { frame.noticeLine?.draw(on: &$0) }
    canvas.inside(Rect(0, size.height - 1, size.width, 1)) { footer(state).draw(on: &$0) }
    state.question?.draw(on: &canvas)
  }

  /// Between the top line and the notice.
  static func body(of frame: Frame) -> Rect {
    let top = frame.isRoomy ? 2 : 1
    let notice = max(1, frame.noticeLine?.height(for: frame.size.width) ?? 1)
    return Rect(0, top, frame.size.width, frame.size.height - top - notice - 1)
  }

  static func bodySize(of frame: Frame) -> Size {
    let body = body(of: frame)
    return Size(body.width, body.height)
  }

  private static func footer(_ state: ClubsState) -> FooterKeys {
    let keys = state.frame.keys
    if state.help != nil {
      return FooterKeys([.init("Enter", "run"), .init("Up/Down PgUp/PgDn", "move"), .init("Esc", "back")])
    }
    var items = keys.footer(state.view.footer + [.help], isTyping: state.view.takesText)
    if state.view.takesText {
      // A field takes the quit key.
      items += keys.footer([.clubFormCancel])
    } else if state.isHome {
      if state.current != nil { items.append(.init(keys.name(of: .close), "back")) }
      items += keys.footer([.quit])
    } else {
      items += keys.footer([.quit], [.quit: "back"])
    }
    return FooterKeys(items)
  }
}
