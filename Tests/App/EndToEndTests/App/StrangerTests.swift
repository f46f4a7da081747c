import Foundation
import POSIX
import TestKit
import Testing

private let another = "/usr/bin/setpriv"
private let perl = "/usr/bin/perl"

/// Only the administrator can be somebody else.
private var canBeAnother: Bool {
  geteuid() == 0 && [another, perl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
}

/// Another user of the machine, whom file permissions would let in.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .enabled(if: canBeAnother, "another user needs root, setpriv and perl"))
struct StrangerTests {
  /// Says hello on a socket, and prints what is answered.
  private func greet(_ socket: String, as user: [String]) throws -> String {
    let script = #"""
      $SIG{PIPE} = "IGNORE";
      socket(my $s, 1, 1, 0) or die;
      connect($s, pack("Sa108", 1, $ARGV[0])) or die "not connected: $!";
      syswrite($s, "{\"hello\":{\"version\":4,\"journal\":\"x\"}}\n");
      print "answer:";
      while (sysread($s, my $b, 4096)) { print $b }
      """#
    let words = user + [perl, "-e", script, socket]
    let outcome = try Spawn(words[0], Array(words.dropFirst()), environment: ["PATH": "/usr/bin:/bin"]).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    return outcome.text
  }

  @Test func `is sent away by the owner of the transfers without a word, and takes nothing for its own`() throws {
    let scene = try TransferScene()
    try FileManager.default.createDirectory(atPath: scene.home.path + "/one/photos", withIntermediateDirectories: true)
    try scene.home.write("", to: "one/home.md")
    try scene.set("home", ["store": "folder", "path": scene.home.path + "/one"])
    try scene.home.write(TransferScene.picture(mebibytes: 16), to: "big.jpg")
    #expect(try scene.verb("transfer", "limit", "300K").status == 0)
    let put = try scene.start(["photo", "put", "--club", "home", scene.home.path + "/big.jpg", "--progress", "none"])
    try scene.untilRunning("big.jpg", past: 1)
    let socket = scene.runtime + "/transfers.sock"
    let nobody = [another, "--reuid=65534", "--regid=65534", "--clear-groups"]
    // As it is, not even the directory can be entered.
    let closed = try Spawn(
      nobody[0], Array(nobody.dropFirst()) + ["/usr/bin/test", "-e", socket], environment: [:]
    ).finish()
    #expect(closed.status == 1)
    var folder = scene.runtime
    while folder.hasPrefix(scene.home.path) {
      chmod(folder, 0o755)
      folder = (folder as NSString).deletingLastPathComponent
    }
    chmod(socket, 0o666)
    #expect(try greet(socket, as: nobody) == "answer:")
    // The member's own process is answered: here, that it has other data.
    #expect(try greet(socket, as: []).contains("other data"))
    // And a byteclub of another user does not talk to who is not its own.
    let theirs = scene.home.path + "/theirs"
    try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
    chown(theirs, 65_534, 65_534)
    let stranger = try Spawn(
      nobody[0], Array(nobody.dropFirst()) + [MemberHome.binary(), "transfer", "ls"],
      environment: PtySession.basicEnvironment.merging([
        "HOME": theirs, "XDG_RUNTIME_DIR": (scene.runtime as NSString).deletingLastPathComponent,
      ]) { $1 }
    ).finish()
    #expect(stranger.status != 0 && !stranger.text.contains("big.jpg"), "\(stranger.said)")
    put.signal(SIGINT)
    #expect(try put.finish().status == 130)
  }
}
