import FileStores
import Glibc

/// The other member of a demo's club: writes into the guestbook now and then, and into the note that the member edits.
struct DemoBot: Sendable {
  /// The club, as this member has it.
  let store: any FileStore
  let place: DemoPlace

  private static let mostBytes = 1 << 20

  /// Runs until it is cancelled.
  func run() async {
    var greetings = DemoNotes.greetings[...]
    var due = ContinuousClock.now + .seconds(3)
    var seen: Set<String> = []
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(300))
      for sign in signs() where !seen.contains(sign) {
        seen.insert(sign)
        if await isAboutConflict(sign) {
          await add("Robin: I was quicker.", to: DemoNotes.conflict)
        }
      }
      if ContinuousClock.now >= due, let greeting = greetings.popFirst() {
        await add("- Robin: \(greeting)", to: DemoNotes.guestbook)
        due = ContinuousClock.now + .seconds(20)
      }
    }
  }

  /// What tells that the member edits something: texts that drafts start from (named by their hash), and copies that
  /// another editor has open (`ID/NAME`).
  private func signs() -> [String] {
    DemoBot.names(in: place.data + "/bases")
      + DemoBot.names(in: place.data + "/edits").flatMap { id in
        DemoBot.names(in: place.data + "/edits/" + id).map { id + "/" + $0 }
      }
  }

  private func isAboutConflict(_ sign: String) async -> Bool {
    if sign.contains("/") { return sign.hasSuffix("/" + DemoNotes.conflict) }
    guard let path = try? StorePath(DemoNotes.conflict),
      let text = try? await store.readAll(path, limit: DemoBot.mostBytes).bytes
    else {
      return false
    }
    return SHA256.hexadecimal(of: text) == sign
  }

  /// Adds a line to a note; again when someone else was quicker, and not at all when it has gone.
  private func add(_ line: String, to name: String) async {
    guard let path = try? StorePath(name) else { return }
    for _ in 0..<5 where !Task.isCancelled {
      do throws(StoreError) {
        let (bytes, entry) = try await store.readAll(path, limit: DemoBot.mostBytes)
        guard let revision = entry.revision else { return }
        let text = bytes + (bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]) + Array((line + "\n").utf8)
        _ = try await store.put(DataSource(text), at: path, mode: .replace(revision))
        return
      } catch {
        guard error.kind == .conflict else { return }
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
