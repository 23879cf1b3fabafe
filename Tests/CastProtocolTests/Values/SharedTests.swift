import CastProtocol
import Testing

@Suite struct SharedTests {
  private struct Owner: Hashable {
    @Shared var text: String?
    @Shared var status: MediaStatus?
  }

  @Test("Copies share the value until one of them changes it")
  func copies() {
    var first = Owner(text: nil, status: nil)
    #expect(first.text == nil && first.status == nil)
    first.text = "a"
    var second = first
    second.text?.append("b")
    #expect(first.text == "a" && second.text == "ab")
    second = first
    first.text = nil
    #expect(first.text == nil && second.text == "a")
  }

  @Test("What is read in place is the value that copies share, and stays as it was when an owner changes")
  func inPlace() {
    var first = Owner(text: "a", status: nil)
    let second = first
    #expect(first.$text === second.$text && first.$text?.value == "a" && first.$status == nil)
    let before = first.$text
    first.text = "b"
    #expect(before?.value == "a" && first.$text?.value == "b" && first.$text !== second.$text)
  }

  @Test("Owners are equal when their values are, shared or not")
  func equality() {
    var status = MediaStatus()
    status.mediaSessionID = 4
    let (one, other) = (Owner(text: "a", status: status), Owner(text: "a", status: status))
    #expect(one == other && Set([one, other]).count == 1)
    var changed = one
    changed.status?.mediaSessionID = 5
    #expect(changed != one && changed.status?.mediaSessionID == 5 && one.status?.mediaSessionID == 4)
    #expect(Owner(text: nil, status: nil) != one)
  }
}
