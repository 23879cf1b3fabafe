#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/eventfd.h>

// The types of the functions that are looked up when first asked for: the compiler holds them to the header, and nothing
// is linked.
typedef __typeof__(mosquitto_lib_init) *ShowcallerMosquittoLibInit;
typedef __typeof__(mosquitto_new) *ShowcallerMosquittoNew;
typedef __typeof__(mosquitto_destroy) *ShowcallerMosquittoDestroy;
typedef __typeof__(mosquitto_will_set_v5) *ShowcallerMosquittoWillSet;
typedef __typeof__(mosquitto_username_pw_set) *ShowcallerMosquittoUsernameSet;
typedef __typeof__(mosquitto_int_option) *ShowcallerMosquittoIntOption;
typedef __typeof__(mosquitto_void_option) *ShowcallerMosquittoVoidOption;
typedef __typeof__(mosquitto_connect_bind_v5) *ShowcallerMosquittoConnectBind;
typedef __typeof__(mosquitto_connect_async) *ShowcallerMosquittoConnectAsync;
typedef __typeof__(mosquitto_disconnect_v5) *ShowcallerMosquittoDisconnect;
typedef __typeof__(mosquitto_publish_v5) *ShowcallerMosquittoPublish;
typedef __typeof__(mosquitto_subscribe_v5) *ShowcallerMosquittoSubscribe;
typedef __typeof__(mosquitto_unsubscribe_v5) *ShowcallerMosquittoUnsubscribe;
typedef __typeof__(mosquitto_loop_read) *ShowcallerMosquittoLoopRead;
typedef __typeof__(mosquitto_loop_write) *ShowcallerMosquittoLoopWrite;
typedef __typeof__(mosquitto_loop_misc) *ShowcallerMosquittoLoopMisc;
typedef __typeof__(mosquitto_socket) *ShowcallerMosquittoSocket;
typedef __typeof__(mosquitto_want_write) *ShowcallerMosquittoWantWrite;
typedef __typeof__(mosquitto_ssl_get) *ShowcallerMosquittoSSLGet;
typedef __typeof__(mosquitto_connect_v5_callback_set) *ShowcallerMosquittoConnectCallbackSet;
typedef __typeof__(mosquitto_disconnect_v5_callback_set) *ShowcallerMosquittoDisconnectCallbackSet;
typedef __typeof__(mosquitto_publish_v5_callback_set) *ShowcallerMosquittoPublishCallbackSet;
typedef __typeof__(mosquitto_message_v5_callback_set) *ShowcallerMosquittoMessageCallbackSet;
typedef __typeof__(mosquitto_log_callback_set) *ShowcallerMosquittoLogCallbackSet;
typedef __typeof__(mosquitto_property_add_int32) *ShowcallerMosquittoPropertyAddInt32;
typedef __typeof__(mosquitto_property_read_int32) *ShowcallerMosquittoPropertyReadInt32;
typedef __typeof__(mosquitto_property_free_all) *ShowcallerMosquittoPropertyFreeAll;
