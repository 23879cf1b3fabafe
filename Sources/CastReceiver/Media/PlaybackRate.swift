/// How fast content plays, in whole millionths, so that positions come out exact.
struct PlaybackRate: Hashable, Sendable {
  static let normal = PlaybackRate(millionths: 1_000_000)

  private let millionths: Int

  private init(millionths: Int) { self.millionths = millionths }

  /// `nil` outside 0.5 to 2 (docs/protocol.md 4.2), and for what is no number.
  init?(_ rate: Double) {
    guard let millionths = Int(exactly: (rate * 1_000_000).rounded()), (500_000...2_000_000).contains(millionths) else {
      return nil
    }
    self.millionths = millionths
  }

  var factor: Double { Double(millionths) / 1_000_000 }

  /// The content time that plays in `time`.
  func content(in time: Duration) -> Duration { time * millionths / 1_000_000 }

  /// The least time in which `content` plays.
  func time(for content: Duration) -> Duration {
    let scaled = content * 1_000_000
    let time = scaled / millionths
    return time * millionths < scaled ? time + Duration(secondsComponent: 0, attosecondsComponent: 1) : time
  }
}
