/// A moment inside a write, for tests: what another program does just then, or an error that the disk gives.
package enum FolderStep: String, Sendable, CaseIterable {
  case makeTemporary, write, syncFile, look, rename, lookAtDisplaced, swapBack, removeDisplaced, syncFolder
}

/// How a `FolderStore` works; the defaults are right outside of tests.
package struct FolderTuning: Sendable {
  /// Bytes asked of the kernel at once when listing. 64 KiB hold about 1,300 names: larger ones are slower (fresh pages of memory).
  package var listBufferBytes = 64 * 1024
  /// A page is complete at this many names (and full entries), or somewhat more.
  package var pageNames = 4096
  package var pageEntries = 1024
  /// Bytes read or handed on at once.
  package var chunkBytes = 512 * 1024
  /// Up to here a whole read computes the content hash on the way.
  package var hashedReadBytes: UInt64 = 64 * 1024 * 1024
  /// How long the watcher waits for quiet, and how long at most, before it tells: an editor's save is a handful of
  /// events within a few milliseconds.
  package var quiet: Duration = .milliseconds(10)
  package var atMost: Duration = .milliseconds(100)
  /// How often a network disk is looked at.
  package var pollInterval: Duration = .seconds(2)
  /// True: look again and again, as on network disks. Nil: as the file system demands.
  package var polls: Bool?
  /// Paths that the change log remembers.
  package var changeCapacity = 16_384
  /// Behaves as on a file system without renameat2's flags.
  package var lacksExchange = false
  /// How many versions are kept of what is replaced or deleted.
  package var versions = FolderVersionLimits()
  /// Called before each step of a write; what it returns, unless 0, is the step's errno.
  package var probe: (@Sendable (FolderStep) -> Int32)?

  package init() {}
}
