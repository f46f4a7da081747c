import Testing

@testable import Accounts

struct GrantTests {
  @Test(arguments: [
    (Int64(14_400), Int64(0), true), (14_400, 14_099, true), (14_400, 14_100, false), (14_400, 20_000, false),
    (400, 199, true), (400, 200, false), (0, 0, false), (14_400, -5_000_000, true),
  ])
  func `a token is fresh until five minutes before its end, a short one for half its life`(
    _ row: (life: Int64, age: Int64, isFresh: Bool)
  ) {
    let grant = Grant(
      accessToken: "a", refreshToken: nil, obtained: 1_000_000_000, expires: 1_000_000_000 + row.life, accountID: nil)
    #expect(grant.isFresh(at: 1_000_000_000 + row.age) == row.isFresh)
  }

  @Test func `a token without an end is fresh for ever`() {
    let grant = Grant(accessToken: "a", refreshToken: nil, obtained: 0, expires: nil, accountID: nil)
    #expect(grant.isFresh(at: .max))
    #expect(grant.isAlive(at: .max))
  }

  @Test func `however it is printed, nothing secret comes out`() {
    let grant = Grant(accessToken: "s3cret-a", refreshToken: "s3cret-r", obtained: 0, expires: nil, accountID: nil)
    let source = TokenSource.variable(name: "BYTECLUB_TOKEN", token: "s3cret-v")
    var text = "\(grant) \(source) \(String(reflecting: grant)) \(String(reflecting: source)) \([grant]) \([source])"
    dump(grant, to: &text)
    dump(source, to: &text)
    dump(["x": [grant]], to: &text)
    #expect(!text.contains("s3cret"))
    #expect(text.contains("a sign-in"))
  }
}
