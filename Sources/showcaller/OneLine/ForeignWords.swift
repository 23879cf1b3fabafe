/// What other tools call what we do: catt, go-chromecast.
enum ForeignWords {
  private static let commands: [String: String] = [
    "cast": "load URL", "add": "queue add URL", "scan": "discover", "ls": "discover", "unpause": "play",
    "play_toggle": "toggle", "playpause": "toggle", "ffwd": "seek +30s", "rewind": "seek -30s", "seek-to": "seek 1m30s",
    "skip": "next`, `seek end` or `skip-ad", "skipad": "skip-ad", "volumeup": "volume up", "volume-up": "volume up",
    "volumedown": "volume down", "volume-down": "volume down", "volumemute": "mute toggle", "unmute": "mute off",
    "info": "status --json", "quit": "stop-app", "close": "stop-app", "subtitles": "tracks",
    "set_default": "config", "set_alias": "config", "write_config": "config", "restart": "seek start",
    "togglepause": "toggle", "playback-rate": "rate", "load-app": "launch",
  ]

  /// Our command line for the command of another tool.
  static func cure(for word: String) -> String? { commands[word] }
}
