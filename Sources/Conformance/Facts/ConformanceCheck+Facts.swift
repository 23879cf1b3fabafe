extension ConformanceCheck {
  /// What is kept of the messages of this check, whatever its verdict.
  package var facts: [WireFact] { Self.factsByID[id] ?? [] }

  static let factsByID: [String: [WireFact]] = [
    "receiver.status": [.volumeControl, .volumeStep, .statusMembers],
    "receiver.launch": [.launchAnswer, .appMembers, .appNamespaces],
    "receiver.launch-unknown": [.launchError],
    "receiver.launch-nothing": [.launchError, .receiverRefusal],
    "receiver.availability": [.availability],
    "receiver.unknown-request": [.receiverRefusal],
    "receiver.stop-unknown": [.receiverRefusal],
    "volume.while-muted": [.mutedAfterLevel],
    "media.load": [.loadAnswer, .mediaCommands, .playingMembers],
    "media.load-again": [.idleReason],
    "media.load-failed": [.loadFailure],
    "media.pause": [.pausedRate],
    "media.seek-past-end": [.idleReason],
    "media.seek-nowhere": [.mediaRefusal],
    "media.rate-too-fast": [.mediaRefusal],
    "media.stop": [.idleReason, .afterEnd],
    "media.after-stop": [.mediaRefusal],
    "media.unknown-request": [.mediaRefusal],
    "media.wrong-session": [.mediaRefusal],
    "tracks.unknown": [.mediaRefusal],
    "queue.insert": [.queueNews],
    "queue.remove": [.queueNews],
    "queue.reorder": [.queueNews],
    "queue.past-end": [.idleReason],
  ]
}
