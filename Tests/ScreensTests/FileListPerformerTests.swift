import FileStores
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens

/// What a list asks to be done, over a service that has three files and cannot move the one called "stuck".
@Suite struct FileListPerformerTests {
  private struct Shelf: ListedFiles, DesktopOpener {
    var ending = StoreError(.unsupported, "It cannot tell.")

    func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
      await receive(ChangeSet(changes: [.absent(Samples.path("a"))], cursor: ChangeCursor("1")))
      throw ending
    }
    func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
      try check(path)
      return Samples.entry(name)
    }
    func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile {
      try check(path)
      return Samples.trashed("\(path)")
    }
    func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry { Samples.entry(id) }
    func open(_ path: StorePath) async throws(StoreError) -> String { "Opened \"\(path)\"." }

    func open(file: String) async throws(StoreError) -> String { "Opened \"\(file)\"." }

    private func check(_ path: StorePath) throws(StoreError) {
      if path == Samples.path("stuck") { throw StoreError(.notPermitted, "\"stuck\" is not yours.") }
      if path == Samples.path("slow") { throw .cancelled("It") }
    }
  }

  private func told(_ effect: FileListEffect, listing error: StoreError? = nil) async -> [FileListAction] {
    let told = Mutex<[FileListAction]>([])
    let sender = Sender<FileListAction> { action, _ in told.withLock { $0.append(action) } }
    let performer = FileListPerformer(service: Shelf(), desktop: Shelf()) { (sender) async throws(StoreError) in
      if let error { throw error }
      sender.send(.listed(Samples.table(["a", "b"])))
    }
    await performer.perform(effect, sender)
    return told.withLock { $0 }
  }

  @Test func `one file that cannot go does not keep the others from the trash`() async {
    let told = await told(.trash(["a", "stuck", "b"].map { Samples.path($0) }))
    guard case .trashed(let files) = told.first, case .failed(let sentence) = told.last, told.count == 2 else {
      Issue.record("\(told)")
      return
    }
    #expect(files.map { "\($0.origin)" } == ["a", "b"])
    #expect(sentence == "\"stuck\" is not yours.")
  }

  @Test func `a rename tells both names, and undoing it tells that it is undone`() async {
    if case .renamed(let old, let entry)? = await told(.rename(Samples.path("a"), to: "z")).first {
      #expect("\(old)" == "a" && "\(entry.path)" == "z")
    } else {
      Issue.record("no rename")
    }
    for step in [UndoStep.rename(Samples.path("z"), to: "a"), .restore(Samples.trashed("a", id: "a"))] {
      if case .undone(let entry)? = await told(.undo(step)).first {
        #expect("\(entry.path)" == "a")
      } else {
        Issue.record("not undone: \(step)")
      }
    }
  }

  @Test func `a failure is told as a sentence, and what was cancelled is not told`() async {
    if case .failed(let sentence)? = await told(.rename(Samples.path("stuck"), to: "z")).first {
      #expect(sentence == "\"stuck\" is not yours.")
    } else {
      Issue.record("no failure")
    }
    #expect(await told(.rename(Samples.path("slow"), to: "z")).isEmpty)
    #expect(await told(.list, listing: .cancelled("It")).isEmpty)
    if case .listFailed(let error)? = await told(.list, listing: StoreError(.offline, "No.")).first {
      #expect(error.kind == .offline)
    } else {
      Issue.record("no failure")
    }
  }

  @Test func `changes are told until the watching ends, and then why`() async {
    let told = await told(.watch)
    guard case .changed(let set) = told.first, case .watchEnded(let error) = told.last, told.count == 2 else {
      Issue.record("\(told)")
      return
    }
    #expect(set.changes.count == 1 && error.kind == .unsupported)
  }

  @Test func `a store that cannot be reached interrupts the watching, is told once and tried again`() async {
    final class Line: Sendable { let tries = Mutex(0) }
    struct Far: ListedFiles {
      let line = Line()
      func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
        let attempt = line.tries.withLock { tries in
          tries += 1
          return tries
        }
        guard attempt > 2 else { throw StoreError(.offline, "Far away.", remedy: "Wait.") }
        await receive(ChangeSet(changes: [.absent(Samples.path("a"))], cursor: ChangeCursor("1")))
        throw StoreError(attempt == 3 ? .offline : .notSignedIn, "Gone.")
      }
      func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry { Samples.entry(name) }
      func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile { Samples.trashed("\(path)") }
      func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry { Samples.entry(id) }
    }
    let told = Mutex<[String]>([])
    let sender = Sender<FileListAction> { action, _ in
      let word =
        switch action {
        case .changed: "changed"
        case .watchInterrupted(let error): "interrupted: \(error.message)"
        case .watchEnded(let error): "ended: \(error.kind)"
        default: "\(action)"
        }
      told.withLock { $0.append(word) }
    }
    let clock = ManualClock(advancesOnSleep: true)
    let performer = FileListPerformer(service: Far(), desktop: Shelf(), list: { _ in }, clock: clock)
    await performer.perform(.watch, sender)
    #expect(
      told.withLock { $0 } == [
        "interrupted: Far away.", "changed", "interrupted: Gone.", "changed", "ended: notSignedIn",
      ])
    #expect(clock.slept == Array(repeating: FileListPerformer.watchPause, count: 3))
  }
}
