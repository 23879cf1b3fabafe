import Foundation
import Glibc
import Testing

@testable import Workspace

/// A folder of its own for a test, removed with all that is in it.
final class TemporaryFolder: Sendable {
  /// Its path without links.
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "workspace-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = try Files.realPath(of: url.path(percentEncoded: false)).trimmedSlash
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a file, and the folders that it lies in.
  @discardableResult
  func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
    try folder(Files.folder(of: name))
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    chmod(path(name), mode)
    return path(name)
  }

  @discardableResult
  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  func link(_ name: String, to target: String) throws {
    try folder(Files.folder(of: name))
    try #require(symlink(target, path(name)) == 0)
  }

  func pipe(_ name: String) throws { try #require(mkfifo(path(name), 0o600) == 0) }

  func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

  func names(_ name: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  func mode(_ name: String) -> mode_t? { status(name).map { $0.st_mode & 0o7777 } }

  /// A copy of the descriptor by which this process has a file open, as a program that is being started has for a moment.
  func copyOfDescriptor(_ name: String) throws -> OpenFile {
    let ours = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
      .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path(name) }
    return OpenFile(adopting: dup(try #require(ours.first)))
  }

  /// Of what stands there itself, not of what a link leads to.
  func status(_ name: String) -> stat? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status : nil
  }

  /// Makes a file or a folder look as if it was last changed so many seconds ago.
  func age(_ name: String, _ seconds: Int) throws {
    let then = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path(name), [then, then], AT_SYMLINK_NOFOLLOW) == 0)
  }
}

extension String {
  fileprivate var trimmedSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}

extension Surroundings {
  /// Those of somebody who lives in `folder`, at a time that stands still.
  static func living(
    in folder: TemporaryFolder, at now: Double = 1_800_000_000, _ variables: [String] = []
  ) -> Surroundings {
    Surroundings(environment: Environment(entries: variables + ["HOME=\(folder.path)"]), unixTime: { now })
  }
}
