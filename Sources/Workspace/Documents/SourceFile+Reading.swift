import Glibc
package import ScenarioLanguage

extension SourceFile {
  /// Documents over this are not read to their end; the compiler refuses them by its own, equal limit.
  static let byteLimit = 1 << 20

  /// Reads a document; `-` is standard input. Only regular files and pipes that the shell opened are read, and never more
  /// than 1 MiB and a byte.
  /// - Throws: Where it cannot be read, with a cure.
  package init(readingFrom path: String, standardInput: Int32 = STDIN_FILENO) throws(WorkspaceError) {
    let name = path == "-" ? "<stdin>" : path
    guard !path.isEmpty else {
      throw WorkspaceError(
        .commandLineWrong, "a name of a file is empty", help: "is a variable of the shell not set?")
    }
    do throws(FileError) {
      if path == "-" {
        self.init(name: name, bytes: try Descriptor.read(standardInput, atMost: Self.byteLimit + 1))
        return
      }
      let file = try Files.open(path, O_RDONLY)
      let status = try file.status()
      let kind = FileKind(status)
      guard kind == .regular || kind == .pipe && Self.isOfShell(path) else { throw .irregular(kind) }
      let bytes = try Descriptor.read(
        file.descriptor, atMost: Self.byteLimit + 1, expecting: kind == .regular ? Int(status.st_size) : 1 << 16)
      self.init(name: name, bytes: bytes)
    } catch {
      throw Self.failure(name, error)
    }
  }

  /// `<(...)` of a shell: its other end writes already, which a pipe in the file system may never see.
  private static func isOfShell(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func failure(_ name: String, _ error: FileError) -> WorkspaceError {
    var message = error.message
    var help: String?
    if case .irregular(let kind) = error {
      message = kind == .folder ? "it is a folder" : "it is no regular file"
      help =
        kind == .folder
        ? "name one of the documents in it; `check`, `run` and `fmt` take folders"
        : "name it `-` and redirect standard input to read from a pipe or a device"
    } else if name.unicodeScalars.contains("\u{FFFD}") {
      help = "names of files are UTF-8 here: rename it"
    } else if error.code == ENOENT || error.code == ENOTDIR {
      help = "check the path; it is relative to the directory the command runs in"
    } else if error.code == EACCES {
      help = "you may not read it: see `ls -l`"
    }
    return WorkspaceError(.notReadable, "cannot read \(name): \(message)", help: help)
  }
}
