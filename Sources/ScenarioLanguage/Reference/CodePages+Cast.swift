extension CodePages {
  static let cast: [CodePage] = [
    CodePage(
      .c501, "URL scheme that no receiver fetches",
      why: "Receivers fetch `http:` and `https:`; `file:` is for files of this computer, which are checked and "
        + "simulated, not served to a device yet.",
      cure: "Write `https:`, or `file:` with a path next to the document.",
      wrong: load("htps://media.example.com/a.mp4"), right: load("https://media.example.com/a.mp4")),
    CodePage(
      .c502, "address that means this computer",
      why: "The receiver fetches the media, not this computer: `localhost` and `127.0.0.1` are the TV itself there.",
      cure:
        "Name this computer as the TV sees it. `file:a.mp4` serves the file under such an address.",
      wrong: load("http://localhost:8000/a.mp4"), right: load("http://192.0.2.10:8000/a.mp4")),
    CodePage(
      .c503, "track that the media does not declare",
      why: "Tracks are chosen by the ids that the media gives them.",
      cure: "Declare it under `tracks:` of the media; a track inside the stream is declared with `inband: true`.",
      wrong: film("tracks: [{ id: en, language: en, url: https://media.example.com/en.vtt }]", "tracks: [de]"),
      right: film("tracks: [{ id: en, language: en, url: https://media.example.com/en.vtt }]", "tracks: [en]")),
    CodePage(
      .c504, "clip that the media does not have",
      why: "A break plays clips by the ids that `clips:` of the same media gives them.",
      cure: "Define the clip, or take the spelling of its definition.",
      wrong: film(
        "clips: { car: { url: https://media.example.com/car.mp4 } }\n    breaks: [{ id: mid, at: 30s, clips: [cars] }]"),
      right: film(
        "clips: { car: { url: https://media.example.com/car.mp4 } }\n    breaks: [{ id: mid, at: 30s, clips: [car] }]")),
    CodePage(
      .c505, "clip that ends before it can be skipped",
      why: "`skippable_after` is counted from the clip's begin and lies behind its end.",
      cure: "Make it shorter than the clip, or leave it out for an ad that cannot be skipped.",
      wrong: film(clip("skippable_after: 20s")), right: film(clip("skippable_after: 5s"))),
    CodePage(
      .c506, "break at a wrong place",
      why: "The break lies behind the end of the media, at the place of another one, or out of order: receivers do not "
        + "agree on what happens then.",
      cure: "Give each break its place within the media, in order; `at: end` is a post-roll.",
      wrong: film(
        "clips: { car: { url: https://media.example.com/car.mp4 } }\n    breaks: [{ id: mid, at: 12m, clips: [car] }]"),
      right: film(
        "clips: { car: { url: https://media.example.com/car.mp4 } }\n    breaks: [{ id: end, at: end, clips: [car] }]")),
    CodePage(
      .c507, "playback rate",
      why:
        "Cast cannot play backwards or stand still by its rate (an error), and many receivers refuse rates below 0.5 "
        + "and above 2 (a warning).",
      cure: "Take a rate from 0.5 to 2; to go back use `seek: { by: -10s }`.", wrong: steps("- rate: -1"),
      right: steps("- rate: 2")),
    CodePage(
      .c508, "message too large",
      why: "Receivers accept messages of up to 64 KiB and close the connection at larger ones. The size of what a step "
        + "will send is known before it is sent.",
      cure: "Queue less at once and `queue_insert` the rest, shorten `custom`, or let the app fetch its data by "
        + "`content_id`.",
      wrong: """
        scenario: Large
        device: Living Room TV
        vars:
          line: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
          page: ${line}${line}${line}${line}${line}${line}${line}${line}${line}${line}${line}${line}${line}${line}
          book: ${page}${page}${page}${page}${page}${page}${page}${page}${page}${page}${page}${page}${page}${page}
          row: ${book}${book}${book}${book}
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { first: "${row}", second: "${row}" }
          - expect: { player: playing }
        """,
      right: """
        scenario: Small
        device: Living Room TV
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { shelf: https://media.example.com/shelf.json }
          - expect: { player: playing }
        """),
    CodePage(
      .c509, "unknown MIME type",
      why:
        "A LOAD names the type of its media. It comes from the ending of the URL (.mp4 .m4a .mp3 .webm .m3u8 .mpd .jpg "
        + ".png .gif .webp), and this one says nothing.",
      cure: "Add `type: video/mp4`.",
      wrong: load("https://media.example.com/film"),
      right: load("{ url: https://media.example.com/film, type: video/mp4 }", long: true)),
    CodePage(
      .c510, "two active text tracks",
      why: "A receiver shows one text track at a time; which of two it picks is not defined.",
      cure: "Keep one text track; an audio track beside it is fine.",
      wrong: film(twoTracks, "tracks: [en, de]"), right: film(twoTracks, "tracks: [de]")),
    CodePage(
      .c511, "http text track on an https receiver",
      why:
        "Receivers are https pages, and browsers do not let those fetch text tracks over http: the subtitles stay away "
        + "without an error.",
      cure: "Serve the track over https.",
      wrong: film("tracks: [{ id: en, language: en, url: http://media.example.com/en.vtt }]", "tracks: [en]"),
      right: film("tracks: [{ id: en, language: en, url: https://media.example.com/en.vtt }]", "tracks: [en]")),
    CodePage(
      .c512, "start beyond the end",
      why: "`start` lies behind the declared duration of the media: it would end at once.",
      cure: "Start earlier, or mend the `duration`.", wrong: film("", "start: 12m"), right: film("", "start: 9m")),
    CodePage(
      .c513, "radius without rounded window",
      why: "`window_radius` rounds the corners of the caption window, and this window has none.",
      cure: "Add `window: rounded`, or leave the radius out.",
      wrong: steps("- text_style: { window: normal, window_radius: 8 }"),
      right: steps("- text_style: { window: rounded, window_radius: 8 }")),
    CodePage(
      .c514, "seek in a live stream without a window",
      why: "A live stream without `live: { window: … }` has only its present moment: there is nowhere to seek to.",
      cure: "Declare how far back one can seek, or leave the seek out.",
      wrong: live(""), right: live(", live: { window: 2h }")),
    CodePage(
      .c515, "color that looks like alpha first",
      why: "Cast wants alpha last, Android writes it first: read here, this color cannot be seen.",
      cure: "Move the alpha to the end: `#FF00FF00` on Android is `\"#00FF00FF\"`.",
      wrong: steps("- text_style: { color: \"#FF00FF00\" }"), right: steps("- text_style: { color: \"#00FF00FF\" }")),
  ]

  private static let twoTracks =
    "tracks:\n      - { id: en, language: en, url: https://media.example.com/en.vtt }\n"
    + "      - { id: de, language: de, url: https://media.example.com/de.vtt }"

  private static func clip(_ keys: String) -> String {
    "clips: { car: { url: https://media.example.com/car.mp4, duration: 15s, \(keys) } }\n"
      + "    breaks: [{ id: mid, at: 30s, clips: [car] }]"
  }

  private static func load(_ media: String, long: Bool = false) -> String {
    """
    scenario: Hello
    device: Living Room TV
    steps:
      - load: \(long ? "{ media: \(media) }" : media)
      - expect: { player: playing }
    """
  }

  private static func steps(_ line: String) -> String {
    """
    scenario: Hello
    device: Living Room TV
    steps:
      - load: https://media.example.com/a.mp4
      \(line)
      - expect: { player: playing }
    """
  }

  private static func film(_ keys: String, _ loadKeys: String = "") -> String {
    """
    scenario: Hello
    device: Living Room TV
    media:
      film:
        url: https://media.example.com/film.mp4
        duration: 10m\(keys.isEmpty ? "" : "\n    " + keys)
    steps:
      - load: \(loadKeys.isEmpty ? "film" : "{ media: film, \(loadKeys) }")
      - expect: { player: playing }
    """
  }

  private static func live(_ keys: String) -> String {
    """
    scenario: Live
    device: Living Room TV
    media:
      news: { url: https://media.example.com/news.m3u8, stream: live\(keys) }
    steps:
      - load: news
      - seek: { by: -30s }
      - expect: { player: playing }
    """
  }
}
