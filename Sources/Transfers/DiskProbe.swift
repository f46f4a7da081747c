/// A step on this machine's disk, for tests that cut it off there.
package enum DiskStep: String, Sendable, CaseIterable {
  case makePart, write, flush, truncate, seal, link, unlink, syncFolder
}

/// Is told of each step, before (`isDone` false) and after it; what it returns, unless 0, is the step's errno.
package typealias DiskProbe = @Sendable (_ step: DiskStep, _ isDone: Bool) -> Int32
