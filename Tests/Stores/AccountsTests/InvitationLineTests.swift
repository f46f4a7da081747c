import Backends
import FileStores
import Testing

@testable import Accounts

private let code = "AbCdEfGhIjKlMnOpQrSt-_"
/// Of 32 zero bytes.
private let pin = String(repeating: "A", count: 43)
private let line = "https://club.example:8443/join#\(code)"

struct InvitationLineTests {
  @Test(arguments: [
    line, " \(line)\n", "\(line).", "\(line),", "<\(line)>", "(\(line)).", "[\(line)]", "\"\(line)\"", "'\(line)'",
    "“\(line)”", "«\(line)»", "`\(line)`", "[join](\(line))", "Join us: \(line) - Ann", "\(line). See you there!",
    "\(line)\r\nSent from my phone", "Https://Club.Example:8443/join#\(code)",
    "https://club.example:8443/join/#\(code)", "https://club.example:8443/join%23\(code)",
    "https://club.exam\nple:8443/join#AbCdEfGhIj\n  KlMnOpQrSt-_",
    "\u{200B}https://club.example:8443/join#\u{AD}\(code)\u{200F}",
    "\(line). \(String(repeating: "word ", count: 20))",
  ])
  func `what a chat program puts around a line or into it does no harm`(_ text: String) throws {
    let read = try InvitationLine(text)
    #expect(read.origin.description == "https://club.example:8443" && read.code == code && read.pin == nil)
  }

  @Test(arguments: [
    "\(line).\(pin)", "\(line).\(pin).", "(\(line).\(pin))",
    "\(line).AAAAAAAAAAAAAAAAAAAA\n\(String(pin.dropFirst(20)))",
    "\(line)\n.\(pin) is the line",
  ])
  func `the pin of a server's key is read, also when the line is wrapped`(_ text: String) throws {
    let read = try InvitationLine(text)
    #expect(read.code == code && read.pin?.base64url == pin)
    #expect(
      InvitationLine.text(origin: read.origin.description, code: read.code, pin: read.pin) == "\(line).\(pin)"
    )
  }

  @Test(arguments: [
    "https://club.example:8443", "https://club.example:8443/jo", "https://club.example:8443/join",
    "https://club.example:8443/join#", "https://club.example:8443/join#AbCdEfGhIj", "\(line).AAAA",
    "\(line).\(pin.dropLast())",
    "https://club.example:8443/join#AbCdEf…",
  ])
  func `a line that was cut says so`(_ text: String) {
    #expect(Self.message(text) == "The invitation is not whole: its end is missing.")
  }

  @Test(arguments: ["\(line)x", "\(line).\(pin)x", "\(line)AAAAAAAAAAAAAAAA"])
  func `a line with more letters says so`(_ text: String) {
    #expect(Self.message(text) == "The invitation has more letters at its end than byteclub serve writes.")
  }

  @Test(arguments: [
    "", "hello", "ann@club.example", "club.example/join#\(code)", "https://club.example/l/\(code)#\(code)",
    "https://club.example/join?code=\(code)", "https://ann:secret@club.example/join#\(code)",
    "ftp://club.example/join#\(code)",
    "https:///join#\(code)", "https://club.example:0/join#\(code)", "https://club.example/../join#\(code)",
    String(repeating: "a", count: 20_000),
  ])
  func `any other text is no invitation`(_ text: String) {
    #expect(Self.message(text) == "This is not an invitation.")
  }

  @Test func `an unencrypted server must be this machine, unless the config allows others`() throws {
    for host in ["127.0.0.1:8080", "localhost", "[::1]:80"] {
      #expect(try InvitationLine("http://\(host)/join#\(code)").code == code)
    }
    let text = "http://club.example/join#\(code)"
    let error = #expect(throws: StoreError.self) { try InvitationLine(text) }
    #expect(error?.kind == .badInput && error?.message.contains("http://club.example, which is not encrypted") == true)
    #expect(try InvitationLine(text, allowingPlain: true).origin.description == "http://club.example")
  }

  @Test func `no error and no description has the code`() throws {
    let texts = [
      "\(line)x", "\(line).AA", "http://club.example/join#\(code)", "ftp://h/join#\(code)",
    ]
    for text in texts {
      let error = #expect(throws: StoreError.self) { try InvitationLine(text) }
      #expect(error?.description.contains(code) == false, "\(String(describing: error))")
    }
    let read = try InvitationLine(line)
    #expect(!"\(read) \(String(reflecting: read)) \(read.fingerprint)".contains(code))
    var dumped = ""
    dump(read, to: &dumped)
    #expect(!dumped.contains(code))
  }

  /// The error's message; nil if the text is an invitation.
  private static func message(_ text: String) -> String? {
    do throws(StoreError) {
      _ = try InvitationLine(text)
      return nil
    } catch {
      return error.kind == .badInput ? error.message : "\(error.kind)"
    }
  }
}
