import Glibc
import Testing

@testable import CastTransport

@Suite struct OpenFilesTests {
  @Test("The soft limit is raised to the hard one, 65 536 at most, and never lowered")
  func raise() {
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    let limit = OpenFiles.raiseLimit()
    var after = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &after)
    #expect(limit == Int(clamping: after.rlim_cur) && after.rlim_max == before.rlim_max)
    #expect(after.rlim_cur >= before.rlim_cur && after.rlim_cur >= min(after.rlim_max, 65_536))
    #expect(OpenFiles.raiseLimit() == limit)
  }

  @Test("Whether files can be opened is found out by opening them, which leaves none open")
  func probe() {
    // More than there may be at a time.
    for _ in 0..<30_000 { #expect(OpenFiles.canOpen(3)) }
  }
}
