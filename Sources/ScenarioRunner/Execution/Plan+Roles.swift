package import ScenarioLanguage

extension Plan {
  /// The plan with every step of `role: all` written out: one step for each role, all at once.
  package var withRolesWrittenOut: Plan {
    guard !roles.isEmpty else { return self }
    let names = roles.map(\.name)
    return mapSteps { $0.writtenOut(for: names) }
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
    // A failure on one device does not keep the others from being judged.
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
}
