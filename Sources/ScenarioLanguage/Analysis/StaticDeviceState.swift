import CastProtocol

/// What a document alone says about a device at one of its steps, whatever receiver runs it.
///
/// A receiver may be slow, stall, and take every step to its very limit: times are counted at their longest, so
/// ``furthest`` is never passed. Nobody else touches the device. Of what the document leaves open nothing is known.
package struct StaticDeviceState {
  /// The step that loaded what plays; `nil` when that depends on the device.
  package var loadStep: Plan.Step?
  /// The film position, in seconds, that cannot have been passed yet.
  package var furthest = Double.infinity
  /// The film position that was certainly there after the last load or seek.
  var earliest = 0.0
  /// The fastest the film may play.
  package var fastest = 2.0
  /// Whether the film stands still until a later step.
  package var isPaused = false
  /// Whether the film plays since it was loaded, as far as the document can tell.
  var neverPaused = true
  /// Whether a step has sought in it since then.
  package var hasSought = false
  /// Values that steps have set and seen, by the path of their field.
  var facts: [String: Fact] = [:]
  /// The last step that acted on the device.
  var lastAction: Plan.Step?
  /// Whether nothing since then let time pass but expectations.
  var isFresh = false
  /// What was known just before it.
  var factsBefore: [String: Fact] = [:]
  /// What the document's `wait` and `during` add up to, as P603 counts them.
  var written: Duration = .zero

  /// A value of a status field.
  package struct Fact: Hashable {
    var value: JSONValue
    /// The step that set it.
    var span: SourceSpan
  }

  /// Forgets what is loaded and how it plays; the device's own volume stays.
  mutating func forgetMedia() {
    loadStep = nil
    furthest = .infinity
    earliest = 0
    fastest = 2
    isPaused = false
    neverPaused = false
    facts = facts.filter { $0.key.hasPrefix("volume") }
  }

  mutating func forget() {
    forgetMedia()
    facts = [:]
  }

  /// Lets so much time pass at most.
  mutating func pass(_ time: Duration) {
    if !isPaused { furthest += fastest * max(0, time.seconds) }
  }

  /// What is loaded, where the document decides it.
  package var load: Plan.LoadAction? {
    if case .load(let load)? = loadStep?.action { load } else { nil }
  }

  /// What messages call the media.
  var mediaName: String { load?.mediaID.map { "`\($0)`" } ?? "this media" }

  /// The media, where it plays on a time line of its own: no image, no live stream, no breaks that others describe.
  var film: MediaInformation? {
    guard let media = load?.request.media, media.streamType == "BUFFERED", media.vmapAdTagURL == nil else { return nil }
    return (media.breakClips ?? []).contains { $0.vastAdTagURL != nil } ? nil : media
  }
}
