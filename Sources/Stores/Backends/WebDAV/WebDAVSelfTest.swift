internal import Basics
internal import FileStores

struct WebDAVSelfTest: ServerSelfTest {
  let version = 8

  func run(
    on store: StoreDescription, pool: BlockingPool, network: StoreNetwork
  ) async throws(StoreError) -> ServerFindings {
    try await WebDAVProbe(try WebDAVKind.client(store, network, WebDAVTuning())).findings()
  }

  func conditions(_ findings: ServerFindings) -> WriteConditions { WebDAVWay(findings).conditions }

  func sentences(_ findings: ServerFindings) -> [String] {
    let server = findings.server.isEmpty ? "The server" : findings.server
    var all: [String] = []
    switch WebDAVWay(findings) {
    case .condition where findings["overlap"] == "kept":
      all.append("\(server) compares when it writes: no save destroys another one")
    case .condition:
      all.append("\(server) compares before it writes, and has no locks: another program's save can collide with yours")
    case .lock:
      all.append("\(server) has locks: byteclub locks a file while it compares and writes")
    case .none:
      all.append("\(server) \(WebDAVWay.danger(findings))")
    }
    if WebDAVWay(findings) == .lock, findings["held"] != "kept" {
      all.append("the server does not move locked files, so other programs can change a file while byteclub moves it")
    }
    if findings["body"] != "whole" {
      all.append("the server writes files in place, so byteclub sends each under another name first")
    }
    switch findings["revisions"] {
    case "differ", "never": break
    case "slow":
      all.append(
        "the server is too slow to tell whether its revisions differ within a second: byteclub waits for the next one")
    default: all.append("the server's revisions do not differ within a second, so byteclub waits for the next one")
    }
    if findings["times"] != "kept" {
      all.append("the server's times are not those of changes, so what killed programs have left there stays")
    }
    if let lost = LostNames(findings) {
      all.append("the server loses files with \(lost.words) in their names, so byteclub refuses such names")
    }
    if findings["asks"] == "early" {
      all.append("the server confirms files before it has them, so byteclub does not ask it first, and compares sizes")
    }
    if findings["folders"] == "deep" {
      all.append(
        "a folder's ETag changes with everything below it, so byteclub sees with one request if all is as it was")
    }
    switch findings["chunks"] {
    case "kept": all.append("the server takes large files in chunks, so an upload goes on after a break of up to a day")
    case nil, "none": break
    case let answer?:
      all.append("the server's uploads in chunks cannot be trusted (\(answer)): a broken upload begins again")
    }
    let space = ["used", "free"].compactMap { name in
      findings[name].flatMap { UInt64($0) }.map { "\(WebDAVSpace.text($0)) \(name)" }
    }
    if !space.isEmpty { all.append("the server's space: \(space.joined(separator: ", "))") }
    if WebDAVPartialWrite(findings) != nil {
      all.append("the server writes parts of files, so an upload goes on after a break")
    }
    if findings["range"] != "kept" { all.append("the server sends whole files only: a broken download begins again") }
    return all
  }
}
