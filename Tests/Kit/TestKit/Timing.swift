internal import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
  /// The test needs a real clock: it measures time, or shows that nothing happens for a while. `scripts/test` runs it after
  /// all others, alone, so that a busy machine cannot make it fail. `scripts/check` counts these tests.
  public static func timing(_ reason: String) -> ConditionTrait {
    .enabled("Runs last, alone: \(reason)") { ProcessInfo.processInfo.environment["TEST_TIMED"] != "later" }
  }
}
