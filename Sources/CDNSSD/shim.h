#pragma once
#include <dns_sd.h>

// The types of the functions that are looked up when first asked for: the compiler holds them to the header, and nothing
// is linked.
typedef __typeof__(DNSServiceRefSockFD) *ShowcallerDNSServiceRefSockFD;
typedef __typeof__(DNSServiceProcessResult) *ShowcallerDNSServiceProcessResult;
typedef __typeof__(DNSServiceRefDeallocate) *ShowcallerDNSServiceRefDeallocate;
typedef __typeof__(DNSServiceBrowse) *ShowcallerDNSServiceBrowse;
typedef __typeof__(DNSServiceResolve) *ShowcallerDNSServiceResolve;
typedef __typeof__(DNSServiceQueryRecord) *ShowcallerDNSServiceQueryRecord;
typedef __typeof__(DNSServiceRegister) *ShowcallerDNSServiceRegister;
