import Dispatch
package import RunReporting

/// A report that is asked for, and where it goes.
package struct ReportTarget: Sendable {
  package let kind: ReportKind
  /// `-` is standard output.
  package let path: String
  /// Whether nobody asked for it: it is added to what stands in the file, and where it cannot be written nothing is
  /// said.
  package let isUnasked: Bool

  package init(_ kind: ReportKind, _ path: String, isUnasked: Bool = false) {
    self.kind = kind
    self.path = path
    self.isUnasked = isUnasked
  }

  /// Reads `junit=out.xml`; `nil` for what has no known kind or no path.
  package init?(spelled text: String) {
    guard let equals = text.firstIndex(of: "="), let kind = ReportKind(named: String(text[..<equals])) else {
      return nil
    }
    let path = String(text[text.index(after: equals)...])
    guard !path.isEmpty else { return nil }
    self.init(kind, path)
  }

  /// What there is, and how it is written.
  package static var usage: String {
    let words = ReportKind.list(ReportKind.all.map { "`\($0.name)=PATH`" })
    return "write \(words), where - is standard output"
  }

  private static let mode: UInt32 = 0o666

  /// Opens its file before the run of `document` begins. A report that is one document is whole at every moment: it says
  /// at once that the run is not finished, so that nobody takes an old run for this one. A pipe and standard output get
  /// the report alone.
  /// - Parameter report: The command that tells later what became of the run, where it has a folder.
  /// - Throws: Where it cannot be written.
  package func open(
    of document: String, report: String? = nil, in surroundings: Surroundings
  ) throws(WorkspaceError) -> any ReportDestination {
    if isUnasked {
      return UnaskedReport(kind, try? ReportFile(path, mode: Self.mode, appending: true, in: surroundings))
    }
    guard let notice = kind.notice, canBeReplaced else {
      return try ReportFile(path, mode: Self.mode, in: surroundings)
    }
    let text = notice(.notFinished(document, report: report, at: surroundings.unixTime()))
    return try ReplacedFile(path, mode: Self.mode, holding: text)
  }

  /// Says why there was no run, where the report is one document; what goes wrong with it is nobody's concern.
  package func tell(_ notice: RunNotice, in surroundings: Surroundings) {
    guard let text = kind.notice?(notice) else { return }
    if canBeReplaced {
      try? ReplacedFile.replace(path, with: text, mode: Self.mode)
    } else if let file = try? open(of: notice.file, in: surroundings) {
      file.write(text)
      _ = file.close(until: DispatchTime.now() + DispatchTimeInterval.seconds(5))
    }
  }

  private var canBeReplaced: Bool { !isUnasked && ReplacedFile.canBe(at: path) }

  /// A report must not overwrite what the run is read from.
  /// - Parameter files: The paths that are read; `-` and `<stdin>` are none.
  package static func refuse(_ targets: [ReportTarget], over files: [String]) throws(WorkspaceError) {
    for target in targets where target.path != "-" {
      for file in files where file != "-" && file != "<stdin>" && FileIdentity.areSame(target.path, file) {
        let names = target.path == file ? file : "\(target.path), which is \(file)"
        throw WorkspaceError(
          .commandLineWrong, "a report would overwrite \(names)", help: "give the report a file of its own")
      }
    }
  }

  /// Two reports in one file would both be lost.
  package static func refuseSharedFiles(_ targets: [ReportTarget]) throws(WorkspaceError) {
    let targets = targets.filter { !$0.isUnasked }
    for (index, target) in targets.enumerated() {
      guard let earlier = targets[..<index].first(where: { FileIdentity.areSame($0.path, target.path) }) else {
        continue
      }
      let names = earlier.path == target.path ? target.path : "\(earlier.path) and \(target.path)"
      throw WorkspaceError(
        .commandLineWrong, "two reports go to the same file: \(names)", help: "give each a file of its own")
    }
  }
}
