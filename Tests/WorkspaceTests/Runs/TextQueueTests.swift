import Dispatch
import Glibc
import Testing

@testable import Workspace

@Suite struct TextQueueTests {
  /// A queue whose reader reads a text whenever the gate is opened.
  private struct Gated {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let written = Written()
    let queue: TextQueue

    init(byteLimit: Int) {
      queue = TextQueue(byteLimit: byteLimit) { [gate, begun, written] text throws(FileError) in
        begun.signal()
        gate.wait()
        written.add(text)
      }
    }

    /// Begins a text that nobody reads yet.
    func block(with text: String) {
      #expect(queue.offer(text))
      begun.wait()
    }

    func open() { for _ in 0..<1000 { gate.signal() } }
  }

  @Test("Text is taken while there is room, one text whatever its size, and a verdict always")
  func room() {
    let gated = Gated(byteLimit: 10)
    gated.block(with: "longer than ten bytes\n")
    #expect(!gated.queue.offer("a\n"))
    #expect(gated.queue.offer("verdict\n", isVerdict: true))
    gated.open()
    #expect(gated.queue.drain(until: .now() + .seconds(10)) == 0)
    #expect(gated.queue.offer("12345\n"))
    #expect(gated.queue.drain(until: .now() + .seconds(10)) == 0)
    #expect(gated.written.text == "longer than ten bytes\nverdict\n12345\n")
  }

  @Test("Lines that were dropped are counted before the next one that is not")
  func dropped() {
    let gated = Gated(byteLimit: 10)
    gated.block(with: "first\n")
    for text in ["one\ntwo\n", "three\n"] { gated.queue.tell("dropped " + text) { "\($0) lines were lost" } }
    gated.open()
    #expect(gated.queue.drain(until: .now() + .seconds(10)) == 0)
    for text in ["next\n", "last\n"] {
      gated.queue.tell(text) { "\($0) lines were lost" }
      #expect(gated.queue.drain(until: .now() + .seconds(10)) == 0)
    }
    #expect(gated.written.text == "first\n3 lines were lost\nnext\nlast\n")
  }

  @Test("Waiting ends at its deadline and tells how many lines are not written")
  func deadline() {
    let gated = Gated(byteLimit: 1000)
    gated.block(with: "one\ntwo\n")
    #expect(gated.queue.offer("three\n"))
    #expect(gated.queue.drain(until: .now() + .milliseconds(20)) == 3)
    gated.open()
    #expect(gated.queue.drain(until: .now() + .seconds(10)) == 0)
  }

  @Test("After a write that failed nothing is written, and nobody is told that there is no room")
  func failure() {
    let queue = TextQueue(byteLimit: 10) { _ throws(FileError) in throw .system(ENOSPC) }
    #expect(queue.failure == nil)
    #expect(queue.offer("text\n"))
    #expect(queue.drain(until: .now() + .seconds(10)) == 0)
    #expect(queue.failure == .system(ENOSPC))
    for _ in 0..<5 { #expect(queue.offer("a text that would not fit\n")) }
    #expect(queue.drain(until: .now() + .seconds(10)) == 0)
  }
}
