/// The files by which another scheduler starts a scenario (docs/language/schedules.md "Other schedulers").
package struct ScheduleExport: Hashable, Sendable {
  package enum Target: String, Hashable, Sendable, CaseIterable {
    case systemd, cron, kubernetes
  }

  /// A file, by its name without folders.
  package struct File: Hashable, Sendable {
    package var name: String
    package var text: String
  }

  /// What the exported files are about.
  package struct Subject: Hashable, Sendable {
    /// The document's id, of which names are made.
    package var id: String
    package var title: String
    /// The document, from `/`.
    package var path: String
    /// The program that runs it, from `/`.
    package var program: String
    /// What comes between `run` and the document: `--set` and the like, with paths from `/`.
    package var options: [String]
    /// The container image that has both, for Kubernetes.
    package var image: String

    package init(id: String, title: String, path: String, program: String, options: [String] = [], image: String) {
      self.id = id
      self.title = title
      self.path = path
      self.program = program
      self.options = options
      self.image = image
    }

    /// What a unit, a job or a lock may be called.
    var name: String {
      let plain = id.lowercased().unicodeScalars.map { scalar in
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
      }
      // What Kubernetes makes of a job's name gets eleven more characters, and has 63 at most.
      let short = String(plain).split(separator: "-").joined(separator: "-").prefix(40)
      return "showcaller-" + (short.isEmpty ? "scenario" : String(short))
    }
  }

  /// Why a schedule cannot be exported, and what to do.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
    package var help: String
    package var span: SourceSpan
  }

  package var files: [File] = []
  /// What the other scheduler does differently.
  package var warnings: [String] = []

  /// - Throws: Where the target cannot do what a schedule says.
  package init(_ schedules: [Schedule], of subject: Subject, for target: Target) throws(Failure) {
    // A `CRON_TZ` goes on to the end of a crontab: what has no zone comes before.
    let ordered =
      target == .cron ? schedules.filter { $0.timeZone == nil } + schedules.filter { $0.timeZone != nil } : schedules
    for (index, schedule) in ordered.enumerated() {
      let name = schedules.count == 1 ? subject.name : "\(subject.name)-\(index + 1)"
      switch target {
      case .systemd: try addSystemd(schedule, of: subject, called: name)
      case .cron: try addCron(schedule, of: subject)
      case .kubernetes: try addKubernetes(schedule, of: subject, called: name)
      }
    }
    if target == .kubernetes { joinFiles(called: "\(subject.name).yaml", by: "---\n") }
    if target == .cron { joinFiles(called: "\(subject.name).cron", by: "") }
  }

  mutating func warn(_ text: String) { if !warnings.contains(text) { warnings.append(text) } }

  /// What all targets leave to `serve`.
  func refuseOverlap(_ schedule: Schedule, _ target: String) throws(Failure) {
    guard schedule.overlap != .skip else { return }
    throw Failure(
      message: "\(target) cannot do `overlap: \(schedule.overlap.rawValue)`",
      help: "`showcaller serve` can; or leave it out: then a run that is due while the last one goes on is left out",
      span: schedule.span)
  }

  /// Clocks change as the target has it.
  /// - Parameter skips: Whether it leaves out a time that clocks skip.
  mutating func warnOfClocks(_ schedule: Schedule, _ target: String, skips: Bool) {
    if skips, schedule.missing == .runAfter, schedule.timeZone != "UTC", schedule.recurrence.comesAtNight {
      warn("\(target) leaves out a time that clocks skip at night; `showcaller serve` runs it right after")
    }
    guard !schedule.recurrence.ignoresClockChanges, schedule.missing != .runAfter || schedule.repeated != .once else {
      return
    }
    warn("\(target) has rules of its own for the nights when clocks change: `dst` of the schedule is not exported")
  }

  private mutating func joinFiles(called name: String, by separator: String) {
    guard !files.isEmpty else { return }
    files = [File(name: name, text: files.map(\.text).joined(separator: separator))]
  }
}
