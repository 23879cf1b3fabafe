import Dispatch

/// Does slow work with files outside the pool of tasks: no screen waits for a disk.
enum OffMainPath {
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "showcaller.disk", qos: .utility).async { continuation.resume(returning: body()) }
    }
  }
}
