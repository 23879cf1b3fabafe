import Glibc
package import ScenarioLanguage

extension SourceFile {
  /// Documents over this are not read to their end; the compiler refuses them by its own, equal limit.
  private static let byteLimit = 1 << 20

  /// Reads a document; `-` is standard input. Only regular files and pipes that the shell opened are read, and never more
  /// than 1 MiB and a byte.
  package init(readingFrom path: String) throws(WorkspaceError) {
    let name = path == "-" ? "<stdin>" : path
    guard !path.isEmpty else {
      throw WorkspaceError(
        .commandLineWrong, "a name of a file is empty", help: "is a variable of the shell not set?")
    }
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(name, errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    if path != "-" { try Self.check(descriptor, path) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Self.byteLimit {
      switch DescriptorReader.read(descriptor, into: &chunk) {
      case .success(0):
        self.init(name: name, bytes: bytes)
        return
      case .success(let count): bytes += chunk.prefix(count)
      case .failure(let error): throw Self.failure(name, error.code)
      }
    }
    self.init(name: name, bytes: bytes)
  }

  private static func failure(_ name: String, _ code: Int32) -> WorkspaceError {
    var help: String?
    if name.unicodeScalars.contains("\u{FFFD}") {
      help = "names of files are UTF-8 here: rename it"
    } else if code == ENOENT || code == ENOTDIR {
      help = "check the path; it is relative to the directory the command runs in"
    } else if code == EACCES {
      help = "you may not read it: see `ls -l`"
    }
    return WorkspaceError(.notReadable, "cannot read \(name): \(String(cString: strerror(code)))", help: help)
  }

  /// - Throws: What is no document, and would perhaps never end.
  private static func check(_ descriptor: Int32, _ path: String) throws(WorkspaceError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    let type = status.st_mode & S_IFMT
    // `<(...)` of a shell: its other end writes already, which a pipe in the file system may never see.
    if type == S_IFIFO, path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") {
      return
    }
    guard type != S_IFREG else { return }
    throw WorkspaceError(
      .notReadable, "cannot read \(path): \(type == S_IFDIR ? "it is a folder" : "it is no regular file")",
      help: type == S_IFDIR
        ? "name one of the documents in it; `check` and `fmt` take folders, too"
        : "name it `-` and redirect standard input to read from a pipe or a device")
  }
}

/// Reads from a descriptor that somebody else opened.
package enum DescriptorReader {
  /// What the system answered.
  package struct Failure: Error {
    /// An error number.
    package var code: Int32
  }

  /// How much was read, 0 at the end; waits where the descriptor would not.
  package static func read(_ descriptor: Int32, into chunk: inout [UInt8]) -> Result<Int, Failure> {
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return .success(count) }
      if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return .failure(Failure(code: errno))
      }
    }
  }
}
