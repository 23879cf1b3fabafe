extension EventKind {
  /// `page`: what a receiver page that runs in a browser of ours tells its developer.
  package struct PageNote: EventPayload {
    /// The name of the virtual receiver that shows the page.
    package var receiver = ""
    /// `console`, `exception`, `request`, `browser`, or `platform` for what we say of it.
    package var kind = ""
    package var level = Level.info
    package var text = ""
    /// Where it happened, or what was asked for.
    package var url: String?
    /// The line of that file, from 1.
    package var line: Int?

    package enum Level: String, EventValue { case debug, info, warning, error }

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("receiver", &receiver)
      members.always("kind", &kind)
      members.always("level", &level)
      members.always("text", &text)
      members.optional("url", &url)
      members.optional("line", &line)
    }

    /// `console: no licence (http://localhost:3000/app.js:12)`.
    package var oneLine: String {
      let place = url.map { url in " (\(url)\(line.map { ":\($0)" } ?? ""))" } ?? ""
      return "\(kind): \(text)\(place)"
    }
  }

  /// `screenshot`: a picture of the page was kept, because a step failed.
  package struct Screenshot: EventPayload {
    package var receiver = ""
    /// The file, a PNG, in the run's folder.
    package var path = ""

    package init() {}
    package init(receiver: String, path: String) { (self.receiver, self.path) = (receiver, path) }

    package mutating func code(_ members: inout EventMembers) {
      members.always("receiver", &receiver)
      members.always("path", &path)
    }
  }
}
