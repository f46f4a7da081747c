import Database
import FileStores
import JSON

/// A change of a file, as a hook tells it.
struct HookEvent: Sendable, Equatable {
  enum Action: String, Sendable { case added, changed, renamed, deleted }

  /// Of the file; it survives a rename.
  let id: String
  let path: String
  var action: Action
  /// nil if another program wrote the file, and for what the index knows no member of: renames and deletions.
  var member: String?
  /// Seconds since 1970.
  let time: Int64
  /// The number of the change in the index.
  let number: Int64
  /// The version in the store, of a file that another program wrote.
  var version: ServerHookDatabase.Version?

  /// The events of an index after a change, oldest first, and the number of the last change that was looked at.
  static func events(
    after number: Int64, limit: Int, in reading: ServerIndexReading
  ) throws -> (events: [HookEvent], last: Int64?, isFull: Bool) {
    let changes = try reading.changes(in: .subtree(""), after: number, limit: limit)
    let events = try changes.filter { !$0.isFolder }.map { node in
      HookEvent(
        id: node.id, path: "\(node.path)", action: try action(of: node, after: number, in: reading),
        member: node.isDeleted ? nil : node.author?.shownName, time: node.serverModified, number: node.sequence,
        version: node.isDeleted || node.author != nil
          ? nil : node.storeRevision.map { ServerHookDatabase.Version(path: node.path, revision: $0) })
    }
    return (events, changes.last?.sequence, changes.count >= limit)
  }

  /// - Parameter number: the change after which the events are wanted. A file that had no version by then is new.
  private static func action(
    of node: ServerNode, after number: Int64, in reading: ServerIndexReading
  ) throws -> Action {
    if node.isDeleted { return .deleted }
    let before = try reading.revisions(key: node.key, before: min(node.rev, number + 1), limit: 1).first
    return before?.id == node.id ? .changed : .added
  }

  /// One event for each file and each path: the last one, with the action that all of its events together are.
  static func joined(_ events: [HookEvent]) -> [HookEvent] {
    var all: [HookEvent?] = []
    var (places, paths): ([String: Int], [String: Int]) = ([:], [:])
    for event in events {
      var event = event
      let known = places.removeValue(forKey: event.id)
      if let known, let before = all[known] {
        all[known] = nil
        guard let action = action(event, after: before) else { continue }
        event.action = action
      }
      // Another file was there, such as one that the change feed reported before the rename that made it.
      if let place = paths[event.path], let before = all[place], event.action != .deleted {
        all[place] = nil
        places[before.id] = nil
        if before.action == .deleted, event.action == .added { event.action = .changed }
      }
      if event.action == .renamed || event.action == .deleted { event.member = nil }
      (places[event.id], paths[event.path]) = (all.count, all.count)
      all.append(event)
    }
    return all.compactMap { $0 }
  }

  /// Two events of one file as one; nil if nothing is left of it.
  private static func action(_ event: HookEvent, after before: HookEvent) -> Action? {
    switch (before.action, event.action) {
    case (.added, .deleted): nil
    case (.added, _): .added
    case (.deleted, .added), (.deleted, .changed): before.path == event.path ? .changed : .renamed
    case (_, let action): action
    }
  }

  var json: JSON {
    .members([
      "member": member.map { .string($0) }, "action": .string(action.rawValue), "path": .string(path),
      "time": .string(WireTime.text(time)),
    ])
  }

  /// The document of a batch.
  static func document(_ events: [HookEvent], of club: String) -> JSON {
    let times = events.map(\.time)
    return .members([
      "club": .string(club), "from": times.min().map { .string(WireTime.text($0)) },
      "to": times.max().map { .string(WireTime.text($0)) }, "items": .array(events.map(\.json)),
    ])
  }
}
