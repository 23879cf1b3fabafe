import Dispatch
import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// What a report is written to.
protocol ReportFile: Sendable {
  /// Never waits for a reader or a disk.
  func write(_ text: String)

  /// Waits for what is not written yet, at most until `deadline`; returns why the report is not whole, or `nil`.
  func close(until deadline: DispatchTime) -> String?
}

extension OutputFile: ReportFile {}

/// The file of a JUnit report, which is whole at every moment: whoever reads it never takes an old run for this one.
final class JUnitFile: ReportFile {
  private struct State {
    var error: Int32 = 0
    var isWritten = false
  }

  private let path: String
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.junit")
  private let work = DispatchGroup()

  /// Where a report goes that is one document; it says `notice` at once, a pipe and standard output get the report alone.
  /// - Throws: A failure with exit code 8.
  static func open(_ path: String, saying notice: String) throws(CommandFailure) -> any ReportFile {
    guard canBeReplaced(path) else { return try OutputFile(path, mode: 0o666) }
    let error = replace(path, with: notice)
    guard error == 0 else {
      throw CommandFailure(.reportNotWritten, "cannot write \(path): \(String(cString: strerror(error)))")
    }
    return JUnitFile(path)
  }

  /// Says why there was no run, wherever `reports` want one document; what goes wrong with it is nobody's concern.
  static func tell(_ notice: RunNotice, in reports: [ReportOption]) {
    for report in reports {
      guard let text = report.kind.notice?(notice) else { continue }
      if canBeReplaced(report.path) {
        _ = replace(report.path, with: text)
      } else if let file = try? OutputFile(report.path, mode: 0o666) {
        file.write(text)
        _ = file.close()
      }
    }
  }

  private init(_ path: String) { self.path = path }

  private static func canBeReplaced(_ path: String) -> Bool {
    var status = stat()
    if path == "-" { return false }
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// - Returns: An error number, or 0.
  private static func replace(_ path: String, with text: String) -> Int32 {
    let error = FileReplacement.put(Array(text.utf8), at: path, mode: 0o666)
    // A file that may be written in a folder that may not, or one that is mounted by itself.
    guard [EACCES, EPERM, EROFS, EBUSY].contains(error), access(path, W_OK) == 0 else {
      // An empty file is told from a report; one of an earlier run is not told from ours.
      if error != 0 { _ = truncate(path, 0) }
      return error
    }
    do throws(CommandFailure) {
      try OutputFile.store(text, at: path, mode: 0o666)
      return 0
    } catch {
      return errno == 0 ? EIO : errno
    }
  }

  func write(_ text: String) {
    thread.async(group: work) {
      let error = Self.replace(self.path, with: text)
      self.state.withLock { $0 = State(error: error, isWritten: true) }
    }
  }

  func close(until deadline: DispatchTime) -> String? {
    let isInTime = work.wait(timeout: deadline) == .success
    return state.withLock { state in
      if state.error != 0 { return "cannot write \(path): \(String(cString: strerror(state.error)))" }
      return isInTime && state.isWritten ? nil : "cannot write \(path): its disk is too slow, the report is missing"
    }
  }
}
