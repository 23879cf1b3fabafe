extension EventKind.StepFinished.Resumption {
  /// Its words in reports.
  package var text: String {
    switch self {
    case .taken: "taken over from the run before"
    case .adopted: "adopted: the device had it from the run before"
    case .replayed: "replayed: the run before ended while it was under way"
    case .skipped: "not done again: the run before ended while it was under way"
    }
  }
}
