extension LanguageSchema {
  /// Such as `{ campaign: C-7 }`.
  static let foreignIDs = FieldType.mapOf(.text, of: "ids")

  static let media = MapSpec(
    "a media", topic: "media",
    [
      KeySpec("url", .url, "Where the receiver fetches it."),
      KeySpec("content_id", .text, default: "url", "When the receiver wants an id of its own."),
      KeySpec(
        "type", .mime, default: "from the extension", "MIME type; needed where the ending of the URL does not tell it."),
      KeySpec("stream", .choice("stream type", ["buffered", "live"]), default: "buffered", "Images need none."),
      KeySpec(
        "duration", .duration,
        "How long it plays; lets breaks, seeks, expectations and schedules be checked beforehand."),
      KeySpec("metadata", .map(metadata), default: "generic, the id as title", "What the screen shows."),
      KeySpec(
        "tracks", .list(.map(track), of: "tracks"), default: "[]",
        "Subtitles and other tracks, each with an id of your own."),
      KeySpec("clips", .mapOf(.map(clip), of: "clips"), default: "{}", "Ads that `breaks:` play, by ids of your own."),
      KeySpec("breaks", .list(.map(adBreak), of: "breaks"), default: "[]", "Where ads play, in order."),
      KeySpec("vmap", .url, "All ads described by a server; receivers use it where there are no `breaks`."),
      KeySpec("vast", .url, "An ad before the media, described by a server."),
      KeySpec(
        "text_style", .byShape(scalar: .reference(.textStyle), map: .map(textStyle)),
        "How captions look unless the step says."),
      KeySpec("hls", .map(hls), "Segment formats of an HLS stream."),
      KeySpec("live", .map(live), "Where a live stream is."),
      KeySpec("custom", .anyMap, "Free data for the app, sent as `customData`."),
      KeySpec("ids", foreignIDs, default: "{}", "Ids of other systems, which the proof of play carries along."),
      KeySpec("like", .reference(.media), "Another definition to start from."),
    ], exclusive: [["vmap", "vast"]], needsOneOf: [["url", "content_id", "like"]], suffices: "duration")

  static let hls = MapSpec(
    "`hls`", topic: "media",
    [
      KeySpec(
        "segment", .choice("segment format", ["aac", "ac3", "mp3", "ts", "ts_aac", "e_ac3", "fmp4"]), "Audio segments."),
      KeySpec("video", .choice("video segment format", ["mpeg2_ts", "fmp4"]), "Format of the video segments."),
    ])

  static let live = MapSpec(
    "`live`", topic: "media",
    [
      KeySpec("starts", .timestamp, "When the stream began."),
      KeySpec("window", .duration, "How far back one can seek."),
    ])

  /// Kinds and keys of docs/protocol.md 5.4.
  static let metadata = MapSpec(
    "`metadata`", topic: "metadata",
    [
      KeySpec(
        "kind", .choice("kind of metadata", ["generic", "movie", "tv", "music", "photo"]), default: "generic",
        "What the media is."),
      KeySpec("title", .text, default: "the media's id", "Title, the first line on the screen."),
      KeySpec("subtitle", .text, "The second line on the screen.", kinds: ["generic", "movie"]),
      KeySpec("artist", .text, "Performer, or who took the picture.", kinds: ["generic", "music", "photo"]),
      KeySpec("studio", .text, "Who made the movie.", kinds: ["movie"]),
      KeySpec("series", .text, "The series' title.", kinds: ["tv"]),
      KeySpec("season", .nonNegativeInteger, "Number of the season, from 0.", kinds: ["tv"]),
      KeySpec("episode", .nonNegativeInteger, "Number of the episode, from 0.", kinds: ["tv"]),
      KeySpec("album", .text, "The album's title.", kinds: ["music"]),
      KeySpec("album_artist", .text, "The album's artist.", kinds: ["music"]),
      KeySpec("composer", .text, "Who wrote it.", kinds: ["music"]),
      KeySpec("track", .nonNegativeInteger, "Number of the track on its disc, from 0.", kinds: ["music"]),
      KeySpec("disc", .nonNegativeInteger, "Number of the disc, from 0.", kinds: ["music"]),
      KeySpec("released", .date, "Day of release.", kinds: ["generic", "movie", "tv", "music"]),
      KeySpec("location", .text, "Where it was taken.", kinds: ["photo"]),
      KeySpec("taken", .timestamp, "When it was taken.", kinds: ["photo"]),
      KeySpec("images", .list(.url, of: "URLs"), default: "[]", "Posters, largest first."),
    ], defaultKind: "generic")

  static let track = MapSpec(
    "a track", topic: "tracks",
    [
      KeySpec("id", .id, required: true, "Its name in this document."),
      KeySpec(
        "kind", .choice("kind of track", ["text", "audio", "video"]), default: "text", "What the track carries."),
      KeySpec("url", .url, "Where the text of the track is; not needed with `inband`."),
      KeySpec(
        "type", .mime, default: "from the extension", "MIME type; needed where the ending of the URL does not tell it."),
      KeySpec("language", .language, "Its language, a BCP 47 tag such as `en` or `pt-BR`."),
      KeySpec("name", .text, "Shown to viewers."),
      KeySpec(
        "subtype",
        .choice("kind of text track", ["subtitles", "captions", "descriptions", "chapters", "metadata"]),
        "Kind of text track."),
      KeySpec("number", .int(1...Int(Int32.max)), "Pins the wire id of an in-band track."),
      KeySpec("inband", .bool, default: "false", "It is part of the stream."),
    ])

  static let clip = MapSpec(
    "a clip", topic: "clips",
    [
      KeySpec("url", .url, "Where the receiver fetches it."),
      KeySpec(
        "type", .mime, default: "from the extension", "MIME type; needed where the ending of the URL does not tell it."),
      KeySpec("duration", .duration, "How long the clip plays."),
      KeySpec("title", .text, "Shown to viewers."),
      KeySpec("skippable_after", .duration, "From which clip time on it may be skipped; without it never."),
      KeySpec("click_url", .url, "Where a click leads."),
      KeySpec("poster", .url, "Image while it loads."),
      KeySpec("vast", .url, "Described by a server."),
    ], needsOneOf: [["url", "vast"]])

  static let adBreak = MapSpec(
    "a break", topic: "breaks",
    [
      KeySpec("id", .id, required: true, "Its name in `break:` conditions and reports."),
      KeySpec("at", .position, required: true, "Where in the media; `end` is a post-roll."),
      KeySpec("clips", .list(.reference(.clip), of: "clips"), required: true, "What it plays, in order."),
      KeySpec("embedded", .bool, default: "false", "It is part of the stream."),
      KeySpec("expanded", .bool, default: "false", "Its time counts in the media's."),
    ])

  package static let textStyle = MapSpec(
    "a text style", topic: "text_styles",
    [
      KeySpec("color", .color, default: "receiver's choice", "Color of the letters."),
      KeySpec("background", .color, default: "receiver's choice", "Color behind the letters."),
      KeySpec("edge_color", .color, default: "receiver's choice", "Color of the letters' edge."),
      KeySpec("window_color", .color, default: "receiver's choice", "Color of the box behind the caption."),
      KeySpec("size", .percent(25...400), default: "100%", "Size of the letters, 25% to 400%."),
      KeySpec("font", .text, "Name of a font; `family` is what counts where the receiver has none."),
      KeySpec("family", .choice(of: StatusField.fontFamily), "Font family where the font is missing."),
      KeySpec("style", .choice(of: StatusField.fontStyle), default: "normal", "Weight and slant of the letters."),
      KeySpec("edge", .choice(of: StatusField.edge), "Edge around the letters."),
      KeySpec("window", .choice(of: StatusField.window), "The box behind the caption and the shape of its corners."),
      KeySpec("window_radius", .int(0...1000), "Pixels, with `window: rounded`."),
      KeySpec("like", .reference(.textStyle), "Another style to start from."),
    ])
}
