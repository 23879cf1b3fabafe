/// What an app says it can do: the bits of `supportedMediaCommands`. Source: docs/protocol.md 5.2.
package struct MediaCommands: OptionSet, Hashable, Sendable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let pause = MediaCommands(rawValue: 1)
  package static let seek = MediaCommands(rawValue: 2)
  package static let volume = MediaCommands(rawValue: 4)
  package static let mute = MediaCommands(rawValue: 8)
  package static let skipForward = MediaCommands(rawValue: 16)
  package static let skipBackward = MediaCommands(rawValue: 32)
  package static let queueNext = MediaCommands(rawValue: 64)
  package static let queuePrevious = MediaCommands(rawValue: 128)
  package static let shuffle = MediaCommands(rawValue: 256)
  package static let skipAd = MediaCommands(rawValue: 512)
  package static let repeatAll = MediaCommands(rawValue: 1024)
  package static let repeatOne = MediaCommands(rawValue: 2048)
  package static let editTracks = MediaCommands(rawValue: 4096)
  package static let rate = MediaCommands(rawValue: 8192)
  package static let like = MediaCommands(rawValue: 16_384)
  package static let dislike = MediaCommands(rawValue: 32_768)
  package static let follow = MediaCommands(rawValue: 65_536)
  package static let unfollow = MediaCommands(rawValue: 131_072)
  package static let streamTransfer = MediaCommands(rawValue: 262_144)

  private static let words: [(command: MediaCommands, word: String)] = [
    (.pause, "pause"), (.seek, "seek"), (.volume, "volume"), (.mute, "mute"), (.skipForward, "skip_forward"),
    (.skipBackward, "skip_backward"), (.queueNext, "queue_next"), (.queuePrevious, "queue_previous"),
    (.shuffle, "shuffle"), (.skipAd, "skip_ad"), (.repeatAll, "repeat_all"), (.repeatOne, "repeat_one"),
    (.editTracks, "edit_tracks"), (.rate, "rate"), (.like, "like"), (.dislike, "dislike"), (.follow, "follow"),
    (.unfollow, "unfollow"), (.streamTransfer, "stream_transfer"),
  ]

  /// The words of docs/language/conditions.md "Status fields" for the bits set, lowest bit first; bits without a
  /// meaning have none.
  package var words: [String] { Self.words.filter { contains($0.command) }.map(\.word) }
}
