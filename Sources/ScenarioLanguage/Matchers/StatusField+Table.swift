extension StatusField {
  package static let player = Choice("player state", ["idle", "loading", "buffering", "playing", "paused"])
  package static let idleReason = Choice("idle reason", ["finished", "cancelled", "interrupted", "error"])
  package static let stream = Choice("stream type", ["buffered", "live", "none"])
  package static let repeatMode = Choice("repeat mode", Plan.RepeatMode.allCases.map(\.rawValue))
  package static let commands = Choice(
    "media command",
    [
      "pause", "seek", "volume", "mute", "skip_forward", "skip_backward", "queue_next", "queue_previous", "shuffle",
      "skip_ad", "repeat_all", "repeat_one", "edit_tracks", "rate", "like", "dislike", "follow", "unfollow",
      "stream_transfer",
    ])
  package static let volumeControl = Choice("volume control", ["attenuation", "fixed", "master"])
  package static let connection = Choice("connection state", ["open", "closed"])
  package static let hdr = Choice("dynamic range", ["sdr", "hdr", "dv"], isOpen: true)
  package static let fontFamily = Choice(
    "font family",
    [
      "sans_serif", "monospaced_sans_serif", "serif", "monospaced_serif", "casual", "cursive", "small_capitals",
    ])
  package static let fontStyle = Choice("font style", ["normal", "bold", "italic", "bold_italic"])
  package static let edge = Choice("edge", ["none", "outline", "drop_shadow", "raised", "depressed"])
  package static let window = Choice("window", ["none", "normal", "rounded"])

  /// Every field, in the order of docs/language/conditions.md "Status fields".
  package static let all: [StatusField] = [
    StatusField("player", .choice(player), "what the player does"),
    StatusField("idle_reason", .choice(idleReason), "why the player is idle"),
    StatusField("position", .duration, "content time now, estimated between statuses"),
    StatusField("position_reported", .duration, "content time as last received"),
    StatusField("duration", .durationOrLive, "length of the media"),
    StatusField("rate", .number, "playback rate"),
    StatusField("content", .text, "content id of the media"),
    StatusField("content_url", .text, "URL of the media where it differs from its id"),
    StatusField("content_type", .text, "MIME type of the media"),
    StatusField("stream", .choice(stream), "kind of stream"),
    StatusField("title", .text, "title from the metadata"),
    StatusField("metadata", .structure(noneAllowed: false), "metadata as received"),
    StatusField("metadata.*", .free, "one metadata field as received"),
    StatusField("tracks", .list(of: .record), "tracks of the media: id, kind, language, name"),
    StatusField("active_tracks", .list(of: .text), "ids of the active tracks"),
    StatusField("text_style", .structure(noneAllowed: false), "how captions look"),
    StatusField("text_style.color", .color, "colour of the text"),
    StatusField("text_style.background", .color, "colour behind the text"),
    StatusField("text_style.edge_color", .color, "colour of the edge"),
    StatusField("text_style.window_color", .color, "colour of the window"),
    StatusField("text_style.size", .percent, "size of the text"),
    StatusField("text_style.font", .text, "name of the font"),
    StatusField("text_style.family", .choice(fontFamily), "kind of font"),
    StatusField("text_style.style", .choice(fontStyle), "weight and slant"),
    StatusField("text_style.edge", .choice(edge), "edge of the letters"),
    StatusField("text_style.window", .choice(window), "window behind the text"),
    StatusField("text_style.window_radius", .int, "corner radius of the window in pixels"),
    StatusField("break", .structure(noneAllowed: true), "the ad break that plays, or none"),
    StatusField("break.id", .text, "id of the break"),
    StatusField("break.clip", .text, "id of the clip"),
    StatusField("break.time", .duration, "time since the break began"),
    StatusField("break.clip_time", .duration, "time since the clip began"),
    StatusField("break.skippable", .bool, "whether the clip can be skipped now"),
    StatusField("break.skippable_at", .duration, "clip time from which it can be skipped"),
    StatusField("breaks", .list(of: .record), "breaks of the media: id, at, watched"),
    StatusField("commands", .list(of: .choice(commands)), "commands the app says it supports"),
    StatusField("repeat", .choice(repeatMode), "repeat mode of the queue"),
    StatusField("queue", .structure(noneAllowed: false), "the queue"),
    StatusField("queue.current", .int, "id of the current item"),
    StatusField("queue.items", .list(of: .record), "items as received"),
    StatusField("queue.count", .int, "number of items"),
    StatusField("live_range", .structure(noneAllowed: false), "seekable range of a live stream"),
    StatusField("live_range.start", .duration, "earliest position"),
    StatusField("live_range.end", .duration, "latest position"),
    StatusField("live_range.moving", .bool, "whether the window moves"),
    StatusField("live_range.done", .bool, "whether the live stream is over"),
    StatusField("video", .structure(noneAllowed: false), "the picture"),
    StatusField("video.width", .int, "width in pixels"),
    StatusField("video.height", .int, "height in pixels"),
    StatusField("video.hdr", .choice(hdr), "dynamic range"),
    StatusField("stream_volume", .structure(noneAllowed: false), "volume of the stream"),
    StatusField("stream_volume.level", .percent, "level of the stream volume"),
    StatusField("stream_volume.muted", .bool, "whether the stream is muted"),
    StatusField("media_session", .int, "media session id"),
    StatusField("error", .structure(noneAllowed: false), "the last playback error"),
    StatusField("error.code", .int, "detailed error code"),
    StatusField("error.name", .text, "name of the detailed error code"),
    StatusField("app", .structure(noneAllowed: true), "the app on screen, or none"),
    StatusField("app.id", .text, "app id"),
    StatusField("app.name", .text, "name of the app"),
    StatusField("app.text", .text, "status text of the app"),
    StatusField("app.idle", .bool, "whether it is the idle screen"),
    StatusField("app.namespaces", .list(of: .text), "namespaces of the app"),
    StatusField("volume", .structure(noneAllowed: false), "volume of the device"),
    StatusField("volume.level", .percent, "level of the device volume"),
    StatusField("volume.muted", .bool, "whether the device is muted"),
    StatusField("volume.control", .choice(volumeControl), "how the volume is controlled"),
    StatusField("active_input", .bool, "whether the TV shows the device's input"),
    StatusField("standby", .bool, "whether the TV is in standby"),
    StatusField("connection", .choice(connection), "our connection"),
    StatusField("custom", .structure(noneAllowed: false), "custom data of the app"),
    StatusField("custom.*", .free, "custom data by path"),
    StatusField("raw", .structure(noneAllowed: false), "the last messages"),
    StatusField("raw.media", .structure(noneAllowed: false), "the last media status message"),
    StatusField(
      "raw.media.*", .free, "part of the last media status message: `raw.media./status/0/playerState`, or with points"),
    StatusField("raw.receiver", .structure(noneAllowed: false), "the last receiver status message"),
    StatusField(
      "raw.receiver.*", .free, "part of the last receiver status message: `raw.receiver./status/volume`, or with points"
    ),
  ]
}
