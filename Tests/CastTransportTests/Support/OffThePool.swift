import Foundation

/// Runs what blocks on a thread of its own: the pool of tasks has as few as two, which other tests need.
func offThePool<Value>(_ body: @escaping () -> sending Value) async -> sending Value {
  nonisolated(unsafe) let body = body
  return await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
