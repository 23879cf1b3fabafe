import Glibc

/// An open folder; links are not followed from it.
final class OpenFolder {
  private let folder: OpenFile

  /// `nil` where there is no folder that may be read.
  convenience init?(_ path: String) { self.init(path, in: AT_FDCWD, flags: O_RDONLY | O_DIRECTORY) }

  private init?(_ path: String, in parent: Int32, flags: Int32) {
    do throws(FileError) {
      folder = try Files.open(path, flags, in: parent)
    } catch {
      return nil
    }
  }

  /// What is in it but `.` and `..`, in no order.
  var names: [String] {
    guard let own = try? Files.open(".", O_RDONLY | O_DIRECTORY, in: folder.descriptor).release() else { return [] }
    // The stream closes what it reads from.
    guard let stream = fdopendir(own) else {
      close(own)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// When something was made or removed in it, in Unix seconds.
  var changed: Int? { (try? folder.status())?.st_mtim.tv_sec }

  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// A folder in it.
  func folder(_ name: String) -> OpenFolder? {
    OpenFolder(name, in: folder.descriptor, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  /// What stands in it under a name, which is not followed where it is a link.
  func kind(of name: String) throws(FileError) -> FileKind { try folder.kind(of: name) }

  /// A file in it, to be read.
  func file(_ name: String) throws(FileError) -> OpenFile {
    try Files.open(name, O_RDONLY | O_NOFOLLOW, in: folder.descriptor)
  }

  /// Makes an empty file.
  func makeFile(_ name: String) {
    _ = try? Files.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, in: folder.descriptor)
  }

  func remove(_ name: String, isFolder: Bool) { _ = unlinkat(folder.descriptor, name, isFolder ? AT_REMOVEDIR : 0) }
}

extension Files {
  /// What is in a folder, in no order; nothing where it cannot be read.
  package static func names(in folder: String) -> [String] { OpenFolder(folder)?.names ?? [] }
}
