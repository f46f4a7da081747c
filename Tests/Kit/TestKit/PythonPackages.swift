import Basics
import POSIX

/// Packages of PyPI for tests, in a virtual environment that `scripts/test` makes.
public enum PythonPackages {
  /// Its Python; nil without one.
  public static let python: String? = getenv("BYTECLUB_TEST_PYTHON").map { String(cString: $0) }

  public static let reason = "moto and botocore are not here: scripts/test fetches them from PyPI, and could not"

  /// The path of a script of `scripts/test.d`.
  public static func script(_ name: String) -> String? {
    let path = Folders.absolute("scripts/test.d/" + name)
    return access(path, R_OK) == 0 ? path : nil
  }
}
