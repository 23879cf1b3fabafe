/// Media in `play` and `fallback`.
extension PlaylistCompiler {
  private static let imageLength = Duration.seconds(10)

  /// The items of a rule or an interrupt; `hasShares`: its order gives weights a meaning.
  mutating func items(_ map: FieldMap, hasShares: Bool) -> [PlaylistPlan.Item] {
    if map.node("play")?.items?.isEmpty == true, let key = map.keySpan("play") {
      problems.report(.error, .p612, "this \(noun(of: map)) shows nothing", at: .init(key, "an empty list"))
    }
    return map.list("play").flatMap { slides($0) ?? [$0] }.compactMap { node in
      node.pairs == nil
        ? item(node) : item(FieldMap(node, as: LanguageSchema.playlistItem), hasShares: hasShares)
    }
  }

  private func noun(of map: FieldMap) -> String { map.spec.topic == "program" ? "rule" : "interrupt" }

  mutating func fallback(_ root: FieldMap) -> [PlaylistPlan.Item] {
    if root.node("fallback")?.items?.isEmpty == true, let key = root.keySpan("fallback") {
      problems.report(
        .error, .p612, "this fallback shows nothing", at: .init(key, "an empty list"),
        footers: [.help("leave it out, or name something that always loads: an image of your own")])
    }
    defer { noteAddresses() }
    let nodes = root.list("fallback").flatMap { slides($0) ?? [$0] }
    return nodes.compactMap { node in
      guard let media = media(node) else { return nil }
      // One live stream alone may go on for as long as nothing else is on.
      if media.isLive, nodes.count > 1 {
        let help = "make it the only fallback, or put it into `program` with `for:`"
        problems.report(liveItem(media, at: node.span, help: help))
      }
      return item(media, at: node.span)
    }
  }

  /// An item that is only a name or a URL.
  private mutating func item(_ node: YAMLNode) -> PlaylistPlan.Item? {
    guard let media = media(node) else { return nil }
    if media.isLive { problems.report(liveItem(media, at: node.span)) }
    return item(media, at: node.span)
  }

  private mutating func item(_ media: CompiledMedia, at span: SourceSpan) -> PlaylistPlan.Item {
    pending.append((media, nil))
    var item = PlaylistPlan.Item(
      id: media.id, media: media.information, length: media.isImage ? Self.imageLength : nil, span: span)
    item.ids = media.foreignIDs
    return item
  }

  private mutating func item(_ map: FieldMap, hasShares: Bool) -> PlaylistPlan.Item? {
    guard let media = map.node("media").flatMap({ media($0) }) else { return nil }
    let length = map.duration("for", atLeast: .seconds(1), as: "an item's `for`", reportingTo: problems)
    if media.isLive, !map.has("for") { problems.report(liveItem(media, at: map.span("media") ?? map.span)) }
    var item = PlaylistPlan.Item(
      id: media.id, media: media.information, length: length ?? (media.isImage ? Self.imageLength : nil), span: map.span
    )
    item.ids = media.foreignIDs.merging(map.texts(by: "ids")) { $1 }
    item.times = map.int("times") ?? 1
    item.weight = map.int("weight") ?? 1
    item.valid = map.dates("valid")
    pending.append((media, item.valid))
    item.volume =
      map.text("volume") == "keep" ? .keep : map.number("volume").map { PlaylistPlan.ItemVolume.level($0 / 100) }
    if !hasShares, let key = map.keySpan("weight") {
      problems.report(
        .warning, .k107, "`weight` has no effect where items are played as listed", at: .init(key, "not used"),
        footers: [.help("add `order: weighted` or `order: shuffle` to a rule, or use `times:`")])
    }
    return item
  }

  /// A media by id or URL.
  private mutating func media(_ node: YAMLNode) -> CompiledMedia? {
    definitions.media(at: node, after: "play", reportingTo: problems)
  }

  private func liveItem(_ media: CompiledMedia, at span: SourceSpan, help: String? = nil) -> Diagnostic {
    let name = media.id ?? "…"
    return Diagnostic(
      .error, .p608, "live media `\(name)` never ends: the item needs `for`",
      at: .init(span, "for how long?"), footers: [.help(help ?? "`{ media: \(name), for: 30m }`")])
  }
}
