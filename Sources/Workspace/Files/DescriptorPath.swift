/// Paths that name what is open already, such as `/dev/stderr`.
enum DescriptorPath {
  /// The descriptor that a path names; `nil` for every other path.
  ///
  /// Opening such a path anew gives a position of its own, so that two writers of one file overwrite each other.
  static func number(of path: String) -> Int32? {
    switch path {
    case "/dev/stdin": 0
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    default:
      ["/dev/fd/", "/proc/self/fd/"].lazy.filter(path.hasPrefix).compactMap { Int32(path.dropFirst($0.utf8.count)) }
        .first { $0 >= 0 }
    }
  }
}
