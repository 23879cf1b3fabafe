"""The times of a crontab as croniter reads it: python3 cron_times.py CRONTAB FROM COUNT, where FROM is a Unix time.
Prints a Unix time a line. croniter is asked by the clock on the wall: with zones it goes wrong after clocks changed."""
import datetime
import sys
import zoneinfo

import croniter

path, start, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
zone = zoneinfo.ZoneInfo("UTC")
times = set()
for line in open(path, encoding="utf-8"):
    if line.startswith("CRON_TZ="):
        zone = zoneinfo.ZoneInfo(line.strip().removeprefix("CRON_TZ="))
        continue
    # A moment less, for a time that is right at the start counts.
    wall = datetime.datetime.fromtimestamp(start - 1, zone).replace(tzinfo=None)
    # As cron has it: a field of days that begins with `*` is joined to the other by "and".
    reading = croniter.croniter(" ".join(line.split()[:5]), wall, implement_cron_bug=True)
    for _ in range(count):
        times.add(int(reading.get_next(datetime.datetime).replace(tzinfo=zone).timestamp()))
for time in sorted(times)[:count]:
    print(time)
