extension LanguageSchema {
  private static let mediaItemOrNumber = FieldType.savable(.text)
  private static let jump = FieldType.savable(.words(["next", "previous"], else: .text))

  /// What makes and changes queues.
  static let queueVerbs: [VerbSpec] = [
    VerbSpec(
      "queue", .media,
      .keys(
        keys(
          "queue",
          [
            KeySpec("items", .list(mediaItem, of: "media"), required: true, "What to play.").holding(),
            KeySpec("start_at", .int(1...100_000), default: "1", "The first to play."),
            KeySpec("repeat", repeatMode, default: "none", "What follows the end."),
            KeySpec(
              "app", .reference(.app), default: "as load", "The app to load into; it is launched if it does not run."),
            KeySpec(
              "until", until, default: "playing",
              "Which state ends the step: `accepted` by the receiver, `loaded`, `playing` or `paused`."),
          ]), short: ("items", .list(mediaItem, of: "media"))), "Loads a queue."),
    VerbSpec(
      "queue_insert", .media,
      .keys(
        keys(
          "queue_insert",
          [
            KeySpec("items", .list(mediaItem, of: "media"), required: true, "What to insert.").holding(),
            KeySpec(
              "before", mediaItemOrNumber, default: "end",
              "The item that stands behind them: a media id, a URL or an item id."),
          ]), short: nil), "Inserts into the queue."),
    VerbSpec(
      "queue_remove", .media,
      .keys(
        keys(
          "queue_remove",
          [
            KeySpec("items", .list(mediaItemOrNumber, of: "items"), required: true, "What to remove.").distinct()
              .holding()
          ]),
        short: ("items", .list(mediaItemOrNumber, of: "items"))), "Removes from the queue."),
    VerbSpec(
      "queue_jump", .media,
      .keys(
        keys(
          "queue_jump", [KeySpec("to", jump, required: true, "`next`, `previous`, or an item.")]), short: ("to", jump)),
      "Goes to another item."),
    VerbSpec(
      "queue_update", .media,
      .keys(
        keys(
          "queue_update",
          [
            KeySpec("jump", .anyInteger, "How many items."),
            KeySpec("repeat", repeatMode, "What follows the end."),
            KeySpec("shuffle", .bool, "Whether to shuffle."),
            KeySpec(
              "items",
              .list(
                .map(
                  MapSpec(
                    "a queue item", topic: "queue_update",
                    [
                      KeySpec("item", mediaItemOrNumber, required: true, "The item: a media id, a URL or an item id."),
                      KeySpec("media", mediaItem, required: true, "Its new content."),
                    ])), of: "queue items"), "New contents."),
          ], needsOneOf: [["jump", "repeat", "shuffle", "items"]]), short: nil), "Changes the queue."),
    VerbSpec(
      "queue_reorder", .media,
      .keys(
        keys(
          "queue_reorder",
          [
            KeySpec("items", .list(mediaItemOrNumber, of: "items"), required: true, "In their new order.").distinct()
              .holding(),
            KeySpec(
              "before", mediaItemOrNumber, default: "end",
              "The item that stands behind them: a media id, a URL or an item id."),
          ]), short: nil), "Reorders the queue."),
  ]
}
