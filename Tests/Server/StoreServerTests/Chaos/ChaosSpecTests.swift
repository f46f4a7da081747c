import FileStores
import Testing

@testable import StoreServer

@Suite struct ChaosSpecTests {
  @Test(
    "A specification is read",
    arguments: [
      ("latency=200ms", ChaosRule(fault: .latency, amount: 200)),
      ("latency=0.1:2s", ChaosRule(fault: .latency, probability: 0.1, amount: 2000)),
      ("bandwidth=512KiB", ChaosRule(fault: .bandwidth, amount: 512 * 1024)),
      ("429=0.05", ChaosRule(fault: .tooMany, probability: 0.05)),
      ("503=0.05:1.5s", ChaosRule(fault: .busy, probability: 0.05, amount: 1500)),
      ("500=1", ChaosRule(fault: .broken)),
      ("cut=0.05:64KiB", ChaosRule(fault: .cut, probability: 0.05, amount: 65_536)),
      ("cutbody", ChaosRule(fault: .cutBody)),
      ("cut=3B", ChaosRule(fault: .cut, amount: 3)),
      ("cut=2kB:0.5", nil),
      ("stall=0.01:5s", ChaosRule(fault: .stall, probability: 0.01, amount: 5000)),
      (" junk=0", ChaosRule(fault: .junk, probability: 0)),
      ("drop@/2/files/upload=0.5", ChaosRule(fault: .drop, place: "/2/files/upload", probability: 0.5)),
      ("503@/2/files/*=0.3", ChaosRule(fault: .busy, place: "/2/files/*", probability: 0.3)),
      ("refuse@/1/files_put/*", ChaosRule(fault: .refuse, place: "/1/files_put/*")),
    ] as [(String, ChaosRule?)])
  func reading(text: String, rule: ChaosRule?) throws {
    let rules = try? ChaosReader.read(text)
    #expect(rules == rule.map { [$0] })
  }

  @Test(
    "What is wrong in a specification is named, with what would be right",
    arguments: [
      ("", "--chaos has no fault \"\"", "latency, bandwidth, 429"),
      ("503=0.1,slow=3", "\"slow=3\"", "latency, bandwidth, 429"),
      ("503=0.1,,junk", "\"\"", "latency"),
      ("429=1.5", "\"1.5\" is not a value", "429=P[:TIME]"),
      ("429=-1", "\"-1\" is not a value", "429=P[:TIME]"),
      ("drop=64KiB", "\"64KiB\" is not a value", "drop=P"),
      ("cut=0.5:64ms", "\"64ms\" is not a value", "64KiB"),
      ("cut=0.5:0.5", "\"0.5\" is not a value", "cut=P[:BYTES]"),
      ("latency", "The amount is missing", "latency=TIME"),
      ("bandwidth=0B", "The amount is missing", "bandwidth=BYTES"),
      ("stall=0.5", "The amount is missing", "stall=P:TIME"),
      ("latency=1e400s", "is not a value", "200ms"),
      ("drop@/2/files/uplod=1", "The server has no route \"/2/files/uplod\"", "/2/files/upload"),
      ("drop@upload", "The server has no route \"upload\"", "/2/files/upload"),
    ])
  func wrong(text: String, what: String, remedy: String) {
    let error = #expect(throws: StoreError.self) { try Chaos(text, seed: 1) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(what) == true, "\(String(describing: error))")
    #expect(error?.remedy.contains(remedy) == true, "\(String(describing: error))")
  }

  @Test func `The help has every fault, in the form that is read`() throws {
    for fault in ChaosFault.allCases {
      #expect(Chaos.help.contains(fault.help.form))
      let example = fault.help.form.replacing("[", with: "").replacing("]", with: "").replacing("=P", with: "=0.5")
        .replacing("TIME", with: "5s").replacing("BYTES", with: "64KiB")
      #expect(try ChaosReader.read(example).map(\.fault) == [fault])
    }
  }

  @Test func `The same seed and requests meet the same faults, and another seed others`() throws {
    func fates(_ seed: UInt64, _ route: String) throws -> [String] {
      let chaos = try Chaos("429=0.1,503=0.1,cut=0.1,drop=0.1,latency=0.2:5ms", seed: seed)
      return (0..<300).map { chaos.fate(of: route, route: route, count: $0).words ?? "-" }
    }
    let first = try fates(7, "/2/files/upload")
    #expect(try fates(7, "/2/files/upload") == first)
    #expect(try fates(8, "/2/files/upload") != first)
    #expect(try fates(7, "/2/files/download") != first)
  }

  @Test func `Each fault comes as often as it is asked for`() throws {
    let chaos = try Chaos("429=0.1,drop=0.2,junk=0,latency=0.5:1ms", seed: 3)
    var counts: [ChaosFault: Int] = [:]
    var slow = 0
    for count in 0..<10_000 as Range<UInt64> {
      let fate = chaos.fate(of: "/2/x", route: "/2/x", count: count)
      if let fault = fate.failure?.fault { counts[fault, default: 0] += 1 }
      if fate.latency > .zero { slow += 1 }
    }
    #expect((900...1100).contains(counts[.tooMany] ?? 0))
    #expect((1650...1950).contains(counts[.drop] ?? 0), "of what 429 leaves")
    #expect(counts[.junk] == nil)
    #expect((4800...5200).contains(slow))
  }

  @Test func `A fault of one route leaves the others alone`() throws {
    let chaos = try Chaos("drop@/2/files/*,503@/1/account/info", seed: 1)
    #expect(chaos.fate(of: "/2/files/upload", route: "/2/files/upload", count: 0).failure?.fault == .drop)
    #expect(chaos.fate(of: "/2/users/get_current_account", route: "r", count: 0).failure == nil)
    #expect(chaos.fate(of: "/1/account/info", route: "r", count: 0).failure?.fault == .busy)
  }

  @Test("Chaos is for loopback alone", arguments: ["0.0.0.0", "192.0.2.1", "::", "club.example"])
  func loopback(host: String) throws {
    var options = ServerOptions(host: host, port: 0)
    options.allowsPlain = true
    options.chaos = try Chaos("junk=0.1", seed: 1)
    let error = #expect(throws: StoreError.self) { try options.check() }
    #expect(error?.message.contains("serves this machine only") == true)
    options.listen = [.port(host: "127.0.0.1", number: 0), .socket(path: "/run/club")]
    try options.check()
  }
}
