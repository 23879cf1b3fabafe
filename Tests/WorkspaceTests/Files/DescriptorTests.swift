import Dispatch
import Glibc
import Testing

@testable import Workspace

@Suite struct DescriptorTests {
  /// Two ends of a pipe, which are closed with it.
  private final class Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      close(writing)
    }

    func setNonBlocking() {
      for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }
  }

  @Test("Reading ends at the limit, and no byte more is taken than a chunk", arguments: [0, 1, 4096, 70_000])
  func limit(limit: Int) throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "x", count: 80_000)
    let file = try Files.open(folder.write("file", text), O_RDONLY)
    #expect(try Descriptor.read(file.descriptor, atMost: limit).count == limit)
  }

  @Test("What is written in pieces is read to its end, also where reading would not wait")
  func pieces() async throws {
    let pipe = try Pipe()
    pipe.setNonBlocking()
    let (reading, writing) = (pipe.reading, pipe.writing)
    // Larger than a pipe holds: neither end can do it in one call.
    let text = String(repeating: "0123456789", count: 30_000)
    async let read = withCheckedContinuation { (done: CheckedContinuation<[UInt8]?, Never>) in
      DispatchQueue.global().async { done.resume(returning: try? Descriptor.read(reading, atMost: text.utf8.count)) }
    }
    let error = await withCheckedContinuation { (done: CheckedContinuation<FileError?, Never>) in
      DispatchQueue.global().async {
        do throws(FileError) {
          try Descriptor.write(text, to: writing)
          done.resume(returning: nil)
        } catch {
          done.resume(returning: error)
        }
      }
    }
    #expect(error == nil)
    #expect(await read == Array(text.utf8))
    withExtendedLifetime(pipe) {}
  }

  @Test("A failed call tells the system's reason")
  func failures() throws {
    #expect(throws: FileError.system(ENOSPC)) {
      let full = try Files.open("/dev/full", O_WRONLY)
      try Descriptor.write("text", to: full.descriptor)
    }
    #expect(throws: FileError.system(EBADF)) { try Descriptor.read(-1, atMost: 10) }
    #expect(throws: FileError.system(EISDIR)) {
      let folder = try Files.open("/", O_RDONLY)
      return try Descriptor.read(folder.descriptor, atMost: 10)
    }
    #expect(FileError.system(ENOSPC).message == "No space left on device")
  }
}
