import CastProtocol

/// Steps that are put in several times: blocks, and loops over lists that are known.
extension StepCompiler {
  /// Compiles a block that nothing uses for what is wrong with it: its parameters fit anywhere.
  mutating func checkUnusedBlock(_ block: Blocks.Block) {
    let names = Set(block.parameters.map(\.key.text))
    isUnusedBlock = true
    saved.placeholders = names
    fieldReader.placeholders = names
    clock = DeadlineClock()
    role = roleNames.isEmpty ? nil : .all
    saved.enter()
    _ = steps(block.steps, prefix: "\(block.key.text).")
    _ = saved.leave()
    role = nil
    isUnusedBlock = false
    saved.placeholders = []
    fieldReader.placeholders = []
  }

  /// Steps with what is bound put in; those that this changes are checked once more.
  mutating func filled(_ nodes: [YAMLNode], with bindings: PlaceholderFilling.Bindings) -> [YAMLNode] {
    var steps = nodes
    for (index, node) in nodes.enumerated() {
      guard var filled = filling.filled(node, with: bindings) else { continue }
      _ = fieldReader.readStep(&filled)
      steps[index] = filled
      // Lists that came as arguments could not be counted before.
      let coming = unrolled + UnrollCost.unrolled(filled, blocks: blocks.costs)
      if coming > UnrollCost.Limit.steps, isUnrollable,
        let step = steps[...index].lazy.reversed().compactMap(StepFields.init).first
      {
        problems.reportAndStop(UnrollCost.tooMany("\(coming)", at: step.verbSpan))
        isUnrollable = false
      }
    }
    return steps
  }

  /// Counts what was unrolled; P617 where even the count before could not know how much it is.
  mutating func count(_ added: Int, at step: StepFields) -> Bool {
    unrolled += added
    if unrolled <= UnrollCost.Limit.steps { return true }
    if isUnrollable {
      problems.reportAndStop(UnrollCost.tooMany("more than \(UnrollCost.Limit.steps)", at: step.verbSpan))
      isUnrollable = false
    }
    return false
  }
}
