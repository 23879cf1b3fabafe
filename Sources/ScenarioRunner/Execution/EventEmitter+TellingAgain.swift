import CastProtocol
import RunReporting

extension EventEmitter {
  /// Tells a step of an earlier part of the run again, with those that ran inside it.
  func tellAgain(_ done: JournalEntry.Done, with inner: [JournalEntry.Done], document: String) {
    if !inner.isEmpty {
      let told = EventKind.StepFinished(fields: done.told)
      var started = EventKind.StepStarted()
      (started.verb, started.name, started.section) = (told.verb ?? "", told.name ?? "", told.section)
      (started.parent, started.pass, started.place) = (told.parent, told.pass, told.place)
      emit(.stepStarted(started), document: document, device: done.device, step: done.step)
    }
    for done in inner + [done] {
      var told = EventKind.StepFinished(fields: done.told)
      told.resumed = .taken
      // The events of the earlier run have the statuses that it was judged by.
      if told.result.isBad, told.reason == nil { told.reason = done.failure?.message }
      emit(.stepFinished(told), document: document, device: done.device, step: done.step)
    }
  }
}
