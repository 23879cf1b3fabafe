import CDNSSD
import Glibc

/// The functions of Avahi's own library, which is loaded when something is first advertised: the layer over it that speaks
/// as Apple's does needs a thread and a connection to the bus for each device, and 250 of them are more than a bus allows.
struct AvahiLibrary {
  let newPoll: ShowcallerAvahiSimplePollNew
  let freePoll: ShowcallerAvahiSimplePollFree
  let getPoll: ShowcallerAvahiSimplePollGet
  let iterate: ShowcallerAvahiSimplePollIterate
  let newClient: ShowcallerAvahiClientNew
  let freeClient: ShowcallerAvahiClientFree
  let lastError: ShowcallerAvahiClientErrno
  let newGroup: ShowcallerAvahiEntryGroupNew
  let freeGroup: ShowcallerAvahiEntryGroupFree
  let addService: ShowcallerAvahiEntryGroupAddService
  let updateText: ShowcallerAvahiEntryGroupUpdateText
  let commit: ShowcallerAvahiEntryGroupCommit
  let parseStrings: ShowcallerAvahiStringListParse
  let freeStrings: ShowcallerAvahiStringListFree
  let alternativeName: ShowcallerAvahiAlternativeServiceName
  let free: ShowcallerAvahiFree

  /// What Debian's package of the layer brings.
  static let fileName = "libavahi-client.so.3"

  private static let loaded = Result { () throws(TransportError) in try AvahiLibrary(loading: fileName) }

  /// The one of this process; never unloaded.
  static func shared() throws(TransportError) -> AvahiLibrary { try loaded.get() }

  init(loading fileName: String) throws(TransportError) {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { throw .noDNSServiceLibrary(fileName) }
    // dlsym also searches the libraries that it depends on.
    func function<F>(_ name: String, as type: F.Type) throws(TransportError) -> F {
      guard let symbol = dlsym(handle, name) else { throw .noDNSServiceLibrary(fileName) }
      return unsafeBitCast(symbol, to: type)
    }
    newPoll = try function("avahi_simple_poll_new", as: ShowcallerAvahiSimplePollNew.self)
    freePoll = try function("avahi_simple_poll_free", as: ShowcallerAvahiSimplePollFree.self)
    getPoll = try function("avahi_simple_poll_get", as: ShowcallerAvahiSimplePollGet.self)
    iterate = try function("avahi_simple_poll_iterate", as: ShowcallerAvahiSimplePollIterate.self)
    newClient = try function("avahi_client_new", as: ShowcallerAvahiClientNew.self)
    freeClient = try function("avahi_client_free", as: ShowcallerAvahiClientFree.self)
    lastError = try function("avahi_client_errno", as: ShowcallerAvahiClientErrno.self)
    newGroup = try function("avahi_entry_group_new", as: ShowcallerAvahiEntryGroupNew.self)
    freeGroup = try function("avahi_entry_group_free", as: ShowcallerAvahiEntryGroupFree.self)
    addService = try function("avahi_entry_group_add_service_strlst", as: ShowcallerAvahiEntryGroupAddService.self)
    updateText = try function(
      "avahi_entry_group_update_service_txt_strlst", as: ShowcallerAvahiEntryGroupUpdateText.self)
    commit = try function("avahi_entry_group_commit", as: ShowcallerAvahiEntryGroupCommit.self)
    parseStrings = try function("avahi_string_list_parse", as: ShowcallerAvahiStringListParse.self)
    freeStrings = try function("avahi_string_list_free", as: ShowcallerAvahiStringListFree.self)
    alternativeName = try function(
      "avahi_alternative_service_name", as: ShowcallerAvahiAlternativeServiceName.self)
    free = try function("avahi_free", as: ShowcallerAvahiFree.self)
  }
}
