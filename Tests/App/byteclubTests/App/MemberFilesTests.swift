import Foundation
import Screens
import TestKit
import Testing

@testable import byteclub

/// What typed paths mean on a real disk.
@Suite final class MemberFilesTests {
  private let home = TemporaryFolder.newPath()
  private let files: MemberFiles

  init() throws {
    files = MemberFiles(home: home)
    for folder in ["Pictures/2025", "Pictures/empty"] {
      try FileManager.default.createDirectory(atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
    }
    for name in ["Morgen.jpg", "Morning walk.jpg", "it's.png", "notes.txt", "2025/a.jpg", "2025/b.webp"] {
      try Data().write(to: URL(filePath: "\(home)/Pictures/\(name)"))
    }
  }

  deinit { removeFolder(home) }

  private func meaning(_ typed: String, _ purpose: PathPurpose = .upload) async -> PathCompletion.Meaning {
    await files.complete(typed.replacing("HOME", with: home), for: purpose).meaning
  }

  @Test(arguments: [
    "~/Pictures/Morning walk.jpg", "'~/Pictures/Morning walk.jpg'", "~/Pictures/Morning\\ walk.jpg",
  ])
  func `a file is found however it is written`(typed: String) async {
    #expect(await meaning(typed) == .files(["~/Pictures/Morning walk.jpg"]))
  }

  @Test(arguments: ["file://HOME/Pictures/Morning%20walk.jpg", "\"HOME/Pictures/Morning walk.jpg\""])
  func `so is a dropped one`(typed: String) async {
    #expect(await meaning(typed) == .files(["\(home)/Pictures/Morning walk.jpg"]))
  }

  @Test func `several that were dropped are all meant`() async {
    let typed = "'\(home)/Pictures/it'\\''s.png' '\(home)/Pictures/Morgen.jpg'"
    #expect(await meaning(typed) == .files(["\(home)/Pictures/it's.png", "\(home)/Pictures/Morgen.jpg"]))
  }

  @Test(arguments: [
    ("~/Pictures/Mor*", ["~/Pictures/Morgen.jpg", "~/Pictures/Morning walk.jpg"]),
    ("~/Pictures/*", ["~/Pictures/Morgen.jpg", "~/Pictures/Morning walk.jpg", "~/Pictures/it's.png"]),
    ("~/Pictures/20?5/*.[jw]*", ["~/Pictures/2025/a.jpg", "~/Pictures/2025/b.webp"]),
  ])
  func `wildcards match pictures`(typed: String, paths: [String]) async {
    let completion = await files.complete(typed, for: .upload)
    #expect(completion.meaning == .files(paths) && completion.choices.map(\.path) == paths)
    #expect(completion.common == typed)
  }

  @Test func `a beginning is completed, and a folder and nothing are distinguished`() async {
    let completion = await files.complete("~/Pictures/Mor", for: .upload)
    #expect(completion.choices.map(\.path) == ["~/Pictures/Morgen.jpg", "~/Pictures/Morning walk.jpg"])
    #expect(completion.common == "~/Pictures/Mor" && completion.meaning == .nothing)
    #expect(await files.complete("'~/Pictures/Morn", for: .upload).common == "~/Pictures/Morning walk.jpg")
    #expect(await meaning("~/Pictures/") == .folder)
    #expect(await meaning("~") == .folder)
    #expect(await meaning("~/Pictures/gone*") == .nothing)
    #expect(await files.complete("~/Pictures/", for: .download).choices.allSatisfy(\.isDirectory))
    #expect(await files.complete("~/gone/x", for: .upload).problem?.contains("cannot be read") == true)
  }

  @Test func `downloads begin in Pictures, else in Downloads, else at home`() throws {
    #expect(files.downloads == "~/Pictures")
    try FileManager.default.moveItem(atPath: home + "/Pictures", toPath: home + "/Downloads")
    #expect(files.downloads == "~/Downloads")
    try FileManager.default.moveItem(atPath: home + "/Downloads", toPath: home + "/x")
    #expect(files.downloads == "~")
  }

  @Test func `a folder for downloads is found, missing or made`() async {
    #expect(await files.folder("~/Pictures/2025") == .isThere("~/Pictures/2025"))
    #expect(await files.folder("'~/Pictures/2025'") == .isThere("~/Pictures/2025"))
    #expect(await files.folder("~/new/deep/") == .missing("~/new/deep/"))
    #expect(await files.makeFolder("~/new/deep/") == .isThere("~/new/deep/"))
    #expect(await files.folder("~/new/deep") == .isThere("~/new/deep"))
    guard case .unusable(let reason) = await files.folder("~/Pictures/Morgen.jpg") else {
      Issue.record("a file is no folder")
      return
    }
    #expect(reason == "\"~/Pictures/Morgen.jpg\" is not a folder. Choose a folder.")
  }
}
