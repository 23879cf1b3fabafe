extension MediaStatus {
  /// Follows a change of the queue; where one was missed, the order is unknown until it is asked for again.
  mutating func apply(_ change: QueueChange) {
    if let number = change.sequenceNumber {
      let expected = change.kind.known == QueueChange.Kind.none ? queueSequence : queueSequence.map { $0 &+ 1 }
      if let expected, expected != number { queueItemIDs = nil }
      queueSequence = number
    }
    switch change.kind.known {
    case .insert:
      guard var ids = queueItemIDs, let new = change.itemIDs, ids.count + new.count <= Self.queueLimit else {
        queueItemIDs = nil
        return
      }
      ids.insert(contentsOf: new, at: change.insertBefore.flatMap { ids.firstIndex(of: $0) } ?? ids.count)
      queueItemIDs = ids
    case .remove:
      let gone = Set(change.itemIDs ?? [])
      queueItemIDs?.removeAll { gone.contains($0) }
    case .update: queueItemIDs = change.itemIDs ?? queueItemIDs
    case .items, .some(.none), nil: break
    }
  }

  /// How many ids are kept; a device that names more is not believed.
  private static let queueLimit = 32_768
}
