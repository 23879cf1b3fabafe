#include "ConformanceScenarios.h"

// `#embed` is of C23; the compiler of Swift 6.2 has it for every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char connection_reconnect[] = {
#embed "checks/connection.reconnect.yaml" suffix(, 0)
};
static const char connection_app_stays[] = {
#embed "checks/connection.app-stays.yaml" suffix(, 0)
};
static const char receiver_status[] = {
#embed "checks/receiver.status.yaml" suffix(, 0)
};
static const char receiver_launch[] = {
#embed "checks/receiver.launch.yaml" suffix(, 0)
};
static const char receiver_launch_again[] = {
#embed "checks/receiver.launch-again.yaml" suffix(, 0)
};
static const char receiver_launch_unknown[] = {
#embed "checks/receiver.launch-unknown.yaml" suffix(, 0)
};
static const char receiver_launch_nothing[] = {
#embed "checks/receiver.launch-nothing.yaml" suffix(, 0)
};
static const char receiver_availability[] = {
#embed "checks/receiver.availability.yaml" suffix(, 0)
};
static const char receiver_unknown_request[] = {
#embed "checks/receiver.unknown-request.yaml" suffix(, 0)
};
static const char receiver_stop_unknown[] = {
#embed "checks/receiver.stop-unknown.yaml" suffix(, 0)
};
static const char receiver_stop[] = {
#embed "checks/receiver.stop.yaml" suffix(, 0)
};
static const char volume_set[] = {
#embed "checks/volume.set.yaml" suffix(, 0)
};
static const char volume_mute[] = {
#embed "checks/volume.mute.yaml" suffix(, 0)
};
static const char volume_zero[] = {
#embed "checks/volume.zero.yaml" suffix(, 0)
};
static const char volume_while_muted[] = {
#embed "checks/volume.while-muted.yaml" suffix(, 0)
};
static const char volume_stream[] = {
#embed "checks/volume.stream.yaml" suffix(, 0)
};
static const char media_status[] = {
#embed "checks/media.status.yaml" suffix(, 0)
};
static const char media_load[] = {
#embed "checks/media.load.yaml" suffix(, 0)
};
static const char media_load_paused[] = {
#embed "checks/media.load-paused.yaml" suffix(, 0)
};
static const char media_load_start[] = {
#embed "checks/media.load-start.yaml" suffix(, 0)
};
static const char media_load_again[] = {
#embed "checks/media.load-again.yaml" suffix(, 0)
};
static const char media_load_failed[] = {
#embed "checks/media.load-failed.yaml" suffix(, 0)
};
static const char media_pause[] = {
#embed "checks/media.pause.yaml" suffix(, 0)
};
static const char media_seek[] = {
#embed "checks/media.seek.yaml" suffix(, 0)
};
static const char media_seek_paused[] = {
#embed "checks/media.seek-paused.yaml" suffix(, 0)
};
static const char media_seek_resume[] = {
#embed "checks/media.seek-resume.yaml" suffix(, 0)
};
static const char media_seek_past_end[] = {
#embed "checks/media.seek-past-end.yaml" suffix(, 0)
};
static const char media_seek_nowhere[] = {
#embed "checks/media.seek-nowhere.yaml" suffix(, 0)
};
static const char media_rate[] = {
#embed "checks/media.rate.yaml" suffix(, 0)
};
static const char media_rate_too_fast[] = {
#embed "checks/media.rate-too-fast.yaml" suffix(, 0)
};
static const char media_stop[] = {
#embed "checks/media.stop.yaml" suffix(, 0)
};
static const char media_after_stop[] = {
#embed "checks/media.after-stop.yaml" suffix(, 0)
};
static const char media_unknown_request[] = {
#embed "checks/media.unknown-request.yaml" suffix(, 0)
};
static const char media_wrong_session[] = {
#embed "checks/media.wrong-session.yaml" suffix(, 0)
};
static const char tracks_on[] = {
#embed "checks/tracks.on.yaml" suffix(, 0)
};
static const char tracks_off[] = {
#embed "checks/tracks.off.yaml" suffix(, 0)
};
static const char tracks_style[] = {
#embed "checks/tracks.style.yaml" suffix(, 0)
};
static const char tracks_unknown[] = {
#embed "checks/tracks.unknown.yaml" suffix(, 0)
};
static const char queue_load[] = {
#embed "checks/queue.load.yaml" suffix(, 0)
};
static const char queue_next[] = {
#embed "checks/queue.next.yaml" suffix(, 0)
};
static const char queue_insert[] = {
#embed "checks/queue.insert.yaml" suffix(, 0)
};
static const char queue_remove[] = {
#embed "checks/queue.remove.yaml" suffix(, 0)
};
static const char queue_reorder[] = {
#embed "checks/queue.reorder.yaml" suffix(, 0)
};
static const char queue_repeat[] = {
#embed "checks/queue.repeat.yaml" suffix(, 0)
};
static const char queue_item_ids[] = {
#embed "checks/queue.item-ids.yaml" suffix(, 0)
};
static const char queue_past_end[] = {
#embed "checks/queue.past-end.yaml" suffix(, 0)
};
static const char senders_volume[] = {
#embed "checks/senders.volume.yaml" suffix(, 0)
};
static const char senders_app[] = {
#embed "checks/senders.app.yaml" suffix(, 0)
};

// In the order in which they are run.
static const struct ConformanceScenario scenarios[] = {
  {"connection.reconnect", connection_reconnect},
  {"connection.app-stays", connection_app_stays},
  {"receiver.status", receiver_status},
  {"receiver.launch", receiver_launch},
  {"receiver.launch-again", receiver_launch_again},
  {"receiver.launch-unknown", receiver_launch_unknown},
  {"receiver.launch-nothing", receiver_launch_nothing},
  {"receiver.availability", receiver_availability},
  {"receiver.unknown-request", receiver_unknown_request},
  {"receiver.stop-unknown", receiver_stop_unknown},
  {"receiver.stop", receiver_stop},
  {"volume.set", volume_set},
  {"volume.mute", volume_mute},
  {"volume.zero", volume_zero},
  {"volume.while-muted", volume_while_muted},
  {"volume.stream", volume_stream},
  {"media.status", media_status},
  {"media.load", media_load},
  {"media.load-paused", media_load_paused},
  {"media.load-start", media_load_start},
  {"media.load-again", media_load_again},
  {"media.load-failed", media_load_failed},
  {"media.pause", media_pause},
  {"media.seek", media_seek},
  {"media.seek-paused", media_seek_paused},
  {"media.seek-resume", media_seek_resume},
  {"media.seek-past-end", media_seek_past_end},
  {"media.seek-nowhere", media_seek_nowhere},
  {"media.rate", media_rate},
  {"media.rate-too-fast", media_rate_too_fast},
  {"media.stop", media_stop},
  {"media.after-stop", media_after_stop},
  {"media.unknown-request", media_unknown_request},
  {"media.wrong-session", media_wrong_session},
  {"tracks.on", tracks_on},
  {"tracks.off", tracks_off},
  {"tracks.style", tracks_style},
  {"tracks.unknown", tracks_unknown},
  {"queue.load", queue_load},
  {"queue.next", queue_next},
  {"queue.insert", queue_insert},
  {"queue.remove", queue_remove},
  {"queue.reorder", queue_reorder},
  {"queue.repeat", queue_repeat},
  {"queue.item-ids", queue_item_ids},
  {"queue.past-end", queue_past_end},
  {"senders.volume", senders_volume},
  {"senders.app", senders_app},
};

int conformanceScenarioCount(void) { return sizeof scenarios / sizeof *scenarios; }

struct ConformanceScenario conformanceScenario(int index) { return scenarios[index]; }
