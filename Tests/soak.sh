#!/bin/bash
# Serves the café on virtual screens, a minute a second, and fails where memory or descriptors grow: `make soak`.
# SOAK_MINUTES: how long; 60 unless it is set. Takes the program as its argument.
set -euo pipefail
program=$1
minutes=${SOAK_MINUTES:-60}
folder=$(mktemp -d)
export XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache
"$program" serve --virtual --quiet --speed 60x --ledger "$folder/plays.jsonl" playlists/cafe.yaml &
process=$!
trap 'kill $process 2>/dev/null || true; rm -rf "$folder"' EXIT
samples=()
end=$((SECONDS + minutes * 60))
step=$((minutes * 60 / 100 + 1))
while [ $SECONDS -lt $end ]; do
  sleep "$step"
  kill -0 $process || { echo 'serve has ended by itself' >&2; exit 1; }
  kilobytes=$(awk '/^VmRSS/ { print $2 }' /proc/$process/status)
  descriptors=$(find /proc/$process/fd -mindepth 1 | wc -l)
  samples+=("$kilobytes $descriptors")
done
kill -TERM $process
wait $process
trap 'rm -rf "$folder"' EXIT
"$program" ledger verify "$folder"/plays*.jsonl | tail -n 1
# What is made once comes in the first half: the second may need a tenth more memory, and four descriptors.
printf '%s\n' "${samples[@]}" | awk '
  { memory[NR] = $1; files[NR] = $2 }
  END {
    for (i = 1; i <= NR; i++) {
      half = (i <= NR / 2) ? 1 : 2
      if (memory[i] > most[half]) most[half] = memory[i]
      if (files[i] > open[half]) open[half] = files[i]
    }
    printf "memory %.1f MiB, then %.1f MiB; descriptors %d, then %d (%d samples)\n", most[1] / 1024, most[2] / 1024, open[1], open[2], NR
    if (most[2] > most[1] * 1.1 || open[2] > open[1] + 4) { print "they grow" > "/dev/stderr"; exit 1 }
  }'
