import Glibc

/// The memory that Avahi's libraries work in.
enum AvahiMemory {
  /// As the library declares it.
  private struct Allocator {
    var malloc: @convention(c) (Int) -> UnsafeMutableRawPointer?
    var free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    var realloc: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
    var calloc: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
  }

  /// Makes the libraries get zeroed memory.
  ///
  /// Up to 0.8 the compatibility layer leaves callbacks it does not use as malloc returns them, and calls whatever is there
  /// when the daemon goes: a restarted daemon would end this process. Newer versions zero them by themselves. Where the
  /// library has no such function, nothing is lost.
  /// - Parameter library: The loaded library, which is looked through with all it brings.
  static func zeroNew(in library: UnsafeMutableRawPointer) {
    guard let symbol = dlsym(library, "avahi_set_allocator") else { return }
    typealias SetAllocator = @convention(c) (UnsafeRawPointer) -> Void
    let setAllocator = unsafeBitCast(symbol, to: SetAllocator.self)
    // The library keeps the address: it is never given back.
    let allocator = UnsafeMutablePointer<Allocator>.allocate(capacity: 1)
    allocator.initialize(
      to: Allocator(
        malloc: { Glibc.calloc(1, $0) }, free: { Glibc.free($0) }, realloc: { Glibc.realloc($0, $1) },
        calloc: { Glibc.calloc($0, $1) }))
    setAllocator(UnsafeRawPointer(allocator))
  }
}
