import CastProtocol
import RunReporting

/// The ad that plays: which of how many, how far, and when it can be skipped.
struct AdState {
  enum Skipping: Hashable {
    case now
    /// Seconds.
    case `in`(Double)
    case never
  }

  var title: String?
  /// `mid/car`, as far as the device names them.
  var name: String
  /// From 1, and how many the break has; `nil` where the device does not list them.
  var number: (index: Int, count: Int)?
  /// Seconds; `nil`: not told.
  var time: Double?
  var duration: Double?
  var skipping: Skipping

  /// `nil` outside a break.
  init?(_ view: StatusView) {
    guard let status = view.media?.breakStatus else { return nil }
    let content = view.media?.media ?? view.media?.extendedMedia
    let clip = content?.breakClips?.first { $0.id == status.breakClipID }
    let clips = content?.breaks?.first { $0.id == status.breakID }?.breakClipIDs ?? []
    name = [status.breakID, status.breakClipID].compactMap(\.self).joined(separator: "/")
    title = clip?.title
    if let id = status.breakClipID, let index = clips.firstIndex(of: id) { number = (index + 1, clips.count) }
    time = view.clipTime
    duration = clip?.duration.flatMap { $0 > 0 ? $0 : nil }
    if view.isSkippable {
      skipping = .now
    } else if let skippableAt = view.skippableAt, let time, duration.map({ skippableAt < $0 }) ?? true {
      skipping = .in(skippableAt - time)
    } else {
      skipping = .never
    }
  }

  /// Whole seconds that are left, `3s`; never `0s`.
  static func countdown(_ seconds: Double) -> String {
    "\(max(1, Int(exactly: min(seconds, 1e9).rounded(.up)) ?? 1))s"
  }
}
