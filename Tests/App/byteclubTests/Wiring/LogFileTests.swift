import Foundation
import TestKit
import Testing

@testable import byteclub

struct LogFileTests {
  @Test func `a log that has grown begins anew, and the old ones are kept up to a number`() throws {
    let folder = URL(filePath: TemporaryFolder.newPath())
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/state/log"
    let log = LogFile(path: path, limitBytes: 100, kept: 2)
    for number in 0..<12 { log.append("line \(number) " + String(repeating: "x", count: 40)) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").sorted()
    #expect(names == ["log", "log.1", "log.2"])
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("line 11"))
    #expect(try String(contentsOfFile: path + ".1", encoding: .utf8).contains("line 9"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test func `quotes inside a fact are escaped`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("log")
    ActivityLog(file: path, isDetailed: false).warning("odd", ["why": "\"a.jpg\" is empty."])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#"odd why="\"a.jpg\" is empty.""#), "\(text)")
  }

  @Test func `a log that cannot be written is no failure`() {
    let log = LogFile(path: "/dev/null/byteclub/log")
    log.append("nobody hears this")
    log.append("nor this")
  }
}
