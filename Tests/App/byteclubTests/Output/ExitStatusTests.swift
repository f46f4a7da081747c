import Basics
import FileStores
import JSON
import Testing

@testable import byteclub

struct ExitStatusTests {
  private static let codes: [StoreError.Kind: Int32] = [
    .notFound: 4, .conflict: 5, .exists: 5, .notSignedIn: 3, .notPermitted: 7, .quota: 7, .rateLimited: 6, .offline: 6,
    .badName: 1, .badInput: 1, .tooLarge: 1, .corrupt: 1, .unsupported: 1, .server: 1, .cancelled: 130,
  ]

  @Test(arguments: StoreError.Kind.allCases)
  func `every kind of error has its exit code`(_ kind: StoreError.Kind) {
    #expect(ExitStatus(kind).rawValue == Self.codes[kind])
  }

  private func answer(_ records: Int, _ kinds: StoreError.Kind...) -> Answer {
    var answer = Answer((0..<records).map { _ in Record(.null, line: nil) })
    answer.failures = kinds.map { StoreError($0, "It failed.") }
    return answer
  }

  @Test func `several things end with one code`() {
    #expect(answer(2).status == .done)
    #expect(answer(0, .notFound).status == .notFound)
    #expect(answer(0, .notFound, .notFound).status == .notFound)
    #expect(answer(0, .notFound, .offline).status == .failed)
    #expect(answer(1, .notFound).status == .partlyFailed)
    #expect(answer(1, .notFound, .cancelled).status == .interrupted)
  }

  @Test func `bad news is a failure though everything was done`() {
    var answer = answer(2)
    answer.badNews = StoreError(.badInput, "One thing is wrong.")
    #expect(answer.status == .failed)
    #expect(answer.document["ok"] == .bool(false))
    #expect(answer.document["results"]?.elements?.count == 2)
  }
}
