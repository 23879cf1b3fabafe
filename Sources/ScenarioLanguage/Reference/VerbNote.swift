/// What a verb sends, and when its step is done (docs/language/steps.md "Steps").
struct VerbNote: Sendable {
  let verb: String
  let sends: String?
  let done: String

  private init(_ verb: String, sends: String? = nil, done: String) {
    self.verb = verb
    self.sends = sends
    self.done = done
  }

  static func of(_ verb: String) -> VerbNote? { all.first { $0.verb == verb } }

  static let all: [VerbNote] = [
    VerbNote(
      "discover", sends: "an mDNS query for `_googlecast._tcp`",
      done: "the time is over, or `at_least` devices were seen and `for` is left out"),
    VerbNote("connect", sends: "TLS, `CONNECT`, `GET_STATUS`", done: "the first `RECEIVER_STATUS` came"),
    VerbNote("disconnect", sends: "`CLOSE`", done: "the connection is closed"),
    VerbNote("launch", sends: "`LAUNCH`", done: "the status lists the app with its namespaces"),
    VerbNote("stop_app", sends: "`STOP` to the receiver", done: "our session is gone"),
    VerbNote("volume", sends: "`SET_VOLUME` with a level", done: "the level is there, within one step of the device"),
    VerbNote("mute", sends: "`SET_VOLUME` with muted", done: "the status says so"),
    VerbNote(
      "load", sends: "`LOAD`",
      done:
        "`until` is reached in our own media session; LOAD_FAILED, LOAD_CANCELLED and idle with an error fail at once"),
    VerbNote("queue", sends: "one `QUEUE_LOAD`", done: "as `load`"),
    VerbNote("queue_insert", sends: "`QUEUE_INSERT`", done: "the status shows the items"),
    VerbNote("queue_remove", sends: "`QUEUE_REMOVE`", done: "the items are gone"),
    VerbNote("queue_jump", sends: "`QUEUE_UPDATE` with the item or the jump", done: "the current item has changed"),
    VerbNote("queue_update", sends: "`QUEUE_UPDATE`", done: "the status shows it"),
    VerbNote("queue_reorder", sends: "`QUEUE_REORDER`", done: "the order is in a status or a QUEUE_CHANGE"),
    VerbNote(
      "transfer", sends: "session messages where the app has them, else a `LOAD` of what plays, at its position",
      done: "the target plays the same content within 2 s of the position; only then the source stops"),
    VerbNote("play", sends: "`PLAY`", done: "the player is playing or buffering"),
    VerbNote("pause", sends: "`PAUSE`", done: "the player is paused"),
    VerbNote("stop", sends: "`STOP` to the media", done: "the player is idle"),
    VerbNote("seek", sends: "`SEEK`", done: "the position is within `tolerance` and the player does not buffer"),
    VerbNote("rate", sends: "`SET_PLAYBACK_RATE`", done: "the status shows the rate"),
    VerbNote("tracks", sends: "`EDIT_TRACKS_INFO` with the active tracks", done: "`active_tracks` are these"),
    VerbNote(
      "text_style", sends: "`EDIT_TRACKS_INFO` with the style",
      done: "the status echoes the changed keys; a receiver that does not echo gets a warning"),
    VerbNote(
      "skip_ad", sends: "`SKIP_AD`",
      done: "another clip plays or the break is over; refused at once while the ad may not be skipped, unless `force`"),
    VerbNote("send", sends: "the message as it stands", done: "it is sent, or its reply matched"),
    VerbNote("refresh", sends: "`GET_STATUS`", done: "the reply came; reports mark it `polled`"),
    VerbNote(
      "probe", sends: "HTTP requests from this computer, none to the device",
      done: "the media is reachable with the right type, a CORS header and a valid certificate"),
    VerbNote("wait", done: "that much time has passed; `simulate` does not really wait"),
    VerbNote("wait_until", done: "the condition is true; too late is an error (exit code 6), not a failed expectation"),
    VerbNote("mark", done: "at once"),
    VerbNote("expect", done: "the condition is true, and stayed so `for` that long"),
    VerbNote("always", done: "the window is over; it needs at least one status to judge"),
    VerbNote("never", done: "the window is over; it needs at least one status to judge"),
    VerbNote("expect_sequence", done: "every entry came true, in this order, each with a status of its own"),
    VerbNote("expect_together", done: "the condition is true on all devices at the same time"),
    VerbNote("expect_message", done: "a message of the app matched"),
    VerbNote("fail", done: "never: it ends the run"),
    VerbNote("set", done: "at once"),
    VerbNote("save", done: "at once"),
    VerbNote("log", done: "at once"),
    VerbNote("group", done: "its steps are done"),
    VerbNote("use", done: "the block's steps, which stand in its place, are done"),
    VerbNote("choose", done: "the first choice whose `if` is true is done"),
    VerbNote("repeat", done: "the steps ran `times` often, or `until` is true"),
    VerbNote("for_each", done: "the steps ran for every value"),
    VerbNote("parallel", done: "all branches are done"),
    VerbNote(
      "exec",
      done: "the program ended with exit code 0 and wrote what `output` says"),
  ]
}
