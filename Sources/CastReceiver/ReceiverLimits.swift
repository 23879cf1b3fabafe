/// What senders may use up at most. Source: docs/security.md V2. App sessions need no limit: there is one at a time.
enum ReceiverLimits {
  static let connections = 64
  static let virtualConnectionsPerConnection = 256
  /// UTF-8 bytes of an endpoint id; longer ones are no real sender's.
  static let endpointIDLength = 256
  /// Apps asked for in one GET_APP_AVAILABILITY, and the length of each id.
  static let appIDsPerRequest = 256
  static let appIDLength = 64
  /// Bytes of the JSON of one `media`: leaves room for the rest of a status in a frame of 64 KiB.
  static let mediaLength = 48 * 1024
  /// Bytes of the JSON of one `media` that is repeated in `items` and `extendedStatus`.
  static let repeatedMediaLength = 16 * 1024
  /// How deep a `media` may nest: leaves room for what a status wraps around it.
  static let mediaDepth = 32
  static let tracks = 256
  static let breaks = 64
  static let clipsPerBreak = 16
  /// Items of one queue, and the bytes of their JSON.
  static let queueItems = 2000
  static let queueLength = 4 * 1024 * 1024
  /// Bytes of the JSON of `queueData` without its items.
  static let queueDataLength = 4 * 1024
  /// Bytes that `items` may take in a status, and in the other messages that list items.
  static let itemsPerStatusLength = 24 * 1024
  static let itemsPerMessageLength = 56 * 1024
  /// Commands that wait for a load.
  static let heldCommands = 64
  /// Messages that wait for the time that a device takes to answer; with more there is no dawdling.
  static let delayedMessages = 4096
  /// What faults keep waiting; more is dropped, and a sender whose bytes would be more is cut off.
  static let waitingFaults = 4096
  /// Bytes of all senders that a receiver which reads slowly keeps.
  static let unreadBytes = 1024 * 1024
  /// Requests whose answers a fault is still to spoil.
  static let faultyRequests = 256
  /// How often one input may bring faults that bring faults; what then waits is dropped.
  static let faultRounds = 64
  /// How long a page may take until it is ready.
  static let pageStart = Duration.seconds(20)
  /// Bytes of one message of a page: leaves room for its addresses in a frame of 64 KiB.
  static let pageMessageLength = 62 * 1024
  /// Namespaces of a page, and the characters of its status text.
  static let pageNamespaces = 64
  static let statusTextLength = 1024
  /// Items that may follow each other by themselves within a second: more is no queue but a loop.
  static let itemChangesPerSecond = 64
}
