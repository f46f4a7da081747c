import Backends
import FileStores
import TestKit
import Testing
import Zip

extension DropboxConversations {
  private static let metadata = #"{"metadata":\#(Dropbox.folder("/Club/Photos"))}"#

  /// An archive of text files, and of a folder where a name ends with a slash.
  private static func archive(_ files: [(name: String, text: String)]) -> [UInt8] {
    var (writer, bytes) = (ZipWriter(), [UInt8]())
    for (name, text) in files {
      if name.hasSuffix("/") {
        writer.addFolder(String(name.dropLast()), modified: 1_431_445_838, to: &bytes)
      } else {
        writer.addFile(name, modified: 1_431_445_838, content: Array(text.utf8)[...], to: &bytes)
      }
    }
    writer.finish(to: &bytes)
    return bytes
  }

  private static func answer(_ archive: [UInt8]) -> ScriptedTransport.Answer {
    .response(
      HTTPResponse(200, headers: ["Content-Type": "application/zip", "Dropbox-API-Result": metadata]), archive)
  }

  /// Files whose content is their last name in small letters, as they were listed.
  private static func listed(_ paths: [String]) throws -> [FileEntry] {
    try paths.map { path in
      let text = Array((path.split(separator: "/").last ?? "").lowercased().utf8)
      return FileEntry(
        path: try StorePath(path), kind: .file, size: UInt64(text.count), revision: Revision(Dropbox.revision),
        contentHash: ContentHash(of: text))
    }
  }

  private static func read(_ paths: [String], _ scene: DropboxScene, below folder: String = "photos") async throws
    -> String
  {
    var lines: [String] = []
    let reading = try #require(scene.store.capabilities.folders)
    do {
      try await reading.read(try listed(paths), below: StorePath(folder)) { parts throws(StoreError) in
        for part in parts {
          switch part {
          case .bytes(let file, let bytes): lines.append("\(file.path): \(String(decoding: bytes, as: UTF8.self))")
          case .whole(let file): lines.append("\(file.path) is whole")
          case .dropped(let file): lines.append("\(file.path) is dropped")
          }
        }
      }
    } catch {
      lines.append("\(error)")
    }
    return lines.joined(separator: "\n")
  }

  static let folders: [Conversation] = [
    Conversation(
      "folder-read",
      [
        answer(
          archive([
            ("Photos/", ""), ("Photos/A.txt", "a.txt"), ("Photos/Sub/B.txt", "b.txt"),
            ("Photos/other.txt", "not wanted"),
            ("Photos/changed.txt", "CHANGED.txt"), ("Photos/longer.txt", "longer than it was"),
            ("Photos/short.txt", "s"),
            ("../up.txt", "up.txt"), ("c.txt", "c.txt"),
          ]))
      ]
    ) { scene in
      try await read(
        [
          "photos/a.txt", "photos/sub/b.txt", "photos/changed.txt", "photos/longer.txt", "photos/short.txt",
          "photos/up.txt", "photos/c.txt", "photos/gone.txt",
        ], scene)
    },
    Conversation(
      "folder-read-cut", [answer(Array(archive([("Photos/a.txt", "a.txt"), ("Photos/b", "b")]).prefix(60)))]
    ) {
      scene in try await read(["photos/a.txt", "photos/b"], scene)
    },
    Conversation("folder-read-no-archive", [answer(Array("<html>Sign in to this network</html>".utf8))]) { scene in
      try await read(["photos/a.txt"], scene)
    },
    Conversation("folder-read-too-many", [Dropbox.refusal("too_many_files", #"{".tag":"too_many_files"}"#)]) { scene in
      try await read(["photos/a.txt"], scene)
    },
    Conversation("folder-read-too-large", [Dropbox.refusal("too_large", #"{".tag":"too_large"}"#)]) { scene in
      try await read(["photos/a.txt"], scene)
    },
    Conversation("folder-read-missing", [Dropbox.notFound]) { scene in
      try await read(["photos/a.txt"], scene)
    },
  ]
}
