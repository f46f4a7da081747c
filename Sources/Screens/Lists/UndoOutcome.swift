public import FileStores

/// A file that something could not be done to.
public struct FileFailure: Sendable {
  /// The file.
  public let path: StorePath
  /// Why.
  public let error: StoreError

  /// A failure.
  public init(_ path: StorePath, _ error: StoreError) { (self.path, self.error) = (path, error) }
}

/// What came of undoing a step.
public struct UndoOutcome: Sendable {
  /// What was to be undone.
  public let step: UndoStep
  /// The files that are back.
  public let back: [FileEntry]
  /// Those that are not.
  public let failed: [FileFailure]

  /// An outcome.
  public init(_ step: UndoStep, back: [FileEntry], failed: [FileFailure] = []) {
    (self.step, self.back, self.failed) = (step, back, failed)
  }

  /// What can be tried again: what failed for a reason that passes, or was cancelled.
  var rest: UndoStep? {
    let again = failed.filter { $0.error.isTemporary || $0.error.kind == .cancelled }.map(\.path)
    guard !again.isEmpty else { return nil }
    switch step {
    case .restore(let files): return .restore(files.filter { again.contains($0.origin) })
    case .rename: return step
    }
  }
}
