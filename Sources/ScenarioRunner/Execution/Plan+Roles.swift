package import ScenarioLanguage

extension Plan {
  /// The plan with every step of `role: all` written out: one step for each role, all at once.
  package var withRolesWrittenOut: Plan {
    guard !roles.isEmpty else { return self }
    var plan = self
    let names = roles.map(\.name)
    plan.setup = plan.setup.map { $0.writtenOut(for: names) }
    plan.steps = plan.steps.map { $0.writtenOut(for: names) }
    plan.onFailure = plan.onFailure.map { $0.writtenOut(for: names) }
    plan.finally = plan.finally.map { $0.writtenOut(for: names) }
    return plan
  }
}

extension Plan.Step {
  /// What means no device runs once; what holds steps runs once with them written out, unless it asks the device itself.
  fileprivate func writtenOut(for roles: [String]) -> Plan.Step {
    guard role == .all, needsRole, skip == nil else { return mapNested { $0.writtenOut(for: roles) } }
    var step = self
    let branches = roles.map { role in
      Plan.ParallelAction.Branch(name: role, steps: [copy(for: role)])
    }
    var parallel = Plan.ParallelAction(branches: branches)
    // What one device does is no reason not to hear of the others.
    parallel.failFast = false
    step.action = .parallel(parallel)
    step.role = nil
    step.condition = nil
    step.save = []
    step.retry.attempts = 1
    step.hasTimeout = false
    return step
  }

  /// This step for one of the roles, with names of its own.
  private func copy(for role: String) -> Plan.Step {
    func renamed(_ step: Plan.Step) -> Plan.Step {
      var step = step.mapNested(renamed)
      step.id = "\(step.id).\(role)"
      if step.role == .all { step.role = .one(role) }
      return step
    }
    var step = renamed(self)
    step.ifFails = .stop
    return step
  }

  private func mapNested(_ change: (Plan.Step) -> Plan.Step) -> Plan.Step {
    var step = self
    switch action {
    case .group(var group):
      group.steps = group.steps.map(change)
      group.finally = group.finally.map(change)
      step.action = .group(group)
    case .choose(var branches):
      for index in branches.indices { branches[index].steps = branches[index].steps.map(change) }
      step.action = .choose(branches)
    case .repeat(var loop):
      loop.steps = loop.steps.map(change)
      step.action = .repeat(loop)
    case .forEach(var loop):
      loop.steps = loop.steps.map(change)
      step.action = .forEach(loop)
    case .parallel(var parallel):
      for index in parallel.branches.indices {
        parallel.branches[index].steps = parallel.branches[index].steps.map(change)
      }
      step.action = .parallel(parallel)
    default: break
    }
    return step
  }
}
