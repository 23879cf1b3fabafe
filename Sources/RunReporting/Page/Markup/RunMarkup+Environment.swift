import CastProtocol
import ScenarioLanguage

/// How it was run, and from what.
extension RunMarkup {
  var environment: HTML {
    let about = transcript.run
    let stalls = run.timelines.flatMap(\.devices).compactMap { device in
      device.longestStall.map { (device: device.id, stall: $0) }
    }.filter { $0.stall.length >= 0.05 }.max { $0.stall.length < $1.stall.length }
    let command = (["showcaller"] + about.arguments).map(ShellWord.quoted).joined(separator: " ")
    let missed = transcript.failuresWithoutMessages
    let failures = missed == 1 ? "1 failure" : "\(missed) failures"
    let left = missed == 0 ? "" : ", but not of \(failures), for which there was no room"
    let facts: [(String, String?)] = [
      ("tool", about.tool.isEmpty ? nil : about.tool), ("language", about.language == 0 ? nil : String(about.language)),
      ("computer", about.host), ("command", about.arguments.isEmpty ? nil : command),
      ("goes on with run", about.resumes),
      ("events", "\(run.count)"),
      (
        "messages",
        (transcript.messageCount == 0
          ? "--wire records all; the last ones before a failure are told with it"
          : "\(transcript.messageCount) recorded; those before a failure are told with it") + left
      ),
      (
        "longest buffering",
        stalls.map {
          "\(TimelineMarkup.seconds($0.stall.length)) from +\(TimelineMarkup.seconds($0.stall.since)) on \(name(of: $0.device))"
        }
      ),
    ]
    let list = facts.compactMap { name, value -> HTML? in
      value.map { "<dt>\(name)</dt><dd>\(HTML.cut($0, to: 2_000))</dd>" }
    }
    let texts = sources.whole(run.files.names, limit: Self.sourceBytes)
    let documents: HTML = texts.text.isEmpty ? "" : "<h3>Documents as they were run</h3>\(texts)"
    return "<section class=\"environment\"><h3>Environment</h3><dl class=\"facts\">\(list)</dl>\(documents)</section>"
  }
}
