import Basics
import POSIX
import Testing

@Test func `an error number in the system's words`() {
  #expect(SystemError.text(ENOENT) == "No such file or directory")
  #expect(SystemError.text(99_999) == "Unknown error")
}
