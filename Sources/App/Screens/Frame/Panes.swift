internal import TextUI

public enum PreviewMode: String, Sendable, CaseIterable {
  /// On a wide terminal.
  case auto
  /// On any terminal with room for two panes.
  case on
  case off
}

extension Frame {
  /// Columns, if the member asks for two panes.
  static let leastForTwo = 80
  /// Two panes are the default from here on.
  private static let wide = 100
  private static let leastOfPane = 28

  /// Beside a preview; nil if the list has the whole body.
  public var listWidth: Int? {
    let least = preview == .on ? Frame.leastForTwo : Frame.wide
    guard preview != .off, size.width >= least else { return nil }
    let usual = max(36, min(60, size.width * 2 / 5))
    return max(Frame.leastOfPane, min(usual + ruleShift, size.width - Frame.leastOfPane - 1))
  }

  /// The grid beside a preview, which has two fifths.
  var gridWidth: Int {
    max(Frame.leastOfPane, min(size.width * 3 / 5 + ruleShift, size.width - Frame.leastOfPane - 1))
  }

  var listColumns: Int { listWidth ?? size.width }

  /// Below the title.
  var previewRows: Int { max(1, bodyHeight - 2) }

  /// Lists then have a head and a line with their state.
  var isRoomy: Bool { bodyHeight >= 12 }

  /// Both panes keep a useful width.
  mutating func moveRule(by columns: Int) {
    guard let before = listWidth else { return }
    ruleShift += columns
    // At a border the shift stays, so that one key back moves the rule.
    if listWidth == before { ruleShift -= columns }
  }
}
