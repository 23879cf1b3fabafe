import Glibc

/// Why a file cannot be read or written.
package enum FileError: Error, Hashable, Sendable {
  /// What the system answered, an error number of `errno`.
  case system(Int32)
  /// It is something else than a regular file.
  case irregular(FileKind)
  /// It may be replaced, but its mode says that it must not be changed.
  case readOnly
  /// It holds more than this many bytes.
  case tooLarge(limit: Int)

  /// The error number that says the same.
  package var code: Int32 {
    switch self {
    case .system(let code): code
    case .readOnly: EACCES
    case .irregular(.folder): EISDIR
    case .irregular(.link): ELOOP
    case .irregular: EINVAL
    case .tooLarge: EFBIG
    }
  }

  /// A fragment for people, in the system's words where it has some.
  package var message: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .readOnly: "it is read-only"
    case .irregular(let kind): "it is \(kind.rawValue)"
    case .tooLarge(let limit): "it is larger than \(limit >> 10) KiB"
    }
  }

  /// What the system has just answered.
  static var last: FileError { .system(errno) }
}

/// What stands at a path.
package enum FileKind: String, Hashable, Sendable {
  case regular = "a file"
  case folder = "a folder"
  case link = "a link"
  case pipe = "a pipe"
  case socket = "a socket"
  case device = "a device"

  /// As the system tells it.
  init(_ status: stat) {
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }
}
