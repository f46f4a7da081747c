import CursesTerminal
import POSIX
import TextUI

// A program that does with a terminal all that can be done, for the end-to-end tests.

let terminal: CursesTerminal
do {
  terminal = try CursesTerminal(options: CursesOptions(mouse: getenv("PROBE_NO_MOUSE") == nil))
} catch {
  print(error)
  exit(1)
}
let probe = Probe(terminal)
probe.run()
terminal.close()
print("probe ended")
