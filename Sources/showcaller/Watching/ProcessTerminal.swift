import DeviceControl

/// The terminal of this process, as a watch uses it.
struct ProcessTerminal: WatchTerminal {
  let takesKeys: Bool
  let usesColor: Bool

  var size: WatchScreen.Size { ScreenTerminal.size }
  func enter() { ScreenTerminal.enter(takesKeys: takesKeys) }
  func leave() { ScreenTerminal.leave() }
  func stop() { ScreenTerminal.stopProcess() }
  func keys() -> AsyncStream<[UInt8]> { KeyReader.bytes() }

  func draw(_ lines: [String], rows: Int) -> Bool {
    StandardStream.output.write(ScreenTerminal.drawing(lines, rows: rows)) == nil
  }
}
