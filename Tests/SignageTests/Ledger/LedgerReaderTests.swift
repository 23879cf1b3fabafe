import CastProtocol
import CastTransport
import ScenarioLanguage
import Testing

@testable import Signage

@Suite struct LedgerReaderTests {
  @Test("A ledger as it was written is intact, in whatever pieces it is read")
  func intact() throws {
    let bytes = Array(try Ledgers.lines(50).joined().utf8)
    for size in [1, 7, 64, 4_096, bytes.count] {
      var reader = LedgerReader()
      var problems: [LedgerProblem] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.read(Array(bytes[start..<min(start + size, bytes.count)])) { step in
          if let problem = step.problem { problems.append(problem) }
        }
      }
      #expect(reader.count == 50 && reader.last?.number == 50 && problems == [])
    }
    #expect(Ledgers.problems([]) == [])
  }

  @Test("Every change of one byte is found")
  func everyByte() throws {
    let lines = try Ledgers.lines(50)
    var bytes = Array(lines.joined().utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    var line = 0
    for index in bytes.indices {
      let old = bytes[index]
      bytes[index] = old ^ [1, 2, 4, 8, 16, 32, 64, 128][index % 8]
      // What is before and behind it is as it was; a line break joins two lines.
      let start = line > 0 ? ends[line - 1] + 1 : 0
      let last = old == UInt8(ascii: "\n") ? min(line + 1, ends.count - 1) : line
      let end = ends[last] + 1
      let problems = Ledgers.read([Array(bytes[start..<end])]).problems
      if problems.isEmpty { Issue.record("byte \(index) of line \(line + 1)") }
      bytes[index] = old
      if old == UInt8(ascii: "\n") { line += 1 }
    }
  }

  @Test("What is wrong is said of the first line that is")
  func kinds() throws {
    var lines = try Ledgers.lines(9)
    func problem(_ change: (inout [String]) throws -> Void) throws -> LedgerProblem? {
      var changed = lines
      try change(&changed)
      return Ledgers.problems(changed).first
    }
    #expect(try problem { $0[3] = $0[3].replacing("9.5", with: "10") } == LedgerProblem(line: 4, .changed))
    #expect(try problem { $0.remove(at: 4) } == LedgerProblem(line: 5, .missing(5...5)))
    #expect(try problem { $0.removeSubrange(2...5) } == LedgerProblem(line: 3, .missing(3...6)))
    #expect(try problem { $0.removeFirst(2) } == nil)
    #expect(
      try problem { $0.swapAt(2, 3) } == LedgerProblem(line: 3, .missing(3...3)))
    #expect(
      try problem { $0.insert($0[2], at: 3) } == LedgerProblem(line: 4, .outOfOrder(found: 3, expected: 4)))
    #expect(try problem { $0[8].removeLast() } == LedgerProblem(line: 9, .torn))
    #expect(try problem { $0[8] = String($0[8].prefix(20)) } == LedgerProblem(line: 9, .torn))
    #expect(try problem { $0[4] = "\n" } == LedgerProblem(line: 5, .notJSON))
    #expect(try problem { $0[4] = "[1]\n" } == LedgerProblem(line: 5, .notJSON))
    let other = try Ledgers.lines((0..<9).map { Ledgers.gap(.quiet, Double($0), Double($0) + 1) })
    #expect(try problem { $0[5] = other[5] } == LedgerProblem(line: 6, .unlinked))
    lines[8] = String(repeating: "x", count: LedgerLine.byteLimit + 1) + "\n"
    #expect(try problem { _ in } == LedgerProblem(line: 9, .tooLong))
    #expect(LedgerProblem(line: 1, .missing(5...7)).message == "numbers 5 to 7 are missing before it")
  }

  @Test("Behind a problem the chain is read on, so that one is told once")
  func goesOn() throws {
    var lines = try Ledgers.lines(20)
    lines[4] = lines[4].replacing("e", with: "f")
    lines.remove(at: 12)
    let read = Ledgers.read([Array(lines.joined().utf8)])
    #expect(read.problems.map(\.line) == [5, 6, 13] && read.lines.count == 18 && read.reader.count == 16)
  }

  @Test("The chain goes on from file to file; a file that is missing in the middle is found")
  func files() throws {
    let lines = try Ledgers.lines(12)
    let files = [lines[..<4], lines[4..<8], lines[8...]].map { Array($0.joined().utf8) }
    let all = Ledgers.read(files)
    #expect(all.problems == [] && all.reader.count == 12 && all.reader.first?.link.number == 1)
    #expect(Ledgers.read([files[0], files[2]]).problems == [LedgerProblem(line: 1, .missing(5...8))])
    let rest = Ledgers.read([files[1], [], files[2]])
    #expect(rest.problems == [] && rest.reader.first?.link.number == 5)
    #expect(Ledgers.read([files[1], files[0]]).problems.first?.line == 1)
  }

  @Test("A line with a right hash that is of no ledger, or of another version, is told")
  func otherLines() throws {
    var chain = LedgerChain(in: .utc)
    let written = chain.line(Ledgers.gap(.quiet, 0, 1))
    let line = try #require(written)
    func rehashed(_ change: (inout JSONObject) -> Void) throws -> [LedgerProblem] {
      var object = try #require(JSONValue(parsing: line).object)
      object["hash"] = nil
      change(&object)
      let text = object.serialized()
      let hash = try #require(Digest.sha256(Array(text.utf8)))
      return Ledgers.problems([text.dropLast() + #","hash":"\#(hash)"}"# + "\n"])
    }
    #expect(try rehashed { _ in } == [])
    #expect(try rehashed { $0["v"] = 2 } == [LedgerProblem(line: 1, .unknownVersion(2))])
    #expect(try rehashed { $0["n"] = 0 } == [LedgerProblem(line: 1, .noLine)])
    #expect(try rehashed { $0["prev"] = nil } == [LedgerProblem(line: 1, .noLine)])
    // Later versions may write more kinds.
    #expect(try rehashed { $0["type"] = "note" } == [])
  }

  @Test("Whatever bytes come, reading ends")
  func noise() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
        Array(#"{}[]",:hasvn0123456789abcdef\"#.utf8 + [10, 0, 255]).randomElement(using: &generator) ?? 0
      }
      _ = Ledgers.read([bytes])
    }
  }
}
