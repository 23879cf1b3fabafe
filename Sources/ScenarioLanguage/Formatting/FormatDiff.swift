/// What formatting changes, as a unified diff that `patch` takes.
package enum FormatDiff {
  private enum Line {
    case same(String)
    case removed(String)
    case added(String)
  }

  private static let context = 3
  private static let noBreak = "\n\\ No newline at end of file"

  /// The changes from one text to another; empty where there are none.
  ///
  /// Formatting changes white space and drops empty lines: lines are matched by what else is in them, in one pass.
  package static func unified(from old: [UInt8], to new: [UInt8], name: String) -> String {
    let lines = compared(split(old), split(new))
    var result = ""
    var oldLine = 1
    var newLine = 1
    var index = 0
    while index < lines.count {
      guard isChange(lines[index]) else {
        index += 1
        oldLine += 1
        newLine += 1
        continue
      }
      let start = max(0, index - context)
      var end = index
      var lastChange = index
      while end < lines.count, end <= lastChange + 2 * context {
        if isChange(lines[end]) { lastChange = end }
        end += 1
      }
      end = min(lines.count, lastChange + context + 1)
      let hunk = lines[start..<end]
      let before = index - start
      let oldCount = hunk.count { if case .added = $0 { false } else { true } }
      let newCount = hunk.count { if case .removed = $0 { false } else { true } }
      if result.isEmpty { result = "--- \(name)\n+++ \(name)\n" }
      result += "@@ -\(place(oldLine - before, oldCount)) +\(place(newLine - before, newCount)) @@\n"
      for line in hunk {
        switch line {
        case .same(let text): result += " \(text)\n"
        case .removed(let text): result += "-\(text)\n"
        case .added(let text): result += "+\(text)\n"
        }
      }
      oldLine += oldCount - before
      newLine += newCount - before
      index = end
    }
    return result
  }

  private static func place(_ line: Int, _ count: Int) -> String {
    count == 0 ? "\(line - 1),0" : count == 1 ? "\(line)" : "\(line),\(count)"
  }

  private static func isChange(_ line: Line) -> Bool {
    if case .same = line { false } else { true }
  }

  private static func split(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    if lines.last == "" {
      lines.removeLast()
    } else if let last = lines.last {
      lines[lines.count - 1] = last + noBreak
    }
    return lines
  }

  private static func compared(_ old: [String], _ new: [String]) -> [Line] {
    var result: [Line] = []
    var removed: [Line] = []
    var added: [Line] = []
    func flush() {
      result += removed + added
      removed = []
      added = []
    }
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, j < new.count, old[i] == new[j] {
        flush()
        result.append(.same(old[i]))
        i += 1
        j += 1
      } else if i < old.count, isBlank(old[i]), j >= new.count || !isBlank(new[j]) {
        removed.append(.removed(old[i]))
        i += 1
      } else {
        if i < old.count { removed.append(.removed(old[i])) }
        if j < new.count { added.append(.added(new[j])) }
        i += 1
        j += 1
      }
    }
    flush()
    return result
  }

  private static func isBlank(_ line: String) -> Bool {
    line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
