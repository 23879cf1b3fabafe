import CastProtocol
import ScenarioLanguage

/// What was judged, and what was seen before it failed.
extension StepMarkup {
  var verdict: HTML {
    let failed = step.failedExpectation
    guard let judged = failed ?? step.passedExpectation else { return "" }
    let text = VerdictText(judged, statuses: step.statuses, polled: step.polledStatuses)
    let leaves = WantText.leaves(judged.want)
    let rows = leaves.map { leaf -> HTML in
      let path = leaf.path.text
      let isOff = judged.mismatches.contains { path == $0 || path.hasPrefix($0 + ".") }
      func shown(_ object: JSONObject?) -> String {
        guard !leaf.path.parts.isEmpty, let object else { return "" }
        let value = leaf.path.parts.reduce(JSONValue.object(object)) { $0[$1] ?? .null }
        return HTML.cut(WantText.value(value, at: leaf.path), to: Self.textLimit)
      }
      return """
        <tr\(" class=\"off\"", if: isOff)><th scope="row">\(isOff ? "✗ " : "")\(path)</th>\
        <td>\(HTML.cut(leaf.text, to: Self.textLimit))</td><td>\(shown(judged.got))</td>\
        <td>\(text.nearest == nil ? "" : shown(judged.nearest?.values))</td></tr>
        """
    }
    let when = judged.nearest.map { text.nearest == nil ? "" : " at +\(TimelineMarkup.seconds($0.elapsed))" } ?? ""
    let lines: [(String, String?)] = [
      ("observed", leaves.allSatisfy { $0.path.parts.isEmpty } ? text.observed : nil),
      (
        "marks",
        [
          judged.isEstimated ? "the position is estimated" : nil, judged.isPolled ? "the status was polled" : nil,
          judged.isInconclusive ? "nothing came that could decide it" : nil,
        ].compactMap(\.self).joined(separator: ", ")
      ),
      ("margins", judged.margins.map(\.text).joined(separator: ", ")),
      ("waited for", judged.waitedFor.joined(separator: ", ")), ("remark", judged.remark), ("because", judged.because),
      ("messages", judged.messages.map { "\($0) came in the window" }),
      ("skew", judged.skew.map { "\($0.decimals(3)) s between the first and the last device" }),
      ("statuses", failed == nil ? nil : text.statusLine), ("faults", RunMarkup.faults(step.faultLines)),
    ]
    let more = lines.compactMap { name, line -> HTML? in
      guard let line, !line.isEmpty else { return nil }
      return "<dt>\(name)</dt><dd>\(HTML.cut(line, to: Self.textLimit))</dd>"
    }
    return """
      <div class="wide"><table class="judged"><thead><tr><th scope="col">field</th><th scope="col">expected</th>\
      <th scope="col">observed</th><th scope="col">nearest\(when)</th></tr></thead><tbody>\(rows)</tbody></table></div>\
      <dl>\(more)</dl>
      """
  }

  /// The last statuses while a failed step ran, each as what changed.
  var statuses: HTML {
    guard isBad, !step.statuses.isEmpty else { return "" }
    var before: [String: String] = [:]
    let items = step.statuses.enumerated().map { index, status -> HTML in
      let values = status.values.members.map { member in
        (member.name, HTML.cut(WantText.value(member.value, at: FieldPath([member.name])), to: 300))
      }
      let changed = values.filter { before[$0.0] != $0.1 }.map { "<i>\($0.0) \($0.1)</i> " as HTML }
      let gone = before.keys.sorted().filter { status.values[$0] == nil }.map { "<s>\($0)</s> " as HTML }
      before = values.reduce(into: [:]) { $0[$1.0] = $1.1 }
      let note: HTML =
        (status.isPolled ? "<small>polled</small> " : "") + (index == 0 ? "<small>all fields</small>" : "")
      return "<li><b>+\(status.elapsed.decimals(2, padded: true))s</b> \(changed)\(gone)\(note)</li>"
    }
    return """
      <details class="diffs" open><summary>the last \(items.count == 1 ? "status" : "\(items.count) statuses") while it ran</summary>\
      <ol>\(items)</ol></details>
      """
  }

  var messages: HTML {
    let messages = step.messages
    guard isBad || !step.failedAttempts.isEmpty, !messages.isEmpty else { return "" }
    let items = messages.map { kept -> HTML in
      let id = kept.message.id.map { "#" + HTML.cut($0.string ?? $0.serialized(), to: 40) } ?? ""
      return """
        <li><b>+\(kept.elapsed.decimals(3, padded: true))s</b> \(kept.isSent ? "→" : "←") \
        <code>\(HTML.cut(kept.message.namespace, to: 120)) \(id)</code> \
        <code class="json">\(HTML.cut(kept.message.message.serialized(), to: Self.textLimit))</code></li>
        """
    }
    return """
      <details class="wire" open><summary>the last \
      \(items.count == 1 ? "message" : "\(items.count) messages") before it failed</summary><ol>\(items)</ol></details>
      """
  }

  var pages: HTML {
    var html: HTML = ""
    let errors = step.pageEvidence.compactMap { if case .error(let text) = $0 { text } else { nil } }
    if !errors.isEmpty {
      let lines = errors.map { "<li>\(HTML.cut($0, to: Self.textLimit))</li>" as HTML }
      html += "<details class=\"pages\" open><summary>errors of the receiver page</summary><ul>\(lines)</ul></details>"
    }
    for case .picture(let path) in step.pageEvidence {
      // Other paths could lead anywhere.
      guard Self.isInRunFolder(path) else {
        html += "<p>picture of the receiver page: <code>\(path)</code></p>"
        continue
      }
      html += pictures.slot(
        path, title: "the receiver page as \(HTML.cut(step.id, to: 100)) failed", counts: isBad)
    }
    return html
  }

  /// Whether a path leads to a file beside the page: nothing with a scheme, and nothing above.
  static func isInRunFolder(_ path: String) -> Bool {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
      default: false
      }
    }
    return isPlain && path.hasSuffix(".png") && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
  }

  var inner: HTML {
    var html: HTML = ""
    if step.inner > 0 {
      html +=
        "<p class=\"soft\">\(step.inner) \(step.inner == 1 ? "step" : "steps") ran in it, \(step.innerGood) passed.</p>"
    }
    guard !step.failures.isEmpty else { return html }
    guard depth < Self.depthLimit else { return html + "<p class=\"left\">More steps in it failed.</p>" }
    let items = step.failures.map { failure in
      StepMarkup(
        step: failure, sources: sources, pictures: pictures, rerun: rerun, fate: fate, tellsDevice: tellsDevice,
        depth: depth + 1
      ).html
    }
    return html + "<div class=\"inner\">\(items)</div>"
  }
}
