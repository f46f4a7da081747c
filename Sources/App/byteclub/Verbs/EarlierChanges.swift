import ClubServices
import FileStores

extension Session {
  /// Sends what earlier commands and apps had to keep, if the store has answered this command.
  ///
  /// Conflicts wait for the member. A failure here does not fail the command: what was not sent still waits, and is
  /// counted by `sync status`.
  func sendEarlierChanges(before start: Timestamp) async {
    if let connection = open.connection, connection.state != .online { return }
    guard !Task.isCancelled else { return }
    do throws(StoreError) {
      guard try await open.notes.hasToSend(before: start) else { return }
      var sent: [StorePath] = []
      for refusal in await open.notes.sendNames({ sent.append($0.shown) }) { output.alert("\(refusal)") }
      var failures: [StoreError] = []
      try await open.notes.sendAll(conflicts: false, onlyDue: true, before: start) { path, outcome in
        switch outcome {
        case .saved(let entry): sent.append(entry.path)
        case .merged(let merged): sent.append(merged.entry.path)
        case .kept(_, let error): failures.append(kept(path, error))
        case .conflict(let conflict): failures.append(conflict.notSent)
        case .deleted(let path): failures.append(.deletedMeanwhile(path))
        }
      } skipped: {
        failures.append($0)
      }
      if !sent.isEmpty {
        let some = sent.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
        notice("Sent from earlier: \(some)\(sent.count > 3 ? " and \(sent.count - 3) more" : "").")
      }
      for failure in failures { output.alert("\(failure)") }
    } catch {
      output.alert("What waits to be sent was not looked at. \(error)")
    }
  }
}

extension Session {
  /// Says that texts, changes or transfers of another account wait here, which this one neither sees nor sends.
  func sayWhatIsHeldBack() async {
    do throws(StoreError) {
      for sentence in try await open.heldBack(setup) { output.alert(sentence) }
    } catch {
      output.alert("\(error)")
    }
  }
}

extension SaveConflict {
  /// The error for a text that waited and has met a newer one.
  var notSent: StoreError {
    StoreError(
      .conflict, "\(theirWriter.subject) changed \"\(path)\" in the meantime. Your text is kept.",
      remedy: "Open byteclub to choose, or keep both: byteclub draft send \(path.shellWord) --both", path: path)
  }
}

extension StoreError {
  static func deletedMeanwhile(_ path: StorePath) -> StoreError {
    StoreError(.conflict, "Someone else deleted \"\(path)\" in the meantime.", path: path)
  }
}
