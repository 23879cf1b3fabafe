import Glibc

/// A folder for temporary files, as long as its process needs it. It has files and no folders.
///
/// A lock on a file in it says that the process lives; what a killed process left is removed by a later one.
package final class ScratchFolder: Sendable {
  private static let lockName = "showcaller.lock"
  /// After so many seconds a folder without a lock is one that nobody uses.
  static let lockless = 86_400

  package let path: String
  /// `nil` where the file system knows no locks.
  private let lock: OpenFile?

  /// Makes one in `folder`, with a name that begins with `prefix`, and removes those that nobody uses any more.
  package init(_ prefix: String, in folder: String) throws(FileError) {
    var template = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    lock = try? Self.lock(path)
    // By the clock of the disk.
    if let now = OpenFolder(path)?.changed { Self.removeAbandoned(prefix, in: folder, at: now) }
  }

  /// The file has its name only once it is locked: whoever finds it unlocked knows that nobody uses the folder.
  private static func lock(_ folder: String) throws(FileError) -> OpenFile {
    let name = "\(folder)/\(lockName)"
    let file = try Files.open("\(name).new", O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard try Descriptor.lock(file.descriptor, .exclusive), rename("\(name).new", name) == 0 else { throw .last }
    return file
  }

  package func remove() {
    if let folder = OpenFolder(path) { Self.empty(folder) }
    rmdir(path)
  }

  /// Removes the folders of this user whose processes are gone; links are not followed.
  private static func removeAbandoned(_ prefix: String, in folder: String, at now: Int) {
    guard let parent = OpenFolder(folder) else { return }
    for name in parent.names where name.hasPrefix(prefix) {
      guard let folder = parent.folder(name), let status = folder.status(of: "."), status.st_uid == geteuid() else {
        continue
      }
      if folder.status(of: lockName) == nil {
        // It may just be being made.
        guard now - status.st_mtim.tv_sec > lockless else { continue }
        empty(folder)
      } else {
        guard let lock = try? folder.file(lockName), (try? Descriptor.lock(lock.descriptor, .exclusive)) == true else {
          continue
        }
        empty(folder)
      }
      parent.remove(name, isFolder: true)
    }
  }

  private static func empty(_ folder: OpenFolder) {
    for name in folder.names { folder.remove(name, isFolder: false) }
  }
}
