/// A kind of report: a view of a run's events, made from nothing else.
///
/// A new kind is a file with a value of this type, and a line in ``all``.
package struct ReportKind: Sendable {
  /// Writes some text of a report; throws where it cannot.
  package typealias Write = @Sendable (String) throws -> Void

  /// `junit`, as in `--report junit=PATH`.
  package let name: String
  /// What is written, for help: `a JUnit document`.
  package let summary: String
  /// What stands in the report's file where there is no run, or none that is over. A kind with it is one document,
  /// written at once when the run is over; `nil` for one that grows line by line.
  package let notice: (@Sendable (RunNotice) -> String)?
  /// Makes the report of a run.
  package let make: @Sendable (_ sources: ReportSources, _ write: @escaping Write) -> any RunReport
  /// Makes the one report of several documents that are run one after the other.
  package let makeForSeveral: @Sendable (_ write: @escaping Write) -> any SeriesReport

  /// All kinds, in the order in which help names them.
  package static let all: [ReportKind] = [
    .json,
    .junit,
    .html,
    .tap,
    .ctrf,
    .github,
    .markdown,
    .trace,
    .otlp,
    .console,
  ]

  package init(
    name: String, summary: String, notice: (@Sendable (RunNotice) -> String)? = nil,
    make: @escaping @Sendable (_ sources: ReportSources, _ write: @escaping Write) -> any RunReport,
    makeForSeveral: @escaping @Sendable (_ write: @escaping Write) -> any SeriesReport
  ) {
    self.name = name
    self.summary = summary
    self.notice = notice
    self.make = make
    self.makeForSeveral = makeForSeveral
  }

  /// The kind of this name.
  package init?(named name: String) {
    guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// `json, junit, ... or console`.
  package static var names: String { list(all.map(\.name)) }

  /// `a, b or c`.
  package static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension ReportKind: Hashable {
  package static func == (left: ReportKind, right: ReportKind) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A report of one run, which takes its events in order.
package protocol RunReport: EventSink {
  /// Writes what is still to be written of a run that did not come to its end; nothing more follows.
  func endOfStream()
  /// Why it is not whole; `nil` while all is well.
  var writeError: (any Error)? { get }
}

extension RunReport {
  package func endOfStream() {}
}
