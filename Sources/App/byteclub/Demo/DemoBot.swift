import Basics
import FileStores
import POSIX
import Imaging

/// The other member of a demo's club. It writes into the guestbook, and into the note that the member edits.
struct DemoBot: Sendable {
  let store: any FileStore
  let place: DemoPlace

  private static let mostBytes = 1 << 20

  func run() async {
    var greetings = DemoNotes.greetings[...]
    var due = ContinuousClock.now + .seconds(3)
    var seen: Set<String> = []
    while !Task.isCancelled {
      try? await TimerClock().sleep(for: .milliseconds(300))
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

  /// Base texts of drafts (named by their hash), and copies open in another editor (`ID/NAME`).
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

  /// Retries after another member's change; does nothing if the note has gone.
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
    ((try? Folders.names(in: folder)) ?? []).filter { !$0.hasPrefix(".") }
  }
}

/// Letters on the horizon of a 360° panorama whose middle is north.
enum DemoCompass {
  /// Five columns and seven rows, the left column in the highest bit.
  private static let letters: [(letter: [UInt8], heading: Double)] = [
    ([0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001], 0),
    ([0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111], 90),
    ([0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110], 180),
    ([0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001], 270),
  ]

  static func draw(on pixels: inout Pixels, horizon: Double) {
    let dot = max(2, pixels.height / 110)
    let top = Int(Double(pixels.height) * horizon) - 4 * dot
    for (letter, heading) in letters {
      let middle = Int(Double(pixels.width) * (0.5 + heading / 360))
      for (row, bits) in letter.enumerated() {
        for column in 0..<5 where bits >> UInt8(4 - column) & 1 == 1 {
          // South is at the picture's seam, half of it on each side.
          let x = (middle + (column - 2) * dot - dot / 2 + pixels.width) % pixels.width
          let square = Pixels(width: dot, height: dot, colour: 0xFFFFFF)
          pixels.paste(square, x: x, y: top + row * dot)
          if x + dot > pixels.width { pixels.paste(square, x: x - pixels.width, y: top + row * dot) }
        }
      }
    }
  }
}
