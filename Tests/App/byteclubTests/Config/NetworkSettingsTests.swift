import Backends
import Basics
import JSON
import ManualPages
import Testing

@testable import byteclub

/// The settings of requests in the config, which a transport gets.
struct NetworkSettingsTests {
  private func read(_ json: String) -> ConfigReport { ConfigReaderTests.read(json) }

  @Test(arguments: [
    (
      #"{"requestTimeoutSeconds":0}"#,
      #""network.requestTimeoutSeconds" is 0; it must be a whole number from 1 to 3600."#
    ),
    (
      #"{"requestTimeoutSeconds":"30"}"#,
      #""network.requestTimeoutSeconds" is "30"; it must be a whole number from 1 to 3600."#
    ),
    (
      #"{"requestTimeoutSeconds":1.5}"#,
      #""network.requestTimeoutSeconds" is 1.5; it must be a whole number from 1 to 3600."#
    ),
    (
      #"{"resourceTimeoutSeconds":-1}"#,
      #""network.resourceTimeoutSeconds" is -1; it must be a whole number from 1 to 31536000."#
    ),
    (
      #"{"resourceTimeoutSeconds":99999999999999999999}"#,
      #""network.resourceTimeoutSeconds" is 1e+20; it must be a whole number from 1 to 31536000."#
    ),
    (#"{"connectionsPerHost":65}"#, #""network.connectionsPerHost" is 65; it must be a whole number from 1 to 64."#),
    (
      #"{"connectionsPerHost":null}"#, #""network.connectionsPerHost" is null; it must be a whole number from 1 to 64."#
    ),
    (#"{"allowPlainHTTP":true}"#, #""network.allowPlainHTTP" is true; it must be "loopback" or "anywhere"."#),
    (#"{"allowPlainHTTP":"always"}"#, #""network.allowPlainHTTP" is "always"; it must be "loopback" or "anywhere"."#),
    (#"{"headers":["a"]}"#, #""network.headers" is a list; it must be an object in braces."#),
    (
      #"{"headers":{"X-Gate":5}}"#,
      #""network.headers.X-Gate" is 5; it must be a text in double quotes, of printable ASCII characters."#
    ),
    (
      #"{"headers":{"X-Gate":""}}"#,
      #""network.headers.X-Gate" is ""; it must be a text in double quotes, of printable ASCII characters."#
    ),
  ])
  func `a wrong value is an error that names key, found and allowed`(_ row: (json: String, sentence: String)) {
    let report = read(#"{"network":\#(row.json)}"#)
    #expect(report.faults == ["config.json, line 1: \(row.sentence)"])
    #expect(report.config.network == NetworkSettings())
  }

  @Test(arguments: ["a\\r\\nX-Other: b", "a\\u0000", "\\u00e9", " a", "a "])
  func `what a header field says cannot leave its line`(_ text: String) {
    #expect(read(#"{"network":{"headers":{"X-Gate":"\#(text)"}}}"#).faults.count == 1)
  }

  @Test(arguments: [
    "", "X Gate", "X-Gate:", "X.Gate", "é", "a\\nb", "Authorization", "content-length", "HOST", "User-Agent",
  ])
  func `a name that is none, or that byteclub fills in itself, is refused`(_ name: String) throws {
    let fault = try #require(read(#"{"network":{"headers":{"\#(name)":"x"}}}"#).faults.first)
    #expect(fault.hasPrefix(#"config.json, line 1: "network.headers."#))
    #expect(fault.contains("cannot be: \""))
  }

  @Test(arguments: [("{}", false), (#"{"metered":false}"#, false), (#"{"metered":true}"#, true)])
  func `a line is metered only where the config says so`(row: (json: String, isMetered: Bool)) {
    let report = read(#"{"network":\#(row.json)}"#)
    #expect(report.faults.isEmpty && report.config.isMetered == row.isMetered)
  }

  @Test func `a near miss is named`() {
    #expect(
      read(#"{"network":{"requestTimeoutSecond":3}}"#).warnings == [
        #"config.json, line 1: byteclub does not know the setting "network.requestTimeoutSecond", and ignores it. "#
          + #"Did you mean "network.requestTimeoutSeconds"?"#
      ])
  }

  @Test func `all of it reaches the options of a transport, with the program's version`() {
    let report = read(
      #"{"network":{"requestTimeoutSeconds":7,"resourceTimeoutSeconds":90,"connectionsPerHost":2,"headers":{"X-B":"2","X-A":"1"}}}"#
    )
    #expect(report.faults.isEmpty && report.warnings.isEmpty)
    var options = HTTPOptions(origins: [])
    report.config.network.apply(to: &options)
    // at any pace: values without a clock.
    #expect(options.timeouts == HTTPTimeouts(connect: .seconds(7), idle: .seconds(7), whole: .seconds(90)))
    #expect(options.connectionsPerHost == 2)
    #expect(options.headers == ["X-B": "2", "X-A": "1"])
    #expect(options.userAgent == "byteclub/\(BuildVersion.number)")
    var usual = HTTPOptions(origins: [])
    NetworkSettings().apply(to: &usual)
    #expect(usual.timeouts == HTTPTimeouts(connect: .seconds(20), idle: .seconds(30), whole: .seconds(86_400)))
    #expect(usual.connectionsPerHost == 4)
  }

  @Test func `header fields may be secret: they stand with the network's settings and are not shown`() {
    let config = read(#"{"network":{"headers":{"X-A":"s3cret"}},"ui":{"mouse":true}}"#).config
    let keys = config.entries.map(\.key)
    #expect(
      keys.firstIndex(of: "network.headers.X-A") == keys.firstIndex(of: "network.connectionsPerHost").map { $0 + 1 })
    #expect(ClubSetup.settings().setting(["network", "headers", "X-A"])?.isSecret == true)
  }

  @Test(arguments: ["RSA-SHA1", "plaintext", ""])
  func `a signature that does not exist is an error`(_ word: String) {
    let report = ConfigReader.read(
      ClubSetup.settings(),
      file: Array(
        #"{"clubs":{"old":{"store":"dropbox-v1","server":"http://127.0.0.1:1","signature":"\#(word)"}}}"#.utf8),
      place: "config.json", environment: Environment([:]))
    #expect(
      report.faults == [
        #"config.json, line 1: "clubs.old.signature" is "\#(word)"; it must be "HMAC-SHA1" or "PLAINTEXT"."#
      ])
  }

  @Test(arguments: [("sever", "server"), ("appkey", "appKey"), ("tokenComand", "tokenCommand"), ("cafile", "caFile")])
  func `an unknown key of a club is a warning with the nearest one`(_ row: (key: String, near: String)) {
    let report = ConfigReader.read(
      ClubSetup.settings(), file: Array(#"{"clubs":{"lab":{"store":"dropbox","\#(row.key)":"x"}}}"#.utf8),
      place: "config.json", environment: Environment([:]))
    #expect(report.faults.isEmpty)
    #expect(report.warnings.count == 1)
    #expect(report.warnings.first?.hasSuffix(#"Did you mean "clubs.lab.\#(row.near)"?"#) == true)
  }
}
