import CastProtocol
import ScenarioLanguage

/// Takes the events of a run, one at a time, and makes its part of a page. What it keeps is bounded, however long the
/// run is.
struct RunPageBuilder: ReportContent {
  private(set) var transcript: RunTranscript
  private(set) var files = FilesInOrder()
  private(set) var problems: [EventKind.Problem] = []
  /// Problems for which there was no room.
  private(set) var missedProblems = 0
  /// How many events came.
  private(set) var count = 0
  private var timelineBuilder = TimelineBuilder()
  private let sources: ReportSources

  static let problemLimit = 100

  init(_ sources: ReportSources) {
    transcript = RunTranscript(sources)
    self.sources = sources
  }

  /// The files that events speak of, each once, the documents first.
  struct FilesInOrder: Sendable {
    static let limit = 50
    private(set) var names: [String] = []

    mutating func add(_ name: String?) {
      guard let name, names.count < Self.limit, !names.contains(name) else { return }
      names.append(name)
    }
  }

  mutating func record(_ event: Event) {
    count += 1
    transcript.record(event)
    timelineBuilder.record(event, in: transcript)
    switch event.kind {
    case .runStarted(let started): for document in started.documents { files.add(document.file) }
    case .diagnostic(let problem):
      files.add(problem.place?.file)
      if problems.count < Self.problemLimit { problems.append(problem) } else { missedProblems += 1 }
    case .stepStarted(let step): files.add(step.place?.file)
    case .expectFailed(let failed): files.add(failed.place?.file)
    case .monitorFailed(let broken): files.add(broken.place?.file)
    default: break
    }
  }

  var timelines: [RunTimeline] { timelineBuilder.finished }

  var kept: HTMLPage.Part { HTMLPage.Part(RunMarkup(self, sources: sources)) }
}
