import POSIX

/// Processor time of this thread in seconds: other threads and programs do not add to it.
public enum ThreadTime {
  public static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
