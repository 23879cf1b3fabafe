import Glibc

extension Descriptor {
  /// How many openings may hold a lock at the same time.
  package enum LockKind: Sendable {
    /// Any number of holders, as long as all of them share it.
    case shared
    /// One holder alone.
    case exclusive
  }

  /// Takes the kernel's lock of an open file, without waiting. It ends with the last descriptor of this opening: when that
  /// is closed, or when the process ends, however it ends.
  ///
  /// - Returns: Whether the lock was free; false where another opening has it.
  /// - Throws: Where the file system knows no locks.
  package static func lock(_ descriptor: Int32, _ kind: LockKind) throws(FileError) -> Bool {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while flock(descriptor, operation | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last }
    }
    return true
  }

  /// Ends the lock of an opening at once, though a program that is being started may still have a copy of the descriptor:
  /// it is closed there only when the program has begun.
  package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}
