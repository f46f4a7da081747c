import Backends
import Basics
import Database
import FileStores
import Foundation
import JSON
import Logging
import POSIX
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Backups of a served club, and clubs made of them.
@Suite(.serialized) struct BackupTests {
  private static let pool = BlockingPool(threads: 4)

  private func store(_ root: String) throws -> FolderStore {
    try FolderStore(root: root, pool: Self.pool, isFollowed: false, keepsVersions: false, hidesTrash: false)
  }

  @discardableResult
  private func backUp(
    _ server: TestServer, to path: String, isVerified: Bool = false, over store: (any FileStore)? = nil
  ) async throws -> ClubBackup.Report {
    let own = PrivateDirectory(at: server.data)
    let backup = ClubBackup(club: "club", store: try store ?? self.store(server.root), own: own, pool: Self.pool)
    return try await backup.run(into: path, isVerified: isVerified)
  }

  @discardableResult
  private func restore(_ path: String, to folder: String, of club: String? = nil) async throws -> ClubRestoration.Report
  {
    try FolderStore.create(root: folder + "/root")
    let restoration = ClubRestoration(
      root: folder + "/root", store: try store(folder + "/root"), own: try PrivateDirectory(making: folder + "/data"),
      pool: Self.pool, club: club)
    return try await restoration.run(from: path)
  }

  /// All files of a club, by their paths.
  private func files(_ root: String) -> [String: String] {
    var files: [String: String] = [:]
    for name in everything(below: root) {
      var isFolder = ObjCBool(false)
      _ = FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isFolder)
      files[name] = isFolder.boolValue ? "/" : contents(root + "/" + name)
    }
    return files
  }

  @Test("A club is restored elsewhere with its files, folders, times, members, versions and ids")
  func whole() async throws {
    try await withTemporaryFolder { folder in
      var (ann, before, rev): (TestServer?, [String: JSON], JSON) = (nil, [:], .null)
      try await withServer(in: folder + "/one") { server in
        rev = try await server.upload("/note.md", "first")["rev"] ?? .null
        try await server.upload("/note.md", "second", ["mode": "overwrite"])
        try await server.upload("/photos/Größe 100%.txt", "ü", ["client_modified": "2015-05-12T15:50:38Z"])
        try await server.upload("/empty.txt", "")
        try await server.upload("/large.bin", String(repeating: "0123456789abcdef", count: 200_000))
        _ = try await server.call("files/create_folder_v2", ["path": "/nothing/in here"])
        for path in ["/note.md", "/photos/Größe 100%.txt"] {
          before[path] = try await server.call("files/get_metadata", ["path": .string(path)]).json
        }
        let report = try await backUp(server, to: folder + "/backup")
        #expect(report.files == 4 && report.members == 1 && report.removed == [] && report.others == 0)
        // Each content of up to 1 MiB is kept as a version, too, and is in the backup once.
        #expect(report.newContents == 5)
        ann = server
      }
      let report = try await restore(folder + "/backup", to: folder + "/two")
      #expect(report.files == 4 && report.members == 1)
      #expect(files(folder + "/two/root") == files(folder + "/one/root"))
      let times = try FileManager.default.attributesOfItem(atPath: folder + "/two/root/note.md")
      let old = try FileManager.default.attributesOfItem(atPath: folder + "/one/root/note.md")
      let difference = try #require(times[.modificationDate] as? Date).timeIntervalSince(
        try #require(old[.modificationDate] as? Date))
      #expect(abs(difference) < 2)
      try await withServer(in: folder + "/two") { server in
        var same = server
        same.token = try #require(ann).token
        for (path, metadata) in before {
          #expect(try await same.call("files/get_metadata", ["path": .string(path)]).json == metadata, "\(path)")
        }
        let restored = try await same.call("files/restore", .members(["path": "/note.md", "rev": rev]))
        #expect(restored.status == 200, "\(restored.text)")
        #expect(contents(server.root + "/note.md") == "first")
      }
    }
  }

  /// Eight members write without pause while a backup is made.
  @Test(
    "Every write that was acknowledged before the backup began is there whole, and the restored index is consistent")
  func underLoad() async throws {
    try await withTemporaryFolder { folder in
      let load = Load()
      var snapshot: [String: [String]] = [:]
      try await withServer(in: folder + "/one") { server in
        for number in 0..<40 { try await server.upload("/base/\(number).txt", "base \(number)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for writer in 0..<8 {
            group.addTask {
              var round = 0
              while !load.isOver.withLock({ $0 }) {
                round += 1
                // New files, overwritten ones, and files that are moved away.
                let path = "/w\(writer)/\(round % 7).txt"
                let text = "writer \(writer) round \(round) " + String(repeating: "x", count: round * 131 % 9000)
                try await server.upload(path, text, ["mode": "overwrite"])
                load.acknowledged.withLock { $0[path, default: []].append(text) }
                if round.isMultiple(of: 5) {
                  let target = "/w\(writer)/moved-\(round).txt"
                  let moved = try await server.call(
                    "files/move_v2", ["from_path": .string(path), "to_path": .string(target)])
                  if moved.status == 200 { load.acknowledged.withLock { $0[target] = $0.removeValue(forKey: path) } }
                }
                if round == 10, writer == 0 { load.began.open() }
              }
            }
          }
          await load.began.wait()
          snapshot = load.acknowledged.withLock { $0 }
          do {
            try await backUp(server, to: folder + "/backup")
            try await backUp(server, to: folder + "/backup")
          } catch {
            load.isOver.withLock { $0 = true }
            throw error
          }
          load.isOver.withLock { $0 = true }
          try await group.waitForAll()
        }
      }
      try await restore(folder + "/backup", to: folder + "/two")
      let restored = Set(files(folder + "/two/root").values)
      let everWritten = Set(load.acknowledged.withLock { $0.values.flatMap { $0 } })
      // The newest text of each file at the beginning is in a file or in a version: a later text may have replaced it.
      let versions = Set(
        everything(below: folder + "/two/data/versions").compactMap {
          contents(folder + "/two/data/versions/" + $0)
        })
      for texts in snapshot.values {
        let last = try #require(texts.last)
        #expect(restored.contains(last) || versions.contains(last), "\(last.prefix(30))")
      }
      // And no file is a mixture.
      let bases = Set((0..<40).map { "base \($0)" })
      #expect(bases.isSubset(of: restored))
      for text in restored where text.hasPrefix("writer") { #expect(everWritten.contains(text), "\(text.prefix(40))") }
      try await withServer(in: folder + "/two") { server in
        // The index and the folder are the same club.
        let names = Set(everything(below: server.root).filter { files(server.root)[$0] != "/" }.map { "/" + $0 })
        let listed = try await server.call("files/list_folder", ["path": "", "recursive": true]).json["entries"]
          .elements
          .filter { $0[".tag"] == "file" }
        #expect(Set(listed.compactMap { $0["path_display"]?.string }) == names)
        for file in listed {
          let path = try #require(file["path_display"]?.string)
          let bytes = try #require(FileManager.default.contents(atPath: server.root + path))
          #expect(file["content_hash"]?.string == ContentHash(of: Array(bytes)).hex, "\(path)")
        }
      }
    }
  }

  @Test("Clients go on with cursors from before the backup, and list anew with later ones; no number comes twice")
  func cursors() async throws {
    try await withTemporaryFolder { folder in
      var token = ""
      var (early, late): (JSON, JSON) = (.null, .null)
      var revs: Set<String> = []
      try await withServer(in: folder + "/one") { server in
        token = server.token
        try await server.upload("/a.txt", "a")
        early = try await server.call("files/list_folder", ["path": ""]).json["cursor"] ?? .null
        try await server.upload("/b.txt", "b")
        try await backUp(server, to: folder + "/backup")
        revs.insert(try await server.upload("/lost.txt", "lost")["rev"]?.string ?? "?")
        late = try await server.call("files/list_folder", ["path": ""]).json["cursor"] ?? .null
      }
      try await restore(folder + "/backup", to: folder + "/two")
      try await withServer(in: folder + "/two") { server in
        var same = server
        same.token = token
        let news = try await same.call("files/list_folder/continue", ["cursor": early]).json["entries"].elements
        #expect(news.compactMap { $0["path_display"]?.string } == ["/b.txt"])
        let reset = try await same.call("files/list_folder/continue", ["cursor": late])
        #expect(reset.status == 409 && reset.json.at("error", ".tag") == "reset")
        let waiting = try await same.call("files/list_folder/longpoll", ["cursor": late])
        #expect(waiting.json.at("error", ".tag") == "reset")
        let delta = try await same.v1("POST", "delta", [("cursor", late.string ?? "")]).json
        #expect(delta["reset"] == true)
        let fresh = try await same.call("files/list_folder", ["path": ""]).json["cursor"] ?? .null
        let again = try await same.call("files/list_folder/continue", ["cursor": fresh])
        #expect(again.status == 200 && again.json["entries"].elements.isEmpty)
        let new = try await same.upload("/new.txt", "new")["rev"]?.string ?? ""
        #expect(!revs.contains(new))
        let after = try await same.call("files/list_folder/continue", ["cursor": fresh]).json["entries"].elements
        #expect(after.compactMap { $0["path_display"]?.string } == ["/new.txt"])
      }
    }
  }

  @Test("A second backup into the same directory copies what is new, and drops what no longer belongs to it")
  func incremental() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        for number in 0..<20 { try await server.upload("/\(number).txt", "text \(number)") }
        #expect(try await backUp(server, to: folder + "/backup").newContents == 20)
        #expect(try await backUp(server, to: folder + "/backup").newContents == 0)
        try await server.upload("/new.txt", "new")
        let third = try await backUp(server, to: folder + "/backup")
        #expect(third.newContents == 1 && third.files == 21)
        let names = try PrivateDirectory(at: folder + "/backup").names()
        #expect(
          Set(names) == [
            "byteclub-backup", "contents", "incoming", "manifest.json", "members-3.sqlite",
            "index-3.sqlite", "files-3",
          ])
        // Damage of an old content is found when it is asked for, and mended.
        let hash = ContentHash(of: Array("text 7".utf8)).hex
        let content = folder + "/backup/contents/\(hash.prefix(2))/\(hash)"
        try FileManager.default.removeItem(atPath: content)
        try write("damage", to: content)
        #expect(try await backUp(server, to: folder + "/backup").newContents == 0)
        let damaged = ["7.txt", "an old version, \(hash)"]
        let check = try await ClubBackup.check(folder + "/backup", pool: Self.pool)
        #expect(check.files == 21 && check.versions == 21 && Set(check.damaged) == Set(damaged), "\(check)")
        // The damaged content costs its own file alone.
        let report = try await restore(folder + "/backup", to: folder + "/damaged")
        #expect(report.files == 20 && Set(report.damaged) == Set(damaged), "\(report)")
        var left = files(server.root)
        left["7.txt"] = nil
        #expect(files(folder + "/damaged/root") == left)
        #expect(try await backUp(server, to: folder + "/backup", isVerified: true).newContents == 1)
        #expect(contents(content) == "text 7")
        #expect(try await ClubBackup.check(folder + "/backup", pool: Self.pool).damaged.isEmpty)
      }
      try await restore(folder + "/backup", to: folder + "/two")
      #expect(files(folder + "/two/root") == files(folder + "/one/root"))
    }
  }

  @Test("A damaged content that is no version is mended, too")
  func mended() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        let text = String(repeating: "0123456789abcdef", count: 100_000)
        try await server.upload("/large.bin", text)
        try await backUp(server, to: folder + "/backup")
        let hash = ContentHash(of: Array(text.utf8)).hex
        let content = folder + "/backup/contents/\(hash.prefix(2))/\(hash)"
        try write(String(repeating: "?", count: text.utf8.count), to: content)
        #expect(try await backUp(server, to: folder + "/backup", isVerified: true).newContents == 1)
        #expect(contents(content) == text)
      }
      try await restore(folder + "/backup", to: folder + "/two")
      #expect(files(folder + "/two/root") == files(folder + "/one/root"))
    }
  }

  @Test("A file in whose place a folder comes while the backup runs is in it under another name")
  func replaced() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        try await server.upload("/x", "a file")
        try await server.upload("/z", "another")
        try await backUp(server, to: folder + "/backup")
        let report = try await backUp(
          server, to: folder + "/backup", over: TurningStore(base: try store(server.root), root: server.root))
        #expect(report.removed == [] && report.files == 3, "\(report)")
        #expect(report.renamed.map(\.from) == ["/x"] && report.renamed.map(\.to) == ["/x (1)"])
      }
      try await restore(folder + "/backup", to: folder + "/two")
      #expect(files(folder + "/two/root") == ["x": "/", "x (1)": "a file", "x/y": "below", "z": "another"])
    }
  }

  @Test("A row of the index with another size than the restored file keeps its old revision, so the server looks again")
  func size() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    let path = try StorePath("a")
    let hash = ContentHash(of: [1, 2, 3])
    for size in [2, 3] as [UInt64] {
      let node = ServerNode(
        key: "/a", id: "id:a", display: "/a", path: path, isFolder: false, size: size, storeRevision: Revision("old"))
      try index.write {
        try $0.save(node)
        try $0.noteRestored(path, Revision("new"), hash, size: 3)
      }
      #expect(try index.node(key: "/a")?.storeRevision == Revision(size == 3 ? "new" : "old"))
    }
  }

  @Test("A backup that was killed is not taken for whole; after an earlier one, that one stays")
  func killed() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        try await server.upload("/a.txt", "a")
        let stopping = InterruptedStore(try store(server.root))
        stopping.readFailure.withLock { $0 = StoreError(.server, "The machine stops here.") }
        await #expect(throws: StoreError.self) { try await backUp(server, to: folder + "/backup", over: stopping) }
        await #expect { try await restore(folder + "/backup", to: folder + "/two") } throws: { error in
          (error as? StoreError)?.message.contains("has no whole backup") == true
        }
        #expect(everything(below: folder + "/two/root") == [])
        try await backUp(server, to: folder + "/backup")
        try await server.upload("/b.txt", "b")
        await #expect(throws: StoreError.self) { try await backUp(server, to: folder + "/backup", over: stopping) }
      }
      try await restore(folder + "/backup", to: folder + "/three")
      #expect(files(folder + "/three/root") == ["a.txt": "a"])
    }
  }

  @Test("A file that moves or goes for good while the backup runs is in it by its content, or named")
  func moving() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one", tune: { $0.versions.fileBytes = 0 }) { server in
        // Larger than what is kept as a version.
        let large = String(repeating: "y", count: 2 << 20)
        for path in ["/a.bin", "/b.bin", "/c.bin"] { try await server.upload(path, large + path) }
        let changing = InterruptedStore(try store(server.root))
        changing.interrupt("a.bin") {
          _ = try? await server.call("files/move_v2", ["from_path": "/b.bin", "to_path": "/0.bin"])
          _ = try? await server.call("files/delete_v2", ["path": "/c.bin"])
        }
        let report = try await backUp(server, to: folder + "/backup", over: changing)
        #expect(report.removed == ["/c.bin"])
        try await restore(folder + "/backup", to: folder + "/two")
        let restored = files(folder + "/two/root")
        #expect(restored["a.bin"] == large + "/a.bin" && restored["b.bin"] == large + "/b.bin")
        #expect(restored["c.bin"] == nil)
        #expect(restored["0.bin"] == nil, "It is there once, under the path that it had.")
      }
    }
  }

  @Test("A file that moves while a new one takes its name, or a folder, is in the backup, too")
  func replacedByAnother() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one", tune: { $0.versions.fileBytes = 0 }) { server in
        let large = String(repeating: "y", count: 2 << 20)
        for path in ["/a.bin", "/b.bin", "/c.bin"] { try await server.upload(path, large + path) }
        let changing = InterruptedStore(try store(server.root))
        changing.interrupt("a.bin") {
          _ = try? await server.call("files/move_v2", ["from_path": "/b.bin", "to_path": "/0.bin"])
          _ = try? await server.upload("/b.bin", large + "another")
          _ = try? await server.call("files/move_v2", ["from_path": "/c.bin", "to_path": "/1.bin"])
          _ = try? await server.upload("/c.bin/below.txt", "below")
        }
        let report = try await backUp(server, to: folder + "/backup", over: changing)
        try await restore(folder + "/backup", to: folder + "/two")
        let restored = files(folder + "/two/root")
        #expect(Set(restored.values).isSuperset(of: [large + "/a.bin", large + "/b.bin", large + "/c.bin", "below"]))
        #expect(restored["1.bin"] == large + "/c.bin" && restored["c (1).bin"] == nil)
        #expect(report.renamed.isEmpty && report.removed == [])
      }
    }
  }

  @Test("A file that moves over another while a folder takes its name is in the backup with the other")
  func replacedAndMoved() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one", tune: { $0.versions.fileBytes = 0 }) { server in
        let large = String(repeating: "y", count: 2 << 20)
        for path in ["/a.bin", "/b.bin", "/c.bin"] { try await server.upload(path, large + path) }
        let changing = InterruptedStore(try store(server.root))
        // b.bin goes to the place of c.bin after its content is saved.
        changing.interrupt("c.bin") {
          _ = try? await server.call("files/move_v2", ["from_path": "/c.bin", "to_path": "/d.bin"])
          _ = try? await server.call("files/move_v2", ["from_path": "/b.bin", "to_path": "/c.bin"])
          _ = try? await server.upload("/b.bin/below.txt", "below")
        }
        let report = try await backUp(server, to: folder + "/backup", over: changing)
        #expect(report.removed == [] && report.renamed.map(\.to) == ["/b (1).bin"], "\(report)")
        try await restore(folder + "/backup", to: folder + "/two")
        let restored = files(folder + "/two/root")
        #expect(restored["b (1).bin"] == large + "/b.bin" && restored["b.bin/below.txt"] == "below")
        #expect(restored.values.filter { $0 == large + "/c.bin" }.count == 1)
      }
    }
  }

  @Test("Files that change places while the backup runs are all in it")
  func swapped() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one", tune: { $0.versions.fileBytes = 0 }) { server in
        let large = String(repeating: "y", count: 2 << 20)
        for path in ["/a.bin", "/b.bin", "/c.bin"] { try await server.upload(path, large + path) }
        let changing = InterruptedStore(try store(server.root))
        changing.interrupt("b.bin") {
          for (from, to) in [("/a.bin", "/t.bin"), ("/c.bin", "/a.bin"), ("/t.bin", "/c.bin")] {
            _ = try? await server.call("files/move_v2", ["from_path": .string(from), "to_path": .string(to)])
          }
        }
        try await backUp(server, to: folder + "/backup", over: changing)
        try await restore(folder + "/backup", to: folder + "/two")
        #expect(Set(files(folder + "/two/root").values) == Set(["/a.bin", "/b.bin", "/c.bin"].map { large + $0 }))
      }
    }
  }

  @Test("Neither a backup nor a restoration touches a directory with other things in it")
  func foreign() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        try await server.upload("/a.txt", "a")
        try write("mine", to: folder + "/full/file")
        await #expect { try await backUp(server, to: folder + "/full") } throws: {
          ($0 as? StoreError)?.kind == .exists
        }
        #expect(everything(below: folder + "/full") == ["file"])
        try await backUp(server, to: folder + "/backup")
        // Into the club itself, which is not empty and was served.
        await #expect { try await restore(folder + "/backup", to: folder + "/one") } throws: { error in
          (error as? StoreError)?.kind == .exists
        }
        try write("mine", to: folder + "/used/root/file")
        await #expect { try await restore(folder + "/backup", to: folder + "/used") } throws: { error in
          (error as? StoreError)?.message.contains("is not empty") == true
        }
        await #expect { try await restore(folder + "/full", to: folder + "/two") } throws: { error in
          (error as? StoreError)?.kind == .notFound
        }
        #expect(contents(folder + "/used/root/file") == "mine" && contents(folder + "/one/root/a.txt") == "a")
      }
    }
  }

  @Test("The backup of another club is refused with both names, and nothing is written")
  func otherClub() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        try await server.upload("/a.txt", "a")
        try await backUp(server, to: folder + "/backup")
      }
      let error = await #expect(throws: StoreError.self) {
        try await restore(folder + "/backup", to: folder + "/two", of: "garage")
      }
      #expect(error?.kind == .badInput && error?.remedy.contains("--other-club") == true)
      #expect(
        error?.message.hasSuffix("is of the club \"club\", not of \"garage\".") == true, "\(error?.message ?? "")")
      #expect(everything(below: folder + "/two/root").isEmpty && everything(below: folder + "/two/data").isEmpty)
      #expect(try await restore(folder + "/backup", to: folder + "/two", of: "club").files == 1)
    }
  }

  @Test("A restoration that was killed is not served, and goes on when it is repeated")
  func interrupted() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        for number in 0..<5 { try await server.upload("/\(number).txt", "text \(number)") }
        try await backUp(server, to: folder + "/backup")
      }
      let own = try PrivateDirectory(making: folder + "/two/data")
      try FolderStore.create(root: folder + "/two/root")
      let failing = FailingPuts(try store(folder + "/two/root"), after: 2)
      let stopped = ClubRestoration(root: folder + "/two/root", store: failing, own: own, pool: Self.pool)
      await #expect(throws: StoreError.self) { try await stopped.run(from: folder + "/backup") }
      let thrown = #expect(throws: StoreError.self) { try ClubRestoration.checkWhole(own, choice: "--root X") }
      #expect(thrown?.remedy.contains("serve restore DIR --root X") == true)
      #expect(try await restore(folder + "/backup", to: folder + "/two").files == 5)
      try ClubRestoration.checkWhole(own, choice: "")
      #expect(files(folder + "/two/root") == files(folder + "/one/root"))
    }
  }

  @Test("What a restoration left out comes when it is repeated, in a club that is in use, where nothing else is")
  func completed() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one", tune: { $0.versions.fileBytes = 0 }) { server in
        for name in ["a", "b", "c"] { try await server.upload("/sub/\(name).txt", "text \(name)") }
        try await backUp(server, to: folder + "/backup")
      }
      let kept = folder + "/backup/contents/"
      let away = try ["text b", "text c"].map { text in
        kept + (try #require(everything(below: kept).first { contents(kept + $0) == text }))
      }
      for path in away { try FileManager.default.moveItem(atPath: path, toPath: path + ".away") }
      let first = try await restore(folder + "/backup", to: folder + "/two")
      #expect(first.files == 1 && !first.isCompletion)
      #expect(first.damaged.filter { $0.hasPrefix("sub/") } == ["sub/b.txt", "sub/c.txt"], "\(first)")
      try ClubRestoration.checkWhole(PrivateDirectory(at: folder + "/two/data"), choice: "")
      // The club is in use.
      try write("mine", to: folder + "/two/root/sub/c.txt")
      let index = FileManager.default.contents(atPath: folder + "/two/data/index.sqlite")
      let again = try await restore(folder + "/backup", to: folder + "/two")
      #expect(again.files == 0 && Set(again.damaged) == Set(first.damaged) && again.isCompletion)
      for path in away { try FileManager.default.moveItem(atPath: path + ".away", toPath: path) }
      let last = try await restore(folder + "/backup", to: folder + "/two")
      #expect(last.isCompletion && last.files == 1 && last.damaged == [] && last.taken == ["sub/c.txt"], "\(last)")
      #expect(contents(folder + "/two/root/sub/b.txt") == "text b")
      #expect(contents(folder + "/two/root/sub/c.txt") == "mine")
      #expect(FileManager.default.contents(atPath: folder + "/two/data/index.sqlite") == index)
      await #expect { try await restore(folder + "/backup", to: folder + "/two") } throws: { error in
        (error as? StoreError)?.message.contains("is not empty") == true
      }
    }
  }

  @Test("A marker or a manifest of any size, and a line of any length, are refused before they are read whole")
  func limits() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in try await backUp(server, to: folder + "/backup") }
      for name in ["byteclub-backup", "manifest.json"] {
        let path = folder + "/backup/" + name
        let whole = try #require(FileManager.default.contents(atPath: path))
        // A hole: it has a size and takes no space.
        truncate(path, 8 << 30)
        await #expect { try await restore(folder + "/backup", to: folder + "/two") } throws: { error in
          (error as? StoreError)?.kind == .corrupt
        }
        try whole.write(to: URL(fileURLWithPath: path))
      }
      let backup = try BackupFolder(making: folder + "/other", pool: Self.pool)
      let lines = try (0..<9000).map { number in
        BackupLine.folder(try StorePath("a folder with a longer name, number \(number)"))
      }
      try backup.directory.write(Array(lines.map(\.text).joined().utf8), as: "files-1")
      let part = try backup.part("files-1")
      let manifest = BackupManifest(
        id: "a", club: "club", made: 1, generation: 1, members: part, index: part, list: part)
      var (found, offset): ([BackupLine], UInt64) = ([], 0)
      while true {
        let page = try backup.lines(of: manifest, at: offset)
        if page.lines.isEmpty { break }
        #expect(page.lines.count < 9000)
        found += page.lines
        offset = page.end
      }
      #expect(found == lines)
      try backup.check(manifest)
      let long = [UInt8](repeating: 0x61, count: 300 << 10)
      let start = Array("folder ".utf8)
      for text in [Array("folder a\n".utf8) + start + long + [10], long, start + long.prefix(20_000) + [10]] {
        try backup.directory.write(text, as: "files-1")
        let part = try backup.part("files-1")
        let manifest = BackupManifest(
          id: "a", club: "club", made: 1, generation: 1, members: part, index: part, list: part)
        #expect {
          try backup.check(manifest)
        } throws: { ($0 as? StoreError)?.kind == .corrupt }
      }
    }
  }

  @Test("A manifest or a list that is damaged, or leads out of the folder, restores nothing")
  func damaged() async throws {
    #expect(BackupManifest(Array("{}".utf8)) == nil)
    #expect(BackupManifest(Array("{\"format\":2}".utf8)) == nil)
    let hash = ContentHash(of: []).hex
    for line in [
      "file \(hash) 0 0 ../x", "file \(hash) 0 0 a/../../x", "file \(hash) 0 0 /etc/passwd", "file \(hash) 0 0 a%00b",
      "file \(hash) 0 0 .byteclub/x", "file x 0 0 a", "file \(hash) -1 0 a", "folder ", "folder a%2", "version \(hash)",
      "link \(hash) 0 0 a", "",
    ] { #expect(BackupLine(line[...]) == nil, "\(line)") }
    let odd = try StorePath([0x61, 0x20, 0x25, 0x0A, 0xFF, 0x2F, 0x62])
    let line = BackupLine.file(odd, ContentHash(of: [1]), size: 1, modified: -5)
    #expect(BackupLine(line.text.dropLast()) == line)
    try await withTemporaryFolder { folder in
      try await withServer(in: folder + "/one") { server in
        try await server.upload("/a.txt", "a")
        try await backUp(server, to: folder + "/backup")
      }
      for name in ["files-1", "index-1.sqlite", "members-1.sqlite", "manifest.json"] {
        let path = folder + "/backup/" + name
        let whole = try #require(FileManager.default.contents(atPath: path))
        try (whole.dropLast() + [whole[whole.endIndex - 1] ^ 1]).write(to: URL(fileURLWithPath: path))
        await #expect { try await restore(folder + "/backup", to: folder + "/two") } throws: { error in
          (error as? StoreError)?.kind == .corrupt
        }
        #expect(everything(below: folder + "/two/root") == [], "\(name)")
        try whole.write(to: URL(fileURLWithPath: path))
      }
    }
  }
}

/// Writers that work until they are told to end.
private final class Load: Sendable {
  /// The texts that were acknowledged, by path, oldest first.
  let acknowledged = Mutex<[String: [String]]>([:])
  let isOver = Mutex(false)
  let began = Gate()
}

/// A store whose disk takes some files and no more.
private final class FailingPuts: StoreAround {
  let base: any FileStore
  private let left: Mutex<Int>

  init(_ base: any FileStore, after count: Int) {
    self.base = base
    left = Mutex(count)
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let mayWrite = left.withLock { left in
      left -= 1
      return left >= 0
    }
    guard mayWrite else { throw StoreError(.server, "The machine stops here.") }
    return try await base.put(source, at: path, mode: mode)
  }
}

/// Puts a folder in the place of the file "x" before it is listed: the index of the backup still has the file.
private struct TurningStore: StoreAround {
  let base: any FileStore
  let root: String

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    do {
      try FileManager.default.removeItem(atPath: root + "/x")
      try FileManager.default.createDirectory(atPath: root + "/x", withIntermediateDirectories: false)
      try write("below", to: root + "/x/y")
    } catch {
      throw StoreError(.server, "\(error)")
    }
    return try await base.list(folder, options, after: cursor)
  }
}
