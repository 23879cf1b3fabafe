import Foundation

/// Gives input to one family until its time is over.
enum Worker {
  /// An input may take this much of the processor; sanitizers and debug builds are slow.
  private static let processorLimit = 5.0

  /// - Parameter memory: What the process may hold, all in all, in MiB.
  /// - Returns: The exit code: 3 where a law does not hold, after saying which on standard error.
  static func run(_ family: Family, seed: UInt64, seconds: Double, memory: Int, state path: String) async -> Int32 {
    guard let state = SharedState(path: path, isNew: false) else { return 2 }
    let reader = family.makeReader()
    var mutation = Mutation(family, seed: seed)
    let start = now(CLOCK_MONOTONIC)
    while now(CLOCK_MONOTONIC) - start < seconds {
      let input = mutation.next()
      state.begin(input)
      let begun = now(CLOCK_PROCESS_CPUTIME_ID)
      do throws(Violation) {
        try await reader.read(input)
        let taken = now(CLOCK_PROCESS_CPUTIME_ID) - begun
        if taken > processorLimit { throw Violation("it took \(taken) s of the processor") }
        if state.count % 256 == 0, pages > memory << 8 { throw Violation("the process holds \(pages >> 8) MiB") }
      } catch {
        FileHandle.standardError.write(Data("\(error.description.prefix(2000))\n".utf8))
        return 3
      }
    }
    return 0
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Pages of 4 KiB that are in memory.
  private static var pages: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}

/// What a worker does, in memory that outlives it: how many inputs it was given, and the last one.
final class SharedState {
  private static let room = 1 << 20
  private let memory: UnsafeMutableRawPointer

  init?(path: String, isNew: Bool) {
    let descriptor = open(path, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0o600)
    guard descriptor >= 0, !isNew || ftruncate(descriptor, off_t(Self.room)) == 0 else { return nil }
    defer { close(descriptor) }
    guard let memory = mmap(nil, Self.room, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    self.memory = memory
  }

  deinit { munmap(memory, Self.room) }

  /// How many inputs were begun.
  var count: Int { memory.load(as: Int.self) }

  func begin(_ input: [UInt8]) {
    let length = min(input.count, Self.room - 16)
    input.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memory.advanced(by: 16).copyMemory(from: start, byteCount: length) }
    }
    memory.storeBytes(of: length, toByteOffset: 8, as: Int.self)
    memory.storeBytes(of: count + 1, as: Int.self)
  }

  /// The last input.
  var input: [UInt8] {
    let length = max(0, min(memory.load(fromByteOffset: 8, as: Int.self), Self.room - 16))
    return Array(UnsafeRawBufferPointer(start: memory.advanced(by: 16), count: length))
  }
}
