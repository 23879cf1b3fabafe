/// Effects that are decided under a lock and performed outside it, in order, by one performer at a time.
///
/// The owner adds them under its lock and asks ``begin()`` whether the caller has to perform; the performer takes them
/// by ``next()``, under the lock again, until there are none. So an effect may call back at once without a deadlock, and
/// bytes leave in the order that was decided.
package struct EffectPump<Effect> {
  /// What nobody has taken yet, in order; the owner may still change what waits.
  package var waiting: [Effect] = []
  private var hasPerformer = false

  package init() {}

  /// Makes the caller the performer.
  /// - Returns: `false` where nothing waits, or another performs already and will take what waits.
  package mutating func begin() -> Bool {
    if hasPerformer || waiting.isEmpty { return false }
    hasPerformer = true
    return true
  }

  /// What the performer does next; `nil`: nothing is left, and the caller performs no longer.
  package mutating func next() -> [Effect]? {
    if waiting.isEmpty {
      hasPerformer = false
      return nil
    }
    defer { waiting = [] }
    return waiting
  }
}
