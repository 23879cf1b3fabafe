/// The blocks of a document: what `use` puts in (docs/language/library.md "Blocks").
struct Blocks: Sendable {
  /// One value that a block asks for.
  struct Parameter: Sendable {
    var key: YAMLNode.Key
    /// `nil`: any value.
    var declaration: VariableDeclaration?
    /// `nil`: every `use` must give one.
    var defaultValue: YAMLNode?

    init(_ pair: YAMLNode.Pair) {
      key = pair.key
      guard VariableDeclaration.describes(pair.value) else {
        // `app:` and `app: {}` ask for any value.
        let isBare = pair.value.isEmpty || pair.value.pairs?.isEmpty == true
        defaultValue = isBare ? nil : pair.value
        return
      }
      let declaration = VariableDeclaration(pair.value)
      self.declaration = declaration
      defaultValue = declaration.defaultValue
    }
  }

  struct Block: Sendable {
    var key: YAMLNode.Key
    var parameters: [Parameter]
    var steps: [YAMLNode]
  }

  private(set) var table = SymbolTable<Block>()
  /// Blocks that use themselves, or others too deep: nothing can be put in for them.
  private(set) var refused: Set<String> = []
  private(set) var costs: [String: UnrollCost] = [:]

  init() {}

  /// Reads the blocks and reports those that use themselves (N405).
  init(_ root: FieldMap, likes: LikeResolver, reportingTo problems: DiagnosticCollector) {
    var likes = likes
    for entry in root.entries("blocks") where !problems.budget.isSpent {
      guard let map = entry.map.map({ likes.resolved($0, .block, reportingTo: problems) }) else { continue }
      let parameters = (map.node("params")?.pairs ?? []).map { Parameter($0) }
      table.define(entry.key, Block(key: entry.key, parameters: parameters, steps: map.node("steps")?.items ?? []))
    }
    for base in root.entries("blocks").compactMap({ $0.map?.text("like") }) { _ = table.use(base) }
    var walk = BlockWalk(table)
    walk.run(reportingTo: problems)
    refused = walk.refused
    costs = walk.costs
  }

  mutating func use(_ name: String) -> Block? { table.use(name) }
}

/// Goes through the blocks, those that are used before those that use them.
private struct BlockWalk {
  private let table: SymbolTable<Blocks.Block>
  private(set) var refused: Set<String> = []
  private(set) var costs: [String: UnrollCost] = [:]
  /// How many blocks deep each one is.
  private var levels: [String: Int] = [:]
  private var isTooDeep = false

  /// A block on the way down, with the uses that are still to be followed.
  private struct Visit {
    var name: String
    var uses: [YAMLNode]
    var next = 0
  }

  init(_ table: SymbolTable<Blocks.Block>) { self.table = table }

  mutating func run(reportingTo problems: DiagnosticCollector) {
    var isOnPath: Set<String> = []
    for first in table.names where costs[first] == nil {
      var path = [visit(first)]
      isOnPath = [first]
      while var top = path.popLast() {
        guard top.next < top.uses.count else {
          isOnPath.remove(top.name)
          finish(top, reportingTo: problems)
          // Each use gives every parameter a value.
          var cost = UnrollCost(nodes: table[top.name]?.parameters.count ?? 0)
          for step in table[top.name]?.steps ?? [] { cost.add(step, blocks: costs) }
          costs[top.name] = cost
          continue
        }
        let use = top.uses[top.next]
        top.next += 1
        path.append(top)
        guard let target = use.text, table[target] != nil, costs[target] == nil else { continue }
        if isOnPath.contains(target) {
          report(target, at: use, path: path, reportingTo: problems)
        } else {
          isOnPath.insert(target)
          path.append(visit(target))
        }
      }
    }
  }

  /// Blocks within blocks within blocks have an end.
  private mutating func finish(_ visit: Visit, reportingTo problems: DiagnosticCollector) {
    let deepest = visit.uses.max { level(of: $0) < level(of: $1) }
    let own = 1 + (deepest.map { level(of: $0) } ?? 0)
    levels[visit.name] = own
    guard own > UnrollCost.Limit.depth, let deepest else { return }
    refused.insert(visit.name)
    // One message for the whole chain, and none for one that is a circle anyway.
    if !isTooDeep, !problems.hasErrors {
      problems.report(
        .error, .y311, "blocks use each other deeper than \(UnrollCost.Limit.depth) levels",
        at: .init(deepest.span, "stopped here"))
    }
    isTooDeep = true
  }

  private func level(of use: YAMLNode) -> Int { use.text.flatMap { levels[$0] } ?? 0 }

  private func visit(_ name: String) -> Visit {
    var uses: [YAMLNode] = []
    for step in table[name]?.steps ?? [] { Self.collect(step, &uses) }
    return Visit(name: name, uses: uses)
  }

  private static func collect(_ step: YAMLNode, _ uses: inout [YAMLNode]) {
    if let name = StepNodes.usedBlock(step) { uses.append(name) }
    for list in StepNodes.lists(in: step) {
      for inner in list.items ?? [] { collect(inner, &uses) }
    }
  }

  private mutating func report(
    _ target: String, at use: YAMLNode, path: [Visit], reportingTo problems: DiagnosticCollector
  ) {
    // Every circle has such a step back; without its target none is left.
    refused.insert(target)
    let circle = problems.budget.exceedsReading ? [] : path.map(\.name).drop { $0 != target }
    var footers: [Diagnostic.Footer] = [.help("blocks are inlined before the run; use `retry:` or `repeat:`")]
    if circle.count > 1 {
      let names = circle.prefix(6).map { "`\(ScalarText.shown($0))`" } + (circle.count > 6 ? ["…"] : [])
      footers.append(.note((names + ["`\(ScalarText.shown(target))`"]).joined(separator: " uses ")))
    }
    problems.report(
      .error, .n405, "block `\(ScalarText.shown(target))` uses itself", at: .init(use.span, "recursion"),
      related: table.key(target).map { [.init($0.span, "defined here")] } ?? [], footers: footers)
  }
}
