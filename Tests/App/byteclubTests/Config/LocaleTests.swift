import Testing

@testable import byteclub

@Suite struct LocaleTests {
  @Test(
    arguments: [
      ([:], "C", false), (["LANG": "C.UTF-8"], "C.UTF-8", true), (["LANG": "de_DE.utf8"], "de_DE.utf8", true),
      (["LANG": "de_DE.ISO-8859-1"], "de_DE.ISO-8859-1", false), (["LANG": "POSIX"], "POSIX", false),
      (["LANG": "ca_ES.UTF-8@valencia"], "ca_ES.UTF-8@valencia", true),
      (["LANG": "C", "LC_CTYPE": "UTF-8"], "UTF-8", true), (["LC_CTYPE": "en_US.UTF-8"], "en_US.UTF-8", true),
      (["LC_CTYPE": "UTF-16"], "UTF-16", false),
      (["LANG": "C.UTF-8", "LC_CTYPE": "C"], "C", false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], "C.UTF-8", true),
      (["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"], "C", false),
      (["LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8"], "C.UTF-8", true),
    ] as [([String: String], String, Bool)])
  func `the first variable that is set decides whether the terminal has Unicode`(
    variables: [String: String], locale: String, isUnicode: Bool
  ) {
    let environment = Environment(variables)
    #expect(environment.locale == locale)
    #expect(environment.isUnicode == isUnicode)
  }
}
