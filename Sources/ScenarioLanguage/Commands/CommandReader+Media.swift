package import CastProtocol

/// What a `load` command says, in words that were not read yet.
package struct LoadWords {
  package var url: String
  package var type, title, subtitle, image: String?
  /// The address of subtitles, which are then on, their language, and the encoding of their file.
  package var subtitles, subtitlesLanguage, subtitlesEncoding: String?
  package var start, rate, duration, app: String?
  package var isLive = false
  package var isPaused = false
  package var custom: JSONValue?
  package var until: Plan.LoadAction.Until?

  package init(url: String) { self.url = url }
}

/// What a queue of addresses is loaded with, in words that were not read yet.
package struct QueueWords {
  /// The MIME type of all of them.
  package var type: String?
  package var app: String?
  package var repeatMode: Plan.RepeatMode?
  package var until: Plan.LoadAction.Until?

  package init() {}
}

/// Media, with all that can be said of them.
///
/// A media has many keys, and what they may say depends on each other and on the size of the message: the table and the
/// compiler of the steps `load`, `queue` and `queue_insert` know all of that. So the words are put into such a step, and
/// what it comes to is answered.
extension CommandReader {
  package mutating func load(_ words: LoadWords) -> Plan.LoadAction? {
    var custom: YAMLNode?
    if let json = words.custom { custom = self.json(json).map { node($0) } }
    let tracks = words.subtitles == nil ? nil : list([fixed("subtitles")])
    let body = map([
      ("media", media(words)), ("app", words.app.map { node($0) } ?? fixed("default")),
      ("autoplay", words.isPaused ? fixed("false") : nil), ("start", words.start.map { node($0) }),
      ("rate", words.rate.map { node($0) }), ("tracks", tracks), ("custom", custom),
      ("until", words.until.map { fixed($0.rawValue) }),
    ])
    guard case .load(let action)? = action("load", body) else { return nil }
    return action
  }

  private func media(_ words: LoadWords) -> YAMLNode {
    let metadata: [(key: String, value: YAMLNode?)] = [
      ("title", words.title.map { node($0) }), ("subtitle", words.subtitle.map { node($0) }),
      ("images", words.image.map { list([node($0)]) }),
    ]
    let tracks = words.subtitles.map { url in
      list([
        map([
          ("id", fixed("subtitles")), ("subtype", fixed("subtitles")),
          ("language", words.subtitlesLanguage.map { node($0) } ?? fixed("en")), ("url", node(url)),
          ("type", words.subtitlesEncoding.map { fixed("text/vtt; charset=\($0)") }),
        ])
      ])
    }
    return map([
      ("url", node(words.url)), ("type", words.type.map { node($0) }), ("stream", words.isLive ? fixed("live") : nil),
      ("duration", words.duration.map { node($0) }),
      ("metadata", metadata.contains { $0.value != nil } ? map(metadata) : nil), ("tracks", tracks),
    ])
  }

  /// A queue that replaces what plays; its first item plays.
  package mutating func queue(_ entries: [AddressEntry], _ words: QueueWords) -> Plan.QueueAction? {
    let body = map([
      ("items", items(entries, type: words.type)), ("repeat", words.repeatMode.map { fixed($0.rawValue) }),
      ("app", words.app.map { node($0) } ?? fixed("default")), ("until", words.until.map { fixed($0.rawValue) }),
    ])
    guard case .queue(let action)? = action("queue", body) else { return nil }
    return action
  }

  /// Items to be added to the queue that plays, in one message.
  /// - Parameter place: The item they go before; `nil`: at the end.
  package mutating func insertion(
    of entries: [AddressEntry], type: String?, before place: String?
  ) -> Plan.QueueInsertAction? {
    let body = map([("items", items(entries, type: type)), ("before", place.map { node($0) })])
    guard case .queueInsert(let action)? = action("queue_insert", body) else { return nil }
    return action
  }

  private func items(_ entries: [AddressEntry], type: String?) -> YAMLNode {
    list(
      entries.map { entry in
        map([
          ("url", node(entry.text, at: entry.place ?? line.span(of: entry.text))), ("type", type.map { node($0) }),
          ("duration", entry.duration.flatMap(Self.milliseconds).map { fixed($0) }),
          ("metadata", entry.title.map { map([("title", fixed($0))]) }),
        ])
      })
  }

  private static func milliseconds(_ seconds: Double) -> String? {
    Int(exactly: (seconds * 1000).rounded()).map { "\(max(1, $0))ms" }
  }

  /// What the step `verb` with this body does; `nil` when something in it is wrong, which was told.
  private mutating func action(_ verb: String, _ body: YAMLNode) -> Plan.Action? {
    var step = map([(verb, body)])
    let before = compiler.problems.errorCount
    _ = compiler.fieldReader.readStep(&step)
    let compiled = compiler.steps([step], prefix: "")
    return compiler.problems.errorCount == before ? compiled.first?.action : nil
  }
}
