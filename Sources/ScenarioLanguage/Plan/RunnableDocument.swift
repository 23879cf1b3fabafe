package import CastProtocol

/// What is to be run, as one value: a plan for every row of the matrix, the files it was read from, and what was added
/// to it. Whoever refuses, stores, shows or runs a document takes this, so that nobody takes the first row for all.
package struct RunnableDocument: Hashable, Sendable {
  /// One plan for each row, in the document's order; never empty.
  package private(set) var rows: [Plan]
  /// The document, then what it includes and what gave it variables.
  package var sources: [SourceFile] = []
  package var inputs = Inputs()
  /// How many warnings were told of it.
  package var warnings = 0

  /// What all rows have in common.
  package let id: String
  /// The document as named on the command line.
  package let file: String
  package let tags: [String]
  package let language: Int

  /// What was added to the document from outside.
  package struct Inputs: Codable, Hashable, Sendable {
    package struct Value: Codable, Hashable, Sendable {
      package var name: String
      package var value: String

      package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
    /// `--set`, in order.
    package var settings: [Value] = []
    /// The names of files with variables, in order.
    package var variableFiles: [String] = []
    /// Where secrets were taken from instead of where the document says; never their values.
    package var secrets: [Value] = []
    /// The values that chose the rows.
    package var row: [String] = []

    package init() {}
  }

  /// - Returns: `nil` without a row: there is nothing to run.
  package init?(_ rows: [Plan]) {
    guard let first = rows.first else { return nil }
    self.init(first, otherRows: Array(rows.dropFirst()))
  }

  /// A document of one row.
  package init(_ plan: Plan) { self.init(plan, otherRows: []) }

  private init(_ first: Plan, otherRows: [Plan]) {
    rows = [first] + otherRows
    (id, file, tags, language) = (first.id, first.file, first.tags, first.language)
  }

  /// The document with only the rows that have all of these values, each `name=value`; `nil` where none has.
  package func withRows(fitting values: [String]) -> RunnableDocument? {
    let fitting = rows.filter { plan in values.allSatisfy { wanted in plan.row.contains { $0.argument == wanted } } }
    var result = with(fitting)
    result?.inputs.row = values
    return result
  }

  /// The document with only the rows at these places; `nil` where there are none.
  package func withRows(at places: [Int]) -> RunnableDocument? {
    with(places.filter(rows.indices.contains).map { rows[$0] })
  }

  private func with(_ rows: [Plan]) -> RunnableDocument? {
    var result = RunnableDocument(rows)
    result?.sources = sources
    result?.inputs = inputs
    result?.warnings = warnings
    return result
  }

  /// Which rows are run again, each the values by name.
  package enum RowsAgain: Hashable, Sendable {
    case only([JSONObject])
    case without([JSONObject])
  }

  /// The document with the rows that are run again; with all of its rows where none would be left. Values are compared
  /// with their types: `1` and `"1"` are two rows.
  package func withRows(_ again: RowsAgain) -> RunnableDocument {
    let (named, isWanted) =
      switch again {
      case .only(let wanted): (Set(wanted), true)
      case .without(let passed): (Set(passed), false)
      }
    return with(rows.filter { named.contains($0.rowValues) == isWanted }) ?? self
  }

  /// Changes every row.
  package mutating func changeRows<Failure>(_ change: (inout Plan) throws(Failure) -> Void) throws(Failure) {
    for index in rows.indices { try change(&rows[index]) }
  }

  // MARK: What it needs

  /// The secrets that any row needs, each once.
  package var secrets: [Plan.Secret] {
    var names: Set<String> = []
    return rows.flatMap(\.secrets).filter { names.insert($0.name).inserted }
  }

  /// Whether any row would start programs of this computer.
  package var startsPrograms: Bool { rows.contains(where: \.startsPrograms) }

  /// Files of this computer that a device would have to fetch, each place once.
  package var localMedia: [(url: String, span: SourceSpan)] {
    var seen: Set<String> = []
    return rows.flatMap(\.localMedia).filter { seen.insert("\($0.span.file):\($0.span.line) \($0.url)").inserted }
  }

  // MARK: What a run folder keeps

  /// The rows' plans: one object, or an array of several.
  package var json: JSONValue {
    let plans = rows.map(\.json)
    return plans.count == 1 ? plans.first ?? .null : .array(plans)
  }
}

extension RunnableDocument.Inputs {
  package var json: JSONValue {
    func list(_ values: [Value]) -> JSONValue { .array(values.map { .string("\($0.name)=\($0.value)") }) }
    return .object([
      "set": list(settings), "vars": .array(variableFiles.map(JSONValue.string)), "secrets": list(secrets),
      "row": .array(row.map(JSONValue.string)),
    ])
  }
}

extension Plan.RowValue {
  /// As `--row` names it.
  package var argument: String { "\(name)=\(value.string ?? value.serialized())" }
}

extension Plan {
  /// The values of its row of the matrix, by name.
  package var rowValues: JSONObject { JSONObject(row.map { .init($0.name, $0.value) }) }

  /// Whether a run would start programs of this computer.
  package var startsPrograms: Bool {
    allSteps.contains { if case .exec = $0.action { true } else { false } }
  }

  /// Files of this computer that a device would have to fetch, in the order of the steps.
  var localMedia: [(url: String, span: SourceSpan)] {
    allSteps.flatMap { step in
      step.media.flatMap(\.addresses).filter { $0.hasPrefix("file:") }.map { ($0, step.span) }
    }
  }
}

extension Plan.Step {
  /// The media that the step itself hands to a device; steps inside it have their own.
  package var media: [MediaInformation] { action.unpacked.action.media }
}

extension MediaInformation {
  /// Everything that a device would fetch to play it.
  fileprivate var addresses: [String] {
    var addresses = [contentURL ?? contentID]
    for track in tracks ?? [] { addresses.append(track.trackContentID ?? "") }
    for clip in breakClips ?? [] {
      addresses += [clip.contentURL ?? clip.contentID, clip.posterURL, clip.vastAdTagURL].compactMap { $0 }
    }
    addresses.append(vmapAdTagURL ?? "")
    addresses += (metadata?["images"]?.array ?? []).compactMap { $0["url"]?.string }
    return addresses
  }
}
