import Testing

@testable import Accounts

struct ProofKeyTests {
  @Test func `the challenge is that of RFC 7636, appendix B`() {
    let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `a thousand verifiers are all different, and as long and plain as the RFC wants`() {
    let verifiers = (0..<1000).map { _ in ProofKey().verifier }
    #expect(Set(verifiers).count == 1000)
    for verifier in verifiers {
      #expect((43...128).contains(verifier.utf8.count))
      #expect(
        verifier.utf8.allSatisfy {
          "-._~".utf8.contains($0) || Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber
        })
    }
  }
}
