/// Runs that came to worse than all of their scenarios: they were ended from outside, between two of them.
extension RunTranscript {
  /// How it was ended, such as `interrupted`; `nil` where it has no end, or one that its scenarios say.
  var cut: String? {
    guard let finished, !finished.result.isGood else { return nil }
    let results = finalScenarios.compactMap(\.result)
    if results.contains(.error) || results.contains(finished.result) { return nil }
    return wayOut ?? "ended"
  }

  /// How a person or the system ended it, as its exit code says.
  var wayOut: String? {
    switch finished.flatMap({ Int32(exactly: $0.exit) }).flatMap(RunExit.init) {
    case .interrupted?: "interrupted"
    case .terminated?: "terminated"
    default: nil
    }
  }

  /// What its scenarios do not say of its end.
  var endNotice: RunNotice? {
    let file = run.documents.first?.file ?? ""
    if finished == nil { return .notFinished(file, fate, at: time) }
    return cut.map { .cut(file, because: $0, at: time) }
  }
}
