/// What a library says of virtual receivers (docs/language/library.md "Faults").
extension LanguageSchema {
  static let receiver = MapSpec(
    "`receiver`", topic: "receiver",
    [
      KeySpec("name", .text, default: "Showcaller (virtual)", "Its friendly name."),
      KeySpec("model", .text, default: "Showcaller Virtual Receiver", "Its model, as `discover` shows it."),
      KeySpec(
        "speed", .factor, default: "1x",
        "0.1x to 100x: at `10x` ten minutes of film take one. A simulation has a clock of its own."),
      receiverApps,
    ])

  static let fault = MapSpec(
    "a fault", topic: "faults",
    [
      KeySpec(
        "at", .choice("event", of: ReceiverPlan.Fault.Event.self),
        default: "when the first sender connects",
        "When it goes wrong: a request of a sender (`load`), a state that a status tells (`playing`), a connection."),
      KeySpec("after", .duration, default: "0s", "So long after that."),
      KeySpec("every", .int(1...1_000_000), default: "1", "Only every n-th time: at 3 the third, the sixth and so on."),
      KeySpec("times", .int(1...1_000_000), "So often at most."),
      KeySpec("chance", .fraction, default: "100%", "How likely it is each time; the seed of the run decides."),
      KeySpec(
        "answer", .choice("answer", of: ReceiverPlan.Fault.Answer.self),
        "The request is not carried out, but refused so; `without_id`: carried out, and no message is the answer, as where "
          + "devices answer LAUNCH by LAUNCH_STATUS alone. `load_failed` with `after` fails once LOADING was told."),
      KeySpec("code", .int(1...100_000), default: "104", "The error code of `load_failed` and of `player: error`."),
      KeySpec("reason", .text, "The reason of `invalid_request` and `launch_error`."),
      KeySpec("accept_but_ignore", .bool, "`true`: the request is answered by the status, and nothing changes."),
      KeySpec(
        "drop", .choice("loss", of: ReceiverPlan.Fault.Loss.self),
        "What is lost: the request, its answer, the message that goes out, or all connections, which break off."),
      KeySpec("close", .choice("end", ["connection"]), "All connections end in the orderly way."),
      KeySpec("delay", .duration, "The answers to the request, or the message, go out so much later."),
      KeySpec("duplicate", .bool, "`true`: they go out twice."),
      KeySpec("reorder", .bool, "`true`: they go out behind the next message, or a second later."),
      KeySpec("mute", .bool, "`true`: nothing goes out but the heartbeat."),
      KeySpec("silence", .bool, "`true`: nothing goes out and nothing is taken in, as with a pulled cable."),
      KeySpec(
        "restart", .choice("restart", of: ReceiverPlan.Fault.Restart.self),
        "The receiver starts again and remembers nothing; with another certificate, or at another port."),
      KeySpec("takeover", .text, "Another sender starts this app: `YouTube`, an app id, or an app of `apps:`."),
      KeySpec(
        "player", .choice("player fault", of: ReceiverPlan.Fault.Player.self),
        "`error`: playback breaks off; `stall`: it stands, BUFFERING; `freeze`: it stands, and says PLAYING."),
      KeySpec(
        "status", .choice("status fault", ["stale_when_polled", "without_namespaces"]),
        "`stale_when_polled`: who asks for the media status gets the first one; `without_namespaces`: what apps speak is "
          + "told later."),
      KeySpec(
        "frame", .choice("frame fault", of: ReceiverPlan.Fault.Frame.self),
        "What goes out in place of the message: a frame that says it is too long, one that is no message, half a text."),
      KeySpec("slow_reads", .int(1...1_000_000_000), "So many bytes a second are read."),
      KeySpec(
        "auth", .choice("proof", of: ReceiverPlan.Fault.Proof.self),
        "What is wrong with the proof of what the device is."),
      KeySpec(
        "for", .duration,
        "How long it lasts; of a lost connection or a restart, how long nobody answers. Without it, to the end of the "
          + "connection or a command."),
    ], exclusive: [faultActions], needsOneOf: [faultActions])

  static let faultActions = ReceiverPlan.Fault.Key.allCases.map(\.rawValue)
}
