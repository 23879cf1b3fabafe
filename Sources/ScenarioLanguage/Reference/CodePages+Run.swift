extension CodePages {
  static let run: [CodePage] = [
    CodePage(
      .r701, "device not found",
      why:
        "No device on the network answers to what the document asks for: it is off, in another network, or has another "
        + "name.",
      cure:
        "Compare with `showcaller discover`; names count with their capitals. Where mDNS does not get through, name "
        + "the address.",
      from: .run, wrong: on("device: Living Rom TV"), right: on("device: { host: 192.0.2.14 }")),
    CodePage(
      .r702, "ambiguous device", why: "Several devices fit, and a run is for one.",
      cure: "Name it by its `id`, which is unique and survives a new name, or say `devices:` for a run on each.",
      from: .run, wrong: on("device: { model_like: \"Chromecast*\" }"),
      right: on("device: { id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b }")),
    CodePage(
      .r703, "busy",
      why:
        "Another run or command of this computer has the device, which its message names; each keeps its device for "
        + "itself until it ends. One that only looks, such as `status` and `watch`, needs no lock.",
      cure:
        "Wait for it with `--wait-lock 1m`, or try again later: the exit code 75 tells a scheduler so. A device that joins "
        + "later, by `transfer`, is not waited for; let the step try again.",
      from: .run,
      wrong: step("- transfer: { to: Kitchen }"),
      right: step("- transfer: { to: Kitchen }\n    retry: { attempts: 5, wait: 10s, errors: [busy] }")),
    CodePage(
      .r704, "device authentication",
      why:
        "The device could not prove that it is a certified Cast device, and the document requires it; or, as a warning, "
        + "its proof does not hold or will not for long.",
      cure:
        "`showcaller auth` shows what is wrong. A receiver of one's own has no certificate: `auth: report` only reports.",
      from: .run,
      wrong: on("device: Living Room TV\ninventory: { tv: { name: Living Room TV, auth: require } }"),
      right: on("device: Living Room TV\ninventory: { tv: { name: Living Room TV, auth: report } }")),
    CodePage(
      .r706, "device matched by its name only",
      why: "A note, not a failure: the document knows the device by its name, which another device can be given.",
      cure: "Add its `id` to the inventory; `showcaller discover` shows it.", from: .run,
      wrong: on("device: Living Room TV"),
      right: on("device: { name: Living Room TV, id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b }")),
    CodePage(
      .r711, "unreachable", why: "The device was found, and no connection to it comes about.",
      cure: "Check that it is on and in the same network; a retry helps with one that is just starting.", from: .run,
      wrong: step("- connect"), right: step("- connect:\n    retry: { attempts: 3, wait: 2s }")),
    CodePage(
      .r712, "connection lost",
      why: "The connection ended, or nothing came over it for 10 seconds. It is never taken for a failed expectation.",
      cure: "A retried action gets a new connection: `before: reconnect`.", from: .run,
      wrong: step("- refresh"), right: step("- refresh\n  - seek: 10s\n    retry: { attempts: 2, before: reconnect }")),
    CodePage(
      .r713, "TLS", why: "No encrypted connection comes about: the peer speaks no TLS, or only an old one.",
      cure: "Check the address and the port. For a device of the first generation say `tls: legacy` in the inventory.",
      from: .run, wrong: on("device: { host: \"192.0.2.14:80\" }"), right: on("device: { host: \"192.0.2.14:8009\" }")),
    CodePage(
      .r714, "protocol",
      why: "The peer broke the protocol: a frame over 64 KiB, bytes that are no message, or a flood of them.",
      cure: "It is the peer's fault; `--wire` shows the last messages to send along with a report to its maker.",
      from: .run, wrong: step("- refresh: { what: receiver }"), right: step("- refresh: { what: media }")),
    CodePage(
      .r715, "timeout", why: "A step was not done within its time: no reply came, or the state did not follow.",
      cure: "Give the step a longer `timeout`, or try it again: `timeout` is one of the `transient` errors.",
      from: .run,
      wrong: step("- wait_until: { player: idle }\n    timeout: 1s"),
      right: step("- wait_until: { player: idle }\n    timeout: 5m")),
    CodePage(
      .r716, "launch failed",
      why: "The receiver refused to start the app: it does not know the id, or may not run it.",
      cure: "Check the app id, and that the device is registered for an app that is not published.", from: .run,
      wrong: step("- launch: A1B2C3D5"), right: step("- launch: A1B2C3D4")),
    CodePage(
      .r717, "launch cancelled", why: "The receiver gave up starting the app, often because another one was starting.",
      cure: "Try again; it is one of the `transient` errors.", from: .run, wrong: step("- launch: default"),
      right: step("- launch: default\n    retry: 3")),
    CodePage(
      .r718, "app gone",
      why: "The app is not running any more: another sender stopped it, it ended itself, or crashed.",
      cure: "Launch it again; `before: relaunch` does that between tries, and `takeover: ignore` carries on.",
      from: .run, wrong: step("- seek: 10s"),
      right: step("- seek: 10s\n    retry: { attempts: 2, errors: [app_gone], before: relaunch }")),
    CodePage(
      .r719, "taken over", why: "Another sender loaded its own media or started its own app.",
      cure: "Nothing is wrong with the device; run again, or say `takeover: ignore` to carry on.", from: .run,
      wrong: on("device: Living Room TV"), right: on("device: Living Room TV\ntakeover: ignore")),
    CodePage(
      .r720, "load failed",
      why:
        "The receiver cannot play the media: not found, not readable, no permission, or a format it does not know. The "
        + "message has the receiver's own code.",
      cure:
        "Look at the receiver's code first, then whether the address answers with this type from the device's network.",
      from: .run, wrong: step("- load: https://media.example.com/film.avi.mp4"),
      right: step("- load: https://media.example.com/film.mp4")),
    CodePage(
      .r721, "load cancelled", why: "Another load came before this one was done, ours or that of another sender.",
      cure: "Wait for the first: a `load` is done when its media plays.", from: .run,
      wrong: step("- load: { media: https://media.example.com/b.mp4, until: accepted }"),
      right: step("- load: { media: https://media.example.com/b.mp4, until: playing }")),
    CodePage(
      .r722, "media error",
      why: "Playing stopped with an error: the network, the decoder or the rights failed midway.",
      cure: "The message has the receiver's own code, such as 311 HLS_NETWORK_MASTER_PLAYLIST; `--wire` has the rest.",
      from: .run, wrong: step("- wait_until: { player: idle }"),
      right: step("- never: { idle_reason: error }\n    during: 1m")),
    CodePage(
      .r723, "invalid request",
      why: "The receiver refused the command: wrong parameters, or one that it does not know.",
      cure: "Look at `commands` of the status: it lists what the app says it can do.", from: .run,
      wrong: step("- rate: 2"), right: step("- expect: { commands: { has: [rate] } }\n  - rate: 2")),
    CodePage(
      .r724, "invalid state",
      why: "The command makes no sense now: `pause` without media, `stop_app` without an app of ours.",
      cure: "Bring the device into the state first.", from: .run, wrong: bare("- pause"),
      right: bare("- load: https://media.example.com/a.mp4\n  - pause")),
    CodePage(
      .r725, "refused before it was sent",
      why:
        "showcaller knows that it cannot work: an ad that may not be skipped yet, the volume of a device whose volume "
        + "is fixed.",
      cure: "Wait until it may; `skip_ad: { force: true }` sends it anyway.", from: .run, wrong: step("- skip_ad"),
      right: step("- expect: { break: { skippable: true } }\n    within: 1m\n  - skip_ad")),
    CodePage(
      .r726, "probe failed",
      why:
        "Media cannot be fetched as a receiver would: wrong status, wrong type, no CORS header, a certificate that is "
        + "not valid.",
      cure: "Mend the server; the message names the header or the status.", from: .run,
      wrong: step("- probe: https://media.example.com/film.mp4"),
      right: step("- probe: { media: https://media.example.com/film.mp4, cors: false }")),
    CodePage(
      .r727, "program failed", why: "A program of an `exec` step ended with another exit code than 0, or not in time.",
      cure: "Run it by hand; what it wrote to standard error is in the report.", from: .run,
      wrong: step("- exec: { command: [\"false\"] }"), right: step("- exec: { command: [\"true\"], output: none }")),
    CodePage(
      .r728, "expectation",
      why:
        "What was expected did not come true in time, or a rule was broken. The report has what was expected, what was "
        + "seen, and what came closest.",
      cure: "It is what the scenario is for: look at the device first, then at the limits.", from: .run,
      wrong: step("- expect: { player: playing }\n    within: 100ms"),
      right: step("- expect: { player: playing }\n    within: 20s")),
  ]

  private static func on(_ device: String) -> String {
    """
    scenario: Hello
    \(device)
    steps:
      - load: https://media.example.com/a.mp4
      - expect: { player: playing }
    """
  }

  private static func step(_ step: String) -> String { bare("- load: https://media.example.com/a.mp4\n  \(step)") }

  private static func bare(_ steps: String) -> String {
    """
    scenario: Hello
    device: Living Room TV
    steps:
      \(steps)
      - expect: { app: { idle: false } }
    """
  }
}
