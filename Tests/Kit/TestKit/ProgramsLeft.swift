import Foundation
import POSIX

/// The programs that this process's tests have started and that still run. They end with the process, before its temporary
/// folders go: one that lived on would make its files anew in a home that is gone.
enum ProgramsLeft {
  /// Kills them and returns when none is left. `folders` are those of this process's tests: a program whose starter was
  /// killed is known by a variable that names one of them.
  static func end(of folders: Set<String>) {
    while true {
      let left = programs(folders)
      if left.isEmpty { return }
      for program in left { kill(program, SIGKILL) }
      var status: Int32 = 0
      for program in left { _ = waitpid(program, &status, 0) }
      // at any pace: one that is not our child ends when the system comes to it.
      usleep(1_000)
    }
  }

  private static func programs(_ folders: Set<String>) -> [pid_t] {
    let own = getpid()
    let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    return all.filter { program in
      guard program != own, let facts = contents("/proc/\(program)/stat"), let end = facts.lastIndex(of: ")") else {
        return false
      }
      // "PID (NAME) STATE PARENT …" in proc_pid_stat(5); the name may have spaces and parentheses.
      let words = facts[facts.index(after: end)...].split(separator: " ")
      guard words.count > 1, words[0] != "Z" else { return false }
      return pid_t(words[1]) == own || names(contents("/proc/\(program)/environ") ?? "", folders)
    }
  }

  /// True if a variable is a path in one of the folders.
  private static func names(_ variables: String, _ folders: Set<String>) -> Bool {
    variables.split { $0 == "\0" || $0 == "=" || $0 == ":" }.contains { word in
      guard let start = word.range(of: "/byteclub-") else { return false }
      let end = word[start.upperBound...].firstIndex(of: "/") ?? word.endIndex
      return folders.contains(String(word[..<end]))
    }
  }
}
