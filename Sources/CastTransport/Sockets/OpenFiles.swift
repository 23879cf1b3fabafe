import Glibc

/// How many files, sockets included, this process may have open at a time.
package enum OpenFiles {
  /// What the limit is raised to at most: enough for any number of devices that one process serves well, and no burden
  /// for programs we start, some of which walk through all numbers up to the limit.
  private static let sensibleLimit: rlim_t = 65_536

  /// Raises the soft limit as far as the system lets any process, 65 536 at most; never lowers it.
  /// - Returns: The limit from now on.
  @discardableResult
  package static func raiseLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    let wanted = min(limit.rlim_max, sensibleLimit)
    if limit.rlim_cur < wanted {
      let before = limit.rlim_cur
      limit.rlim_cur = wanted
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Whether so many more files can be opened now.
  package static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }
}
