/// The merged status of one device at one moment, and what the last messages said.
///
/// Made only by ``StatusTracker``; everything else reads it. Times are those handed to the tracker.
package struct DeviceSnapshot: Hashable, Sendable {
  /// `nil` until the first RECEIVER_STATUS.
  @Shared package var receiver: ReceiverStatus?
  /// The merged media status of the current media session; `nil` when there is none.
  @Shared package var media: MediaStatus?
  /// When `media.currentTime` (or a break time) was last received.
  package var mediaTimeReceivedAt: Duration = .zero
  /// The estimated position when a status last left `currentTime` out; `nil` when the last one had it.
  ///
  /// Such a status may pause or resume, so going on from an older `currentTime` would give a wrong position.
  package var carriedPosition: CarriedPosition?
  /// When `media.liveSeekableRange` was last received; its end grows from then on.
  package var liveRangeReceivedAt: Duration = .zero
  /// The transport id `media` came from.
  package var mediaSource: EndpointID?
  /// The members of a group, or the groups of a single device; `nil` until the device told them.
  package var multizone: MultizoneStatus?
  /// Whether the socket is open.
  package var isConnected = false
  /// The last asynchronous ERROR or LOAD_FAILED of this media session.
  package var detailedErrorCode: Int?
  /// The last RECEIVER_STATUS as received; mostly a text that nobody has made a tree of.
  package var receiverMessage: MessageContent?
  /// The last MEDIA_STATUS as received; mostly a text that nobody has made a tree of.
  package var mediaMessage: MessageContent?

  package init() {}

  /// A position that was estimated, not received.
  package struct CarriedPosition: Hashable, Sendable {
    /// Seconds of content time.
    package var seconds: Double
    package var at: Duration

    package init(seconds: Double, at: Duration) {
      self.seconds = seconds
      self.at = at
    }
  }
}
