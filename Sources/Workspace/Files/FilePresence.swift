import Glibc

/// Whether a file is there.
package enum FilePresence {
  /// Unix time at which a file, or whatever else has this name, was written last; `nil`: nothing has, or it cannot be seen.
  package static func written(_ path: String) -> Double? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }
}
