/// How many steps there are once blocks and loops are unrolled, counted without unrolling anything.
///
/// `for_each: { item: [1, 2, 3], steps: [{ use: b }] }` with two steps in `b` counts 10: the loop, and three times the
/// `use` and the two steps that it brings.
struct UnrollCost: Hashable, Sendable {
  /// What unrolling may come to (docs/language/values.md "What no document may have").
  enum Limit {
    static let steps = 100_000
    static let nodes = 1_000_000
    /// Steps within steps, unrolled.
    static let depth = 64
  }

  /// All steps, those that hold steps among them.
  private(set) var steps = 0
  /// Nodes of the document that are looked at for them.
  private(set) var nodes = 0

  /// Far beyond every limit; sums stay below `Int.max`.
  private static let ceiling = 1_000_000_000_000

  private mutating func add(_ other: UnrollCost, times count: Int = 1) {
    func sum(_ own: Int, _ added: Int) -> Int {
      let product = added.multipliedReportingOverflow(by: count)
      return product.overflow ? Self.ceiling : min(own + min(product.partialValue, Self.ceiling), Self.ceiling)
    }
    steps = sum(steps, other.steps)
    nodes = sum(nodes, other.nodes)
  }

  /// Adds a step with all that it unrolls to.
  ///
  /// - Parameter blocks: What the blocks it may use come to.
  mutating func add(_ step: YAMLNode, blocks: [String: UnrollCost]) {
    add(UnrollCost(steps: 1, nodes: step.measure.size))
    addUnrolled(step, blocks: blocks)
    for list in StepNodes.lists(in: step) where Self.passes(of: step) == nil {
      for inner in list.items ?? [] {
        var cost = UnrollCost()
        cost.add(inner, blocks: blocks)
        add(UnrollCost(steps: cost.steps, nodes: cost.nodes - inner.measure.size))
      }
    }
  }

  /// Adds what a `use` or a `for_each` itself unrolls to, not what lies in steps below it.
  private mutating func addUnrolled(_ step: YAMLNode, blocks: [String: UnrollCost]) {
    if let name = StepNodes.usedBlock(step)?.text, let cost = blocks[name] { add(cost) }
    guard let count = Self.passes(of: step) else { return }
    for list in StepNodes.lists(in: step) {
      var cost = UnrollCost()
      for inner in list.items ?? [] { cost.add(inner, blocks: blocks) }
      add(cost, times: count)
    }
  }

  init(steps: Int = 0, nodes: Int) {
    self.steps = steps
    self.nodes = nodes
  }

  init() {}

  /// How often a loop over a list that is known runs.
  private static func passes(of step: YAMLNode) -> Int? {
    let loop = step.pairs?.first { $0.key.text == "for_each" }?.value
    return loop?.pairs?.first { $0.key.text == "item" }?.value.items?.count
  }

  /// Whether unrolling takes too long for a document that is refused anyway.
  var isLarge: Bool { steps > Limit.steps / 20 || nodes > Limit.nodes / 20 }

  /// Looks for the step at which the unrolled steps of a document become too many, and reports it.
  ///
  /// - Returns: What unrolling adds; `nil` where it is too much.
  static func check(
    _ lists: [YAMLNode], blocks: [String: UnrollCost], reportingTo problems: DiagnosticCollector
  ) -> UnrollCost? {
    var total = UnrollCost()
    for list in lists where !total.check(list, blocks: blocks, reportingTo: problems) { return nil }
    return total
  }

  /// Adds what another part or row of a document unrolls to; false when all so far is too much for one document.
  mutating func addAll(of other: UnrollCost) -> Bool {
    add(other)
    return steps <= Limit.steps && nodes <= Limit.nodes
  }

  /// Whether so many rows like this one are more than a document may come to.
  func isTooMuch(times rows: Int) -> Bool {
    var all = UnrollCost()
    all.add(self, times: rows)
    return all.steps > Limit.steps || all.nodes > Limit.nodes
  }

  private mutating func check(
    _ list: YAMLNode, blocks: [String: UnrollCost], reportingTo problems: DiagnosticCollector
  ) -> Bool {
    for step in list.items ?? [] where StepNodes.bringsSteps(step) {
      addUnrolled(step, blocks: blocks)
      if steps > Limit.steps || nodes > Limit.nodes {
        let key = step.pairs?.first { ["use", "for_each"].contains($0.key.text) }?.key.span
        problems.reportAndStop(problem(at: key ?? step.span))
        return false
      }
      for inner in StepNodes.lists(in: step) where Self.passes(of: step) == nil {
        if !check(inner, blocks: blocks, reportingTo: problems) { return false }
      }
    }
    return true
  }

  /// Looks for the step of a scenario, as it is written, that is one too many: before anything is made of them.
  ///
  /// - Returns: Whether there are few enough.
  static func checkWritten(_ pairs: [YAMLNode.Pair], reportingTo problems: DiagnosticCollector) -> Bool {
    var left = Limit.steps
    for pair in pairs where Plan.Section(rawValue: pair.key.text) != nil {
      guard let surplus = firstSurplus(in: pair.value, left: &left) else { continue }
      problems.reportAndStop(
        Diagnostic(
          .error, .p617, "this scenario has more than \(Limit.steps) steps", at: .init(surplus, "one too many"),
          footers: [.help("`repeat: { times: …, steps: […] }` runs steps again, however often")]))
      return false
    }
    return true
  }

  private static func firstSurplus(in list: YAMLNode, left: inout Int) -> SourceSpan? {
    for step in list.items ?? [] {
      left -= 1
      if left < 0 { return step.span }
      for inner in StepNodes.lists(in: step) {
        if let surplus = firstSurplus(in: inner, left: &left) { return surplus }
      }
    }
    return nil
  }

  private func problem(at span: SourceSpan) -> Diagnostic {
    if steps > Limit.steps {
      return Self.tooMany(steps >= Self.ceiling ? "more than \(Self.ceiling)" : "\(steps)", at: span)
    }
    return Diagnostic(
      .error, .y302, "unrolling expands this document to more than \(Limit.nodes) nodes",
      at: .init(span, "stopped here"))
  }

  /// What steps come to, those that unrolling adds.
  static func unrolled(_ step: YAMLNode, blocks: [String: UnrollCost]) -> Int {
    guard StepNodes.bringsSteps(step) else { return 1 }
    var cost = UnrollCost()
    cost.add(step, blocks: blocks)
    return cost.steps
  }

  /// P617.
  static func tooMany(_ count: String, at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .error, .p617, "unrolling comes to \(count) steps, at most \(Limit.steps) are allowed",
      at: .init(span, "with this one"),
      footers: [.help("`repeat: { times: …, steps: […] }` runs steps again without unrolling them")])
  }
}
