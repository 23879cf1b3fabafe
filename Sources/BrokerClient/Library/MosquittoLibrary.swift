#if Fleet
  import CMosquitto
  import FleetMessages
  import Glibc

  /// The functions of the MQTT library, which is loaded when a link is first asked for: no other command pays for it.
  struct MosquittoLibrary {
    let new: ShowcallerMosquittoNew
    let destroy: ShowcallerMosquittoDestroy
    let setWill: ShowcallerMosquittoWillSet
    let setUser: ShowcallerMosquittoUsernameSet
    let setNumber: ShowcallerMosquittoIntOption
    let setPointer: ShowcallerMosquittoVoidOption
    let connectBind: ShowcallerMosquittoConnectBind
    let connect: ShowcallerMosquittoConnectAsync
    let disconnect: ShowcallerMosquittoDisconnect
    let publish: ShowcallerMosquittoPublish
    let subscribe: ShowcallerMosquittoSubscribe
    let unsubscribe: ShowcallerMosquittoUnsubscribe
    let read: ShowcallerMosquittoLoopRead
    let write: ShowcallerMosquittoLoopWrite
    let keepAlive: ShowcallerMosquittoLoopMisc
    let socket: ShowcallerMosquittoSocket
    let wantsToWrite: ShowcallerMosquittoWantWrite
    let tls: ShowcallerMosquittoSSLGet
    let onConnect: ShowcallerMosquittoConnectCallbackSet
    let onDisconnect: ShowcallerMosquittoDisconnectCallbackSet
    let onPublish: ShowcallerMosquittoPublishCallbackSet
    let onMessage: ShowcallerMosquittoMessageCallbackSet
    let onLog: ShowcallerMosquittoLogCallbackSet
    let addNumber: ShowcallerMosquittoPropertyAddInt32
    let readNumber: ShowcallerMosquittoPropertyReadInt32
    let freeProperties: ShowcallerMosquittoPropertyFreeAll

    /// What Debian's package of it installs.
    static let fileName = "libmosquitto.so.1"

    private static let loaded = Result { () throws(BrokerFailure) in try MosquittoLibrary(loading: fileName) }

    /// The one of this process; never unloaded.
    static func shared() throws(BrokerFailure) -> MosquittoLibrary { try loaded.get() }

    /// Loads it and prepares it for its first call.
    init(loading fileName: String) throws(BrokerFailure) {
      guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { throw .noLibrary(fileName) }
      func function<F>(_ name: String, as type: F.Type) throws(BrokerFailure) -> F {
        guard let symbol = dlsym(handle, "mosquitto_\(name)") else { throw .noLibrary(fileName) }
        return unsafeBitCast(symbol, to: type)
      }
      new = try function("new", as: ShowcallerMosquittoNew.self)
      destroy = try function("destroy", as: ShowcallerMosquittoDestroy.self)
      setWill = try function("will_set_v5", as: ShowcallerMosquittoWillSet.self)
      setUser = try function("username_pw_set", as: ShowcallerMosquittoUsernameSet.self)
      setNumber = try function("int_option", as: ShowcallerMosquittoIntOption.self)
      setPointer = try function("void_option", as: ShowcallerMosquittoVoidOption.self)
      connectBind = try function("connect_bind_v5", as: ShowcallerMosquittoConnectBind.self)
      connect = try function("connect_async", as: ShowcallerMosquittoConnectAsync.self)
      disconnect = try function("disconnect_v5", as: ShowcallerMosquittoDisconnect.self)
      publish = try function("publish_v5", as: ShowcallerMosquittoPublish.self)
      subscribe = try function("subscribe_v5", as: ShowcallerMosquittoSubscribe.self)
      unsubscribe = try function("unsubscribe_v5", as: ShowcallerMosquittoUnsubscribe.self)
      read = try function("loop_read", as: ShowcallerMosquittoLoopRead.self)
      write = try function("loop_write", as: ShowcallerMosquittoLoopWrite.self)
      keepAlive = try function("loop_misc", as: ShowcallerMosquittoLoopMisc.self)
      socket = try function("socket", as: ShowcallerMosquittoSocket.self)
      wantsToWrite = try function("want_write", as: ShowcallerMosquittoWantWrite.self)
      tls = try function("ssl_get", as: ShowcallerMosquittoSSLGet.self)
      onConnect = try function("connect_v5_callback_set", as: ShowcallerMosquittoConnectCallbackSet.self)
      onDisconnect = try function("disconnect_v5_callback_set", as: ShowcallerMosquittoDisconnectCallbackSet.self)
      onPublish = try function("publish_v5_callback_set", as: ShowcallerMosquittoPublishCallbackSet.self)
      onMessage = try function("message_v5_callback_set", as: ShowcallerMosquittoMessageCallbackSet.self)
      onLog = try function("log_callback_set", as: ShowcallerMosquittoLogCallbackSet.self)
      addNumber = try function("property_add_int32", as: ShowcallerMosquittoPropertyAddInt32.self)
      readNumber = try function("property_read_int32", as: ShowcallerMosquittoPropertyReadInt32.self)
      freeProperties = try function("property_free_all", as: ShowcallerMosquittoPropertyFreeAll.self)
      let initialize = try function("lib_init", as: ShowcallerMosquittoLibInit.self)
      _ = initialize()
    }
  }
#endif
