/// What was played last, for PLAY_AGAIN.
struct EndedSession: Hashable, Sendable {
  let queue: PlayQueue
  let at: Duration
}
