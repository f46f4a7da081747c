import Testing

@testable import byteclub

@Suite struct DoctorFindingTests {
  @Test func `doctor names the package without which photos lack their colours`() throws {
    #expect(SystemCheckup.colours(areProfiled: true).isEmpty)
    let finding = try #require(SystemCheckup.colours(areProfiled: false).first)
    #expect(finding.verdict == .note && finding.found.contains("liblcms2.so.2"))
    #expect(finding.remedy.contains("liblcms2-2"))
  }
}
