import Glibc

/// The browser of the desktop that this terminal belongs to.
enum DesktopBrowser {
  /// Whether there is a display to show one on.
  static func isHere(_ environment: Environment) -> Bool {
    environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens an https address, or one of this machine, with `xdg-open`. Blocks until that has handed it on. False when it
  /// could not.
  static func open(_ address: String) -> Bool {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return false }
    var texts: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
    defer { for text in texts { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    // Ctrl-C in the terminal is for byteclub, not for the browser that may be started here.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var child = pid_t()
    guard posix_spawnp(&child, "xdg-open", &actions, &attributes, &texts, environ) == 0 else { return false }
    // A browser that was not running before may stay in the foreground: it has then been opened all the same.
    for _ in 0..<100 {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      usleep(50_000)
    }
    return true
  }
}
