import Glibc

extension ChildProgram {
  /// What goes between us and a program while it runs.
  struct Exchange {
    let child: pid_t
    private let program: ChildProgram
    private let input: Pipe
    private let output: Pipe
    private let errors: Pipe
    private var written = 0
    private(set) var read: [UInt8] = []
    private(set) var readError: [UInt8] = []
    private(set) var status: Int32?

    init(_ program: ChildProgram, _ child: pid_t, _ input: Pipe, _ output: Pipe, _ errors: Pipe) {
      (self.program, self.child, self.input, self.output, self.errors) = (program, child, input, output, errors)
      if program.input.isEmpty { input.closeWriting() }
    }

    /// Reads and writes until the program is over.
    /// - Parameter isEnding: What it still writes is not wanted.
    /// - Returns: Why it has to be ended; `nil` when it is over.
    mutating func run(until deadline: ContinuousClock.Instant, or stop: CancellationFlag?, isEnding: Bool = false)
      -> End?
    {
      var readsLeft = ChildProgram.readsAfterEnd
      while true {
        let isOver = status != nil
        if ContinuousClock.now >= deadline || stop?.value == true { return isOver ? nil : .overdue }
        if isOver {
          // Its children may write for ever.
          if readsLeft == 0 { return nil }
          readsLeft -= 1
        }
        var polled = [
          pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
          pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
          pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
        ]
        // With both outputs closed it is about to end.
        let isSilent = output.reading < 0 && errors.reading < 0
        let ready = poll(&polled, nfds_t(polled.count), isOver ? 0 : isSilent ? 2 : ChildProgram.pollInterval)
        if ready < 0, errno != EINTR { return .notStarted(ChildProgram.text(errno)) }
        if !isOver { status = ended() }
        if ready <= 0 {
          // Its children may hold its output open for ever, so only what is already there is read.
          if isOver { return nil }
          continue
        }
        if polled[0].revents != 0 {
          let before = read.count
          output.read(into: &read)
          if read.count > before { program.onOutput?(read[before...]) }
        }
        if isEnding { read = [] }
        if read.count > program.outputLimit { return .tooMuchOutput }
        if polled[1].revents != 0, case .kept(let count) = program.standardError {
          errors.read(into: &readError)
          if readError.count > count { readError.removeFirst(readError.count - count) }
        }
        if polled[2].revents != 0 { write() }
      }
    }

    private mutating func write() {
      let count = program.input.withUnsafeBytes {
        Glibc.write(input.writing, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count > 0 { written += count }
      if written >= program.input.count || count < 0 && errno != EINTR && errno != EAGAIN { input.closeWriting() }
    }

    /// The program's status once it is over.
    private func ended() -> Int32? {
      var status: Int32 = 0
      let found = waitpid(child, &status, WNOHANG)
      if found == child { return status }
      // Where somebody else took its end, nobody knows how it ended: that is no success.
      return found < 0 && errno != EINTR ? ChildProgram.unknownEnd : nil
    }
  }

  /// Two ends that no other program gets.
  final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      closeReading()
      closeWriting()
    }

    func closeReading() {
      if reading >= 0 { close(reading) }
      reading = -1
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    func read(into bytes: inout [UInt8]) {
      var chunk = [UInt8](repeating: 0, count: ChildProgram.readSize)
      let count = (try? Descriptor.read(reading, into: &chunk)) ?? 0
      if count > 0 { bytes += chunk.prefix(count) } else { closeReading() }
    }
  }
}
