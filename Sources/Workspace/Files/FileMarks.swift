import Glibc

/// What tells that files were changed: by whom they are replaced, when they were written, how large they are.
package struct FileMarks: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var device: UInt
    var number: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  /// `nil` for a file that is not there.
  private var marks: [String: Mark?] = [:]

  /// Those of the files at these paths, as they are now.
  package init(of paths: [String]) {
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else {
        marks[path] = .some(nil)
        continue
      }
      marks[path] = Mark(
        device: UInt(status.st_dev), number: UInt(status.st_ino), size: Int(status.st_size),
        seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
    }
  }
}
