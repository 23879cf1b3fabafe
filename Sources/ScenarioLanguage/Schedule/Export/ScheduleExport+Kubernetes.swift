import CastProtocol

extension ScheduleExport {
  /// A `CronJob` of `batch/v1`.
  mutating func addKubernetes(_ schedule: Schedule, of subject: Subject, called name: String) throws(Failure) {
    if schedule.overlap == .queue { try refuseOverlap(schedule, "Kubernetes") }
    warnOfClocks(schedule, "Kubernetes", skips: true)
    let all = try Self.fields(of: schedule)
    for (index, fields) in all.enumerated() {
      files.append(
        File(
          name: "\(name).yaml",
          text: Self.job(all.count == 1 ? name : "\(name)-\(index + 1)", fields, schedule, subject)))
    }
  }

  private static func job(_ name: String, _ fields: String, _ schedule: Schedule, _ subject: Subject) -> String {
    let jitter = Int(schedule.jitter.components.seconds)
    let run = ["showcaller", "run"] + subject.options + [subject.path]
    // The command is the shell's arguments, so that nothing in its words is read by it.
    let command = jitter > 0 ? ["sh", "-c", "sleep $(shuf -i 0-\(jitter) -n 1); exec \"$@\"", "sh"] + run : run
    var spec = "  schedule: \(text(fields))\n"
    if let zone = schedule.timeZone { spec += "  timeZone: \(text(zone))\n" }
    spec += "  concurrencyPolicy: \(schedule.overlap == .replace ? "Replace" : "Forbid")\n"
    // Less than 10 seconds may be overlooked: the controller looks that often.
    let late = schedule.missedWithin.map { max(10, Int($0.components.seconds)) } ?? 60
    spec += "  startingDeadlineSeconds: \(late)\n"
    return """
      apiVersion: batch/v1
      kind: CronJob
      metadata:
        name: \(name)
        annotations:
          showcaller/title: \(text(subject.title))
      spec:
      \(spec)  jobTemplate:
          spec:
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                hostNetwork: true
                containers:
                  - name: showcaller
                    image: \(text(subject.image))
                    command: [\(command.map(text).joined(separator: ", "))]

      """
  }

  /// A JSON string is a YAML string, whatever is in it.
  private static func text(_ text: String) -> String { JSONValue.string(text).serialized() }
}
