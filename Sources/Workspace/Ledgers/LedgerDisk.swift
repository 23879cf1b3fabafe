import Glibc

/// The file of a ledger that is written to, and its folder. Used by one thread at a time.
struct LedgerDisk: ~Copyable, Sendable {
  private let folder: String
  private let lineLimit: Int
  private var file: OpenFile?
  private var name = ""
  /// Up to here the file is whole lines.
  private var size = 0
  private var isTorn = false
  private var isDirty = false

  init(_ folder: String, lineLimit: Int) {
    self.folder = folder
    self.lineLimit = lineLimit
  }

  /// Opens a file of the folder, and cuts off a line that is not whole.
  /// - Returns: Its last line.
  @discardableResult
  mutating func open(_ name: String) throws(FileError) -> [UInt8]? {
    try sync()
    file = nil
    let isNew = Files.kind(of: "\(folder)/\(name)") == nil
    let opened = try Files.open("\(folder)/\(name)", O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
    let status = try opened.status()
    let kind = FileKind(status)
    guard kind == .regular else { throw .irregular(kind) }
    let end = try LedgerEnd(of: opened.descriptor, size: Int(status.st_size), limit: lineLimit)
    if end.size < Int(status.st_size) {
      guard ftruncate(opened.descriptor, off_t(end.size)) == 0 else { throw .last }
      isDirty = true
    }
    if isNew { try Self.syncFolder(folder) }
    file = consume opened
    self.name = name
    size = end.size
    isTorn = false
    return end.line
  }

  /// Adds a line, in one write where the disk allows, whole or not at all.
  mutating func write(_ line: String, to name: String) throws(FileError) {
    let isOpen = self.name == name ? try !isGone() : false
    if !isOpen { try open(name) }
    guard let descriptor = file?.descriptor else { throw .system(EBADF) }
    if isTorn {
      guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
    }
    isTorn = true
    isDirty = true
    try Descriptor.write(line, to: descriptor)
    size += line.utf8.count
    isTorn = false
  }

  /// Waits until what was written is on the disk.
  mutating func sync() throws(FileError) {
    guard isDirty, let descriptor = file?.descriptor else { return }
    // Not again after a failure: the system has forgotten what it could not write.
    isDirty = false
    guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw .last }
  }

  /// Whether somebody removed the file: what is written there is in no folder.
  private func isGone() throws(FileError) -> Bool {
    switch file {
    case .some(let file): try file.status().st_nlink == 0
    case .none: true
    }
  }

  /// A new name is only there after a power cut when its folder is on the disk, too.
  private static func syncFolder(_ folder: String) throws(FileError) {
    let opened = try Files.open(folder, O_RDONLY | O_DIRECTORY)
    guard fsync(opened.descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw .last }
  }
}
