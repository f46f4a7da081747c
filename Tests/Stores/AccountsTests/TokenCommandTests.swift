import Basics
import FileStores
import Foundation
import POSIX
import TestKit
import Testing

@testable import Accounts

@Suite(.serialized, .timeLimit(.minutes(5))) struct TokenCommandTests {
  private let folder: TemporaryFolder
  private let account: Account

  init() throws {
    folder = try TemporaryFolder()
    account = try Account(club: "lab", service: AccountService(server: "https://club.example"), appKey: nil)
  }

  private func run(
    _ words: [String],
    now: @escaping @Sendable () -> ContinuousClock.Instant = { [begin = ContinuousClock.now] in begin }
  ) async throws(StoreError) -> String {
    try await TokenCommand(words, now: now).token(account, on: BlockingPool(threads: 1))
  }

  @Test(arguments: ["echo t0ken", "printf t0ken", "printf 't0ken\\r\\nmore\\n'", "echo t0ken; echo second line"])
  func `the first line that it prints is the token`(_ body: String) async throws {
    #expect(try await run([folder.script("command", body)]) == "t0ken")
  }

  @Test func `it is started with its arguments as they are, without a shell`() async throws {
    let script = try folder.script("command", "printf '%s|' \"$@\" > '\(folder.path)/said'; echo t0ken")
    _ = try await run([script, "a b", "$(touch \(folder.path)/ran)", "; touch \(folder.path)/ran", "*", ""])
    #expect(folder.text("said") == "a b|$(touch \(folder.path)/ran)|; touch \(folder.path)/ran|*||")
    #expect(folder.text("ran") == nil)
  }

  @Test func `a name without a slash is looked for in PATH`() async throws {
    #expect(try await run(["echo", "t0ken"]) == "t0ken")
  }

  @Test func `it has no standard input, no terminal, and not the variable`() async throws {
    setenv("BYTECLUB_TOKEN", "s3cret", 1)
    defer { unsetenv("BYTECLUB_TOKEN") }
    let script = try folder.script(
      "command",
      "cat > '\(folder.path)/input'; env > '\(folder.path)/env'; ls -l /proc/self/fd | wc -l > '\(folder.path)/files'\n"
        + "(: < /dev/tty) 2>/dev/null && echo tty > '\(folder.path)/tty'\necho t0ken")
    #expect(try await run([script]) == "t0ken")
    #expect(folder.text("input") == "")
    #expect(folder.text("env")?.contains("PATH=") == true)
    #expect(folder.text("env")?.contains("s3cret") == false)
    #expect(folder.text("tty") == nil)
  }

  @Test(arguments: [
    ("exit 3", "ended with status 3"), ("kill -9 $$", "ended with status 137"), ("true", "printed nothing"),
    ("echo", "printed nothing"), ("echo 'two words'", "printed a first line that is not a token"),
    ("printf 'a\\033[2J'", "printed a first line that is not a token"),
    ("yes | head -c 100000", "printed more than 65536 bytes"), ("yes", "printed more than 65536 bytes"),
  ])
  func `what went wrong is said, with what it wrote to standard error`(
    _ row: (body: String, sentence: String)
  ) async throws {
    let script = try folder.script("command", "echo 'the vault is locked' >&2; \(row.body)")
    let error = await #expect(throws: StoreError.self) { try await run([script]) }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.contains(row.sentence) == true)
    #expect(error?.remedy.contains("clubs.lab.tokenCommand") == true)
    if !row.sentence.contains("more than") {
      #expect(error?.message.contains("It said: the vault is locked") == true)
    }
  }

  @Test func `a program that is not there is said by name`() async throws {
    let error = await #expect(throws: StoreError.self) { try await run(["/nowhere/at/all"]) }
    #expect(error?.message.contains("(/nowhere/at/all) did not start: No such file or directory.") == true)
  }

  @Test func `one that prints its token to standard error, too, does not get it into the message`() async throws {
    let script = try folder.script("command", "echo t0ken-t0ken; echo \"got t0ken-t0ken\" >&2; exit 1")
    let error = await #expect(throws: StoreError.self) { try await run([script]) }
    #expect(error?.description.contains("got [secret]") == true)
    #expect(error?.description.contains("t0ken-t0ken") == false)
  }

  @Test func `what it says is cut`() async throws {
    let script = try folder.script("command", "yes complaint | head -c 1000000 >&2; exit 1")
    let error = await #expect(throws: StoreError.self) { try await run([script]) }
    #expect(error?.message.utf8.count ?? .max < 2500)
  }

  @Test func `one that takes too long is ended with all that it has started`() async throws {
    let script = try folder.script("command", "sleep 1000 & echo $! > '\(folder.path)/child'; wait")
    let begin = ContinuousClock.now
    // Its time is over as soon as it has started the other one.
    let now = { @Sendable [folder] in folder.text("child")?.hasSuffix("\n") == true ? begin + .seconds(60) : begin }
    let error = await #expect(throws: StoreError.self) { try await run([script], now: now) }
    #expect(error?.message.contains("did not finish within 60 seconds") == true)
    let child = try #require(folder.text("child").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    #expect(isGone(child))
  }

  @Test func `something that stays behind does not keep it`() async throws {
    let script = try folder.script("command", "sleep 1000 & echo $! > '\(folder.path)/child'; echo t0ken")
    #expect(try await run([script]) == "t0ken")
    let child = try #require(folder.text("child").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    #expect(kill(child, SIGKILL) == 0)
  }

  @Test func `a cancelled task ends it`() async throws {
    let script = try folder.script("command", "echo $$ > '\(folder.path)/it'; exec sleep 1000")
    let task = Task { try await run([script]) }
    while folder.text("it")?.hasSuffix("\n") != true { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: StoreError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    let child = try #require(folder.text("it").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    #expect(isGone(child))
  }

  /// Not there, or dead and waiting for whoever looks after orphans.
  private func isGone(_ process: pid_t) -> Bool {
    guard kill(process, 0) == 0 else { return true }
    while !Task.isCancelled {
      let facts = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      if facts.isEmpty || facts.contains(") Z ") { return true }
    }
    return false
  }
}
