import CastProtocol

/// The rows of `matrix:`: every combination of its values but for those that `exclude` names
/// (docs/language/variables.md "Matrix").
enum Matrix {
  struct Row: Sendable {
    /// The document with the row's values put in.
    var root: YAMLNode
    /// In the document's order.
    var values: [Plan.RowValue] = []
  }

  /// What a matrix may come to, so that a short document cannot become a day of compiling.
  enum Limit {
    static let rows = 1_000
    /// Nodes of the document in all rows.
    static let nodes = 1_000_000
  }

  /// One variable of the matrix with its values.
  private struct Axis {
    var key: YAMLNode.Key
    var values: [YAMLNode]
  }

  /// The names that `${matrix.…}` may have; `nil` without a matrix.
  static func names(_ root: YAMLNode) -> [String]? {
    root.pairs?.first { $0.key.text == "matrix" }?.value.pairs?.map(\.key.text).filter { $0 != "exclude" }
  }

  /// The rows of a document, at least one; where the matrix is wrong only one, with the first values.
  ///
  /// `matrix: { lang: [en, no], speed: [1, 2], exclude: [{ lang: no, speed: 2 }] }` has the rows `lang=en, speed=1`,
  /// `lang=en, speed=2` and `lang=no, speed=1`; in the first `rate: "${matrix.speed}"` becomes `rate: 1`.
  static func rows(
    of root: YAMLNode, _ kind: DocumentKind, reportingTo problems: DiagnosticCollector
  ) -> [Row] {
    guard kind == .scenario, let matrix = root.pairs?.first(where: { $0.key.text == "matrix" }),
      let pairs = matrix.value.pairs
    else { return [Row(root: root)] }
    let axes = pairs.filter { $0.key.text != "exclude" && $0.value.items != nil }.map {
      Axis(key: $0.key, values: $0.value.items ?? [])
    }
    if axes.isEmpty { return [Row(root: root)] }
    let first = axes.map { $0.values.first }
    // The rows share the limits of one document.
    var filling = PlaceholderFilling(reportingTo: problems)
    guard isSound(axes, matrix.key, root, reportingTo: problems) else {
      return [filled(root, axes, first, by: &filling, reportingTo: problems)]
    }
    let excluded = exclusions(pairs, axes, reportingTo: problems)
    var rows: [Row] = []
    var hits = [Bool](repeating: false, count: excluded.count)
    // The last variable changes fastest, as the digits of a number do.
    var digits = [Int](repeating: 0, count: axes.count)
    combinations: while true {
      var isExcluded = false
      for (index, entry) in excluded.enumerated() where entry.matches(digits) {
        hits[index] = true
        isExcluded = true
      }
      if !isExcluded {
        let values = zip(axes, digits).map { axis, digit in axis.values[digit] }
        rows.append(filled(root, axes, values, by: &filling, reportingTo: problems))
      }
      var place = axes.count - 1
      while true {
        digits[place] += 1
        if digits[place] < axes[place].values.count { break }
        digits[place] = 0
        place -= 1
        if place < 0 { break combinations }
      }
    }
    for (index, entry) in excluded.enumerated() where !hits[index] { report(unused: entry, reportingTo: problems) }
    if rows.isEmpty {
      let key = pairs.first { $0.key.text == "exclude" }?.key.span ?? matrix.key.span
      problems.report(.error, .p612, "the matrix has no row left", at: .init(key, "every combination is excluded"))
      return [filled(root, axes, first, by: &filling, reportingTo: problems)]
    }
    return rows
  }

  /// Whether all variables have values and there are not too many rows.
  private static func isSound(
    _ axes: [Axis], _ key: YAMLNode.Key, _ root: YAMLNode, reportingTo problems: DiagnosticCollector
  ) -> Bool {
    if let empty = axes.first(where: { $0.values.isEmpty }) {
      problems.report(
        .error, .p612, "the matrix has no row: `\(ScalarText.shown(empty.key.text))` has no value",
        at: .init(empty.key.span, "an empty list"),
        footers: [.help("without a value there is nothing to run; leave the variable out, or give it one")])
      return false
    }
    var count = 1
    for axis in axes { count = min(count * axis.values.count, 1_000_000_000) }
    let steps = Plan.Section.allCases.reduce(0) { sum, section in
      sum + (root.pairs?.first { $0.key.text == section.rawValue }?.value.items?.count ?? 0)
    }
    let size = root.measure.size
    guard count > Limit.rows || count * size > Limit.nodes || count * steps > UnrollCost.Limit.steps else {
      return true
    }
    let most = max(min(Limit.rows, Limit.nodes / max(size, 1), UnrollCost.Limit.steps / max(steps, 1)), 1)
    problems.report(
      .error, .p617, "the matrix comes to \(count < 1_000_000_000 ? "\(count)" : "more than \(count)") rows",
      at: .init(key.span, "at most \(most) for a document of this size"),
      footers: [.help("leave values out, or split the document")])
    return false
  }

  // MARK: exclude

  /// One entry of `exclude`: the places of its values in each variable's list.
  private struct Exclusion {
    var node: YAMLNode
    /// Whether each of the variable's values is meant.
    var places: [(axis: Int, isMeant: [Bool])]

    func matches(_ digits: [Int]) -> Bool { places.allSatisfy { $0.isMeant[digits[$0.axis]] } }
  }

  private static func exclusions(
    _ pairs: [YAMLNode.Pair], _ axes: [Axis], reportingTo problems: DiagnosticCollector
  ) -> [Exclusion] {
    guard let nodes = pairs.first(where: { $0.key.text == "exclude" })?.value.items else { return [] }
    var exclusions: [Exclusion] = []
    let names = axes.map(\.key.text)
    let indices = Dictionary(names.indices.map { (names[$0], $0) }, uniquingKeysWith: { first, _ in first })
    let listed = ScalarText.listed(names.sorted())
    // As many as there may be rows: more cannot say anything new.
    for node in nodes.prefix(Limit.rows) {
      guard let entries = node.pairs, !entries.isEmpty else {
        problems.report(
          .error, .t210, "expected a map of variables and their values", at: node,
          footers: [.help("such as `exclude: [{ \(ScalarText.shown(names[0])): … }]`")])
        continue
      }
      var exclusion = Exclusion(node: node, places: [])
      var isSound = true
      for entry in entries {
        if problems.budget.isSpent { return exclusions }
        guard let axis = indices[entry.key.text] else {
          reportUnknown(entry.key, names, listed, reportingTo: problems)
          isSound = false
          continue
        }
        exclusion.places.append((axis, axes[axis].values.map { isSame($0, entry.value) }))
      }
      if isSound { exclusions.append(exclusion) }
    }
    return exclusions
  }

  private static func reportUnknown(
    _ key: YAMLNode.Key, _ names: [String], _ listed: String, reportingTo problems: DiagnosticCollector
  ) {
    let suggestion =
      problems.budget.allowsSuggestions ? Suggestions.nearest(to: key.text, among: names.prefix(500)) : nil
    problems.report(
      .error, .k101, "unknown variable \(ScalarText.quoted(key.text)) in `exclude`",
      at: .init(key.span, Suggestions.label(suggestion)),
      footers: [.help("variables of the matrix: \(listed)")])
  }

  private static func report(unused entry: Exclusion, reportingTo problems: DiagnosticCollector) {
    problems.report(
      .warning, .p612, "this `exclude` matches no row", at: entry.node, "nothing is left out",
      footers: [.help("its values must all stand in the lists of the matrix, in one combination")])
  }

  /// Whether two values are written alike, quotes and the order of keys aside.
  static func isSame(_ a: YAMLNode, _ b: YAMLNode) -> Bool {
    switch (a.content, b.content) {
    case (.scalar(let a), .scalar(let b)): a.text == b.text && a.deferred == b.deferred
    case (.sequence(let a), .sequence(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
    case (.mapping(let a), .mapping(let b)):
      a.count == b.count
        && zip(a.sorted { $0.key.text < $1.key.text }, b.sorted { $0.key.text < $1.key.text }).allSatisfy {
          $0.key.text == $1.key.text && isSame($0.value, $1.value)
        }
    default: false
    }
  }

  // MARK: Rows

  private static func filled(
    _ root: YAMLNode, _ axes: [Axis], _ values: [YAMLNode?], by filling: inout PlaceholderFilling,
    reportingTo problems: DiagnosticCollector
  ) -> Row {
    var bindings = PlaceholderFilling.Bindings()
    var row = Row(root: root)
    for (axis, value) in zip(axes, values) {
      guard let value else { continue }
      guard bindings.bind("matrix.\(axis.key.text)", to: value) else {
        problems.report(.error, .y311, "this value nests too deep", at: value)
        continue
      }
      row.values.append(Plan.RowValue(name: axis.key.text, value: json(value)))
    }
    row.root = filling.filled(root, with: bindings) ?? root
    return row
  }

  /// A value as reports show it: numbers as numbers, other words as written.
  private static func json(_ node: YAMLNode) -> JSONValue {
    let ignored = DiagnosticCollector()
    let value = FreeData.json(node, reportingTo: ignored)
    if ignored.hasErrors, let text = node.text { return .string(text) }
    return value
  }
}
