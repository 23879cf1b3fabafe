import CastProtocol

/// Adds up how long a message will be on the wire, and which part of it takes most (C508).
///
/// Nothing is written out as a whole: a document may ask for far more than fits.
struct MessageSize {
  /// What fits into one frame (docs/protocol.md 1.2); receivers close the connection on more.
  static let limit = 65_536
  /// Stands in help texts for a number of items.
  static let countPlaceholder = "\u{FFFC}"
  /// Beyond this nothing is measured any more.
  private static let measured = 16 << 20

  /// One media with the bytes of its parts, by the names that documents give them.
  struct Measure: Sendable {
    var bytes = 0
    var parts: [(name: String, bytes: Int)] = []
  }

  /// Bytes so far.
  private(set) var bytes: Int
  private(set) var itemCount = 0
  /// How many items fitted.
  private(set) var fittingCount = 0
  private var parts: [String: Int] = [:]

  /// The message without its items, in the frame that carries it, with the longest ids a run may use.
  init(envelopeOf request: MediaRequest) { self.init(payload: request.json(requestID: Int(Int32.max))) }

  init(payload: JSONValue, namespace: Namespace = .media) {
    // A transport id is a UUID on today's devices.
    let message = CastMessage(
      source: .sender, destination: EndpointID(String(repeating: "0", count: 36)), namespace: namespace, json: payload)
    // The length of a long payload takes up to two bytes more than that of a short one.
    let length = payload.serialized().utf8.count
    bytes = message.encoded().count + (length < 128 ? 2 : length < 16_384 ? 1 : 0)
  }

  var fits: Bool { bytes <= Self.limit }

  /// - Parameter hasID: Whether the item names the one whose place it takes.
  mutating func add(_ item: Plan.QueueItem, hasID: Bool, cache: inout [String: Measure]) {
    itemCount += 1
    guard bytes < Self.measured else { return }
    let measure: Measure
    if let id = item.mediaID, let known = cache[id] {
      measure = known
    } else {
      measure = Self.measure(item.media)
      if let id = item.mediaID { cache[id] = measure }
    }
    // `{"media":…}`, perhaps `"itemId":2147483647,` in it, a comma between two.
    bytes += measure.bytes + 10 + (hasID ? 20 : 0) + (itemCount > 1 ? 1 : 0)
    for part in measure.parts { parts["items[*].media.\(part.name)", default: 0] += part.bytes }
    if fits { fittingCount = itemCount }
  }

  /// Names a part that is in the payload already.
  mutating func note(_ name: String, _ bytes: Int) { parts[name, default: 0] += bytes }

  /// The part that takes most, first by name where two are alike.
  var largestPart: (name: String, bytes: Int)? {
    parts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.first.map { ($0.key, $0.value) }
  }

  /// The size as messages say it.
  var text: String { bytes >= Self.measured ? "more than 16 MiB" : Self.kibibytes(bytes) }

  static func kibibytes(_ bytes: Int) -> String { "\((Double(bytes) / 1_024).decimals(1)) KiB" }

  /// A round number of items that fits into one message.
  var roundCount: Int? {
    var best: Int?
    var unit = 1
    while unit <= fittingCount {
      for step in [1, 2, 5] where unit * step <= fittingCount { best = unit * step }
      unit *= 10
    }
    return best
  }

  /// Bytes of a media, and of those of its members that documents name.
  static func measure(_ media: MediaInformation) -> Measure {
    let names = [
      "contentId": media.contentURL == nil ? "url" : "content_id", "contentUrl": "url", "metadata": "metadata",
      "tracks": "tracks", "textTrackStyle": "text_style", "breakClips": "clips", "breaks": "breaks",
      "customData": "custom", "vmapAdsRequest": "vmap",
    ]
    var measure = Measure()
    var buffer: [UInt8] = []
    for member in media.json.object?.members ?? [] {
      buffer.removeAll(keepingCapacity: true)
      member.value.serialize(into: &buffer)
      // `"name":value` and a comma or a brace.
      measure.bytes += member.name.utf8.count + 3 + buffer.count + 1
      if let name = names[member.name] { measure.parts.append((name, buffer.count)) }
    }
    measure.bytes += 1
    return measure
  }
}

extension StepCompiler {
  /// C508 for a queue that does not fit into one message; `help` has ``MessageSize/countPlaceholder`` for a number of items.
  mutating func report(_ size: MessageSize, _ type: String, of body: FieldMap, help: String) {
    guard !size.fits, let place = body.place("items") else { return }
    var cure = "host the large part and name it by `content_id` or a URL"
    if let count = size.roundCount, count < size.itemCount {
      let parts = help.split(separator: MessageSize.countPlaceholder, omittingEmptySubsequences: false)
      cure = parts.joined(separator: "\(count)") + ", or host the list and use `content_id`"
    }
    let count = ScalarText.counted(size.itemCount, "item")
    problems.report(tooLarge(size, type, at: .init(place, count), help: cure))
  }

  func tooLarge(_ size: MessageSize, _ type: String, at label: Diagnostic.Label, help: String) -> Diagnostic {
    var footers: [Diagnostic.Footer] = [.help(help)]
    if let part = size.largestPart {
      footers.append(.note("largest part: \(part.name) (\(MessageSize.kibibytes(part.bytes)))"))
    }
    return Diagnostic(
      .error, .c508, "this \(type) message is \(size.text); receivers accept at most 64 KiB", at: label,
      footers: footers)
  }
}
