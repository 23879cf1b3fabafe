#pragma once
#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <dns_sd.h>

// The types of the functions that are looked up when first asked for: the compiler holds them to the header, and nothing
// is linked.
typedef __typeof__(DNSServiceRefSockFD) *ShowcallerDNSServiceRefSockFD;
typedef __typeof__(DNSServiceProcessResult) *ShowcallerDNSServiceProcessResult;
typedef __typeof__(DNSServiceRefDeallocate) *ShowcallerDNSServiceRefDeallocate;
typedef __typeof__(DNSServiceBrowse) *ShowcallerDNSServiceBrowse;
typedef __typeof__(DNSServiceResolve) *ShowcallerDNSServiceResolve;
typedef __typeof__(DNSServiceQueryRecord) *ShowcallerDNSServiceQueryRecord;

typedef __typeof__(avahi_simple_poll_new) *ShowcallerAvahiSimplePollNew;
typedef __typeof__(avahi_simple_poll_free) *ShowcallerAvahiSimplePollFree;
typedef __typeof__(avahi_simple_poll_get) *ShowcallerAvahiSimplePollGet;
typedef __typeof__(avahi_simple_poll_iterate) *ShowcallerAvahiSimplePollIterate;
typedef __typeof__(avahi_client_new) *ShowcallerAvahiClientNew;
typedef __typeof__(avahi_client_free) *ShowcallerAvahiClientFree;
typedef __typeof__(avahi_client_errno) *ShowcallerAvahiClientErrno;
typedef __typeof__(avahi_entry_group_new) *ShowcallerAvahiEntryGroupNew;
typedef __typeof__(avahi_entry_group_free) *ShowcallerAvahiEntryGroupFree;
typedef __typeof__(avahi_entry_group_add_service_strlst) *ShowcallerAvahiEntryGroupAddService;
typedef __typeof__(avahi_entry_group_update_service_txt_strlst) *ShowcallerAvahiEntryGroupUpdateText;
typedef __typeof__(avahi_entry_group_commit) *ShowcallerAvahiEntryGroupCommit;
typedef __typeof__(avahi_string_list_parse) *ShowcallerAvahiStringListParse;
typedef __typeof__(avahi_string_list_free) *ShowcallerAvahiStringListFree;
typedef __typeof__(avahi_alternative_service_name) *ShowcallerAvahiAlternativeServiceName;
typedef __typeof__(avahi_free) *ShowcallerAvahiFree;
