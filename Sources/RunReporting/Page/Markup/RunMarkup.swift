import CastProtocol
import ScenarioLanguage

/// The part of a page that is about one run.
struct RunMarkup {
  let run: RunPageBuilder
  let sources: SourceMarkup
  let pictures: PictureSlots
  /// The name of its element.
  let id: String
  var transcript: RunTranscript { run.transcript }

  /// How many bytes the steps of a run may be, whether or not they failed; how many those that failed may be besides.
  static let stepBytes = 500_000
  static let failureBytes = 500_000
  /// How many bytes of documents are on a page, how many scenarios are told one by one, and how many devices are listed.
  static let sourceBytes = 150_000
  static let scenarioLimit = 300
  static let deviceLimit = 200

  init(_ run: RunPageBuilder, sources: ReportSources) {
    self.run = run
    self.sources = SourceMarkup(sources.texts)
    pictures = PictureSlots(sources)
    id = "run\(sources.number)"
  }

  /// What the run came to, in a word.
  var word: String { transcript.finished?.result.rawValue ?? "unfinished" }
  /// The document, as the command line named it.
  var file: String { transcript.run.documents.first?.file ?? "a run" }

  var html: HTML {
    let timelines = run.timelines
    let parts = max(TimelineMarkup.leastParts, TimelineMarkup.partLimit / max(1, timelines.count))
    var budget = Budget()
    // Each try of a scenario is told. Where there is no room for all, what failed is kept.
    let told = TimelineMarkup.kept(timelines, limit: Self.scenarioLimit) { timeline in
      timeline.scenarios.contains { !isGood($0) }
    }.prefix(Self.scenarioLimit)
    var room = Self.scenarioLimit
    let sections = told.enumerated().map { number, timeline -> HTML in
      let drawing = TimelineMarkup(timeline, id: "\(id)-time\(number + 1)", parts: parts, names: name).html
      let scenarios = TimelineMarkup.kept(timeline.scenarios, limit: room) { !isGood($0) }.prefix(room)
      room -= scenarios.count
      return scenarios.reduce(into: drawing) { $0 += section($1, &budget) }
    }
    let left = transcript.scenarios.count - (Self.scenarioLimit - room)
    let more: HTML = left > 0 ? "<p class=\"left\">\(left) more scenarios are not told one by one.</p>" : ""
    let article: HTML = """
      <article class="run" id="\(id)">
      \(header)\(notice)\(summary)\(problems)\(sections)\(more)\(budget.html)\(environment)
      </article>

      """
    return pictures.filled(article, frame: HTMLPage.frameBytes)
  }

  private func isGood(_ scenario: Int) -> Bool {
    transcript.scenarios.indices.contains(scenario) && transcript.scenarios[scenario].result?.isGood == true
  }

  /// What steps may still take, and what was left out.
  struct Budget {
    var steps = RunMarkup.stepBytes
    var failures = RunMarkup.failureBytes
    var missed = 0
    var missedFailures = 0

    mutating func admits(_ markup: HTML, isBad: Bool) -> Bool {
      if steps >= markup.bytes {
        steps -= markup.bytes
        return true
      }
      if isBad, failures >= markup.bytes {
        failures -= markup.bytes
        return true
      }
      if isBad { missedFailures += 1 } else { missed += 1 }
      return false
    }

    var html: HTML {
      let notes = [
        missed > 0 ? "\(missed) steps that did not fail are not on this page." : nil,
        missedFailures > 0 ? "\(missedFailures) failures are not on this page; the stored events have them." : nil,
      ].compactMap(\.self)
      return notes.isEmpty ? "" : "<ul class=\"left\">\(notes.map { "<li>\($0)</li>" as HTML })</ul>"
    }
  }

  func name(of device: String?) -> String {
    transcript.device(device)?.name ?? device ?? "no device"
  }
}
