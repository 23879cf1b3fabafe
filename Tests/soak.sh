#!/bin/bash
# Serves playlists for an hour, and fails where memory or descriptors grow: `make soak`.
# One `serve` has the café on virtual screens, a minute a second, with a reader of its page and an edit every 20 s.
# Another has two receivers of their own processes at the usual pace; one of them loses its power every minute.
# SOAK_MINUTES: how long; 60 unless it is set. Takes the program as its argument.
set -euo pipefail
program=$(realpath "$1")
minutes=${SOAK_MINUTES:-60}
folder=$(mktemp -d)
children=()
end_all() {
  trap - EXIT
  kill "${children[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap end_all EXIT
export XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache
cp -r playlists "$folder/"

"$program" serve --virtual --quiet --speed 60x --control 0 --ledger "$folder/cafe.jsonl" "$folder/playlists/cafe.yaml" 2>"$folder/cafe.log" &
cafe=$!
children+=("$cafe")

receiver() { # NAME PORT
  "$program" receive --name "$1" --port "$2" --latency none >"$folder/$1.log" 2>&1 &
  children+=($!)
  last_receiver=$!
  for _ in $(seq 100); do grep -q '127.0.0.1' "$folder/$1.log" && return; sleep 0.1; done
  echo "the receiver $1 does not begin" >&2
  exit 1
}
receiver One 0
one=$(grep -oE '127.0.0.1:[0-9]+' "$folder/One.log" | head -n 1)
receiver Two 0
two=$(grep -oE '127.0.0.1:[0-9]+' "$folder/Two.log" | head -n 1)
unsteady=$last_receiver
cat >"$folder/playlists/pair.yaml" <<YAML
playlist: Pair
timezone: UTC
devices: [{ host: "$one" }, { host: "$two" }]
program: [{ play: [{ media: "file:assets/logo.png", for: 5s }, { media: "file:assets/espresso.png", for: 7s }] }]
YAML
"$program" serve --quiet --ledger "$folder/pair.jsonl" "$folder/playlists/pair.yaml" 2>"$folder/pair.log" &
pair=$!
children+=("$pair")

# A reader of the page's events, who comes again when the connection ends.
(
  while ! page=$(grep -oE 'http://127[^ ]+' "$folder/cafe.log" | head -n 1) || [ -z "$page" ]; do sleep 0.2; done
  page=${page%%\?*}
  while true; do curl -sN --max-time 60 "${page%/}/api/events" >>"$folder/events" 2>/dev/null || true; sleep 1; done
) &
children+=($!)

measure() { # PROCESS NAME
  kill -0 "$1" 2>/dev/null || { echo "serve has ended by itself: $(cat "$folder/$2.log")" >&2; exit 1; }
  kilobytes=$(awk '/^VmRSS/ { print $2 }' "/proc/$1/status")
  echo "$kilobytes $(find "/proc/$1/fd" -mindepth 1 | wc -l)" >>"$folder/$2.samples"
}
end=$((SECONDS + minutes * 60))
round=0
while [ $SECONDS -lt $end ]; do
  sleep 2
  round=$((round + 1))
  measure "$cafe" cafe
  measure "$pair" pair
  [ $((round % 10)) = 0 ] && echo "# edit $round" >>"$folder/playlists/cafe.yaml"
  if [ $((round % 30)) = 15 ]; then
    kill -9 "$unsteady"
    wait "$unsteady" 2>/dev/null || true # or the shell tells of each
  fi
  if [ $((round % 30)) = 20 ]; then receiver Two "${two#*:}"; unsteady=$last_receiver; fi
done
[ -s "$folder/events" ] || { echo 'nothing was read of the page' >&2; exit 1; }
kill -TERM "$cafe" "$pair"
wait "$cafe"
wait "$pair"

# What is made once comes in the first half: the second may need 4 MiB and a tenth more memory, and four descriptors.
status=0
for name in cafe pair; do
  "$program" ledger verify "$folder/$name"*.jsonl | tail -n 1
  awk -v name=$name '
    { memory[NR] = $1; files[NR] = $2 }
    END {
      for (i = 1; i <= NR; i++) {
        half = (i <= NR / 2) ? 1 : 2
        if (memory[i] > most[half]) most[half] = memory[i]
        if (files[i] > open[half]) open[half] = files[i]
      }
      printf "%s: memory %.1f MiB, then %.1f MiB (%+.1f MiB); descriptors %d, then %d (%d samples)\n", name,
        most[1] / 1024, most[2] / 1024, (most[2] - most[1]) / 1024, open[1], open[2], NR
      if (most[2] > most[1] * 1.1 + 4096 || open[2] > open[1] + 4) { print name " grows" > "/dev/stderr"; exit 1 }
    }' "$folder/$name.samples" || status=1
done
exit $status
