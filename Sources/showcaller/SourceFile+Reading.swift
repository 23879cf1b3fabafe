import Glibc
import ScenarioLanguage

extension SourceFile {
  /// Documents over this are not read to their end; the compiler refuses them by its own, equal limit.
  private static let byteLimit = 1 << 20

  /// Reads a document; `-` is standard input. Only regular files and pipes are read, and never more than 1 MiB and a byte.
  init(readingFrom path: String) throws(CommandFailure) {
    let name = path == "-" ? "<stdin>" : path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .commandLineWrong, "cannot read \(name): \(String(cString: strerror(errno)))",
        help: errno == ENOENT ? "check the path; it is relative to the directory the command runs in" : nil)
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var status = stat()
    if path != "-", fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw CommandFailure(.commandLineWrong, "cannot read \(name): it is no regular file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Self.byteLimit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(.commandLineWrong, "cannot read \(name): \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    self.init(name: name, bytes: bytes)
  }
}
