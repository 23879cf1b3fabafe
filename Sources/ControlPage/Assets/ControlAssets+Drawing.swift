extension ControlAssets {
  /// What the page should be, from what is known.
  static let drawing = #"""

    // A zone that this browser does not know is its own one.
    const zones = {};
    function zone(name) {
      if (!name || name in zones) return zones[name];
      try { zones[name] = new Intl.DateTimeFormat([], { timeZone: name }) && name; } catch { zones[name] = undefined; }
      return zones[name];
    }
    // By the clock of the playlist, as its week is.
    const clock = (playlist, seconds) => new Date(seconds * 1000).toLocaleString([], {
      weekday: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
      timeZone: zone(playlist.timezone) });
    const percent = part => Math.round(part * 100) + " %";
    function spell(seconds) {
      const minutes = Math.round(seconds / 60);
      if (seconds < 60) return Math.round(seconds) + " s";
      return minutes < 60 ? minutes + " min" : Math.floor(minutes / 60) + " h " + (minutes % 60 ? minutes % 60 + " min" : "");
    }

    function facts(pairs) {
      return make("dl", pairs.filter(([, value]) => value).flatMap(([name, value]) => [
        make("dt", name, { key: name }), make("dd", value, { key: name })]), { key: "facts" });
    }

    // What a press of it asks for is in its attributes: one listener is enough for all of them.
    const button = (label, method, path, more = {}) => make("button", label, {
      type: "button", key: path, "data-method": method, "data-path": path, ...more });

    function screenCard(playlist, screen) {
      const path = "/api/playlists/" + encodeURIComponent(playlist.id) + "/screens/" + encodeURIComponent(screen.name) + "/";
      const isShown = screen.phase === "showing";
      const next = screen.next;
      const volume = screen.volume_level === null ? "" :
        percent(screen.volume_level) + (screen.is_volume_muted ? ", muted" : "");
      const choice = "item for " + screen.name;
      const names = { off: "off", buffering: "loading", standby: "resting" };
      return make("article", [
        make("div", [make("h3", screen.name), make("span",
          screen.paused ? "program paused" : names[screen.state] || screen.state, { class: screen.dark ? "bad" : "soft" })],
          { class: "head", key: "head" }),
        make("p", isShown ? screen.media_title : screen.why || screen.phase,
          { class: screen.dark ? "bad now" : "now", key: "now" }),
        screen.entity_picture && make("img", null,
          { src: screen.entity_picture, alt: "", loading: "lazy", key: "picture" }),
        facts([
          ["since", clock(playlist, screen.since)],
          ["by", isShown ? screen.decided_by + ", line " + screen.line : ""],
          ["next", next ? next.media_title + ", " + clock(playlist, next.at) : ""],
          ["program", playlist.next_change ? "changes " + clock(playlist, playlist.next_change) : ""],
          ["device", screen.device ? screen.device + " " + screen.address : ""],
          ["app", screen.app_name || ""],
          ["volume", volume],
          ["came back", screen.reconnects ? screen.reconnects + (screen.reconnects === 1 ? " time" : " times") : ""],
        ]),
        make("div", [
          button("Skip", "POST", path + "skip"),
          button(screen.paused ? "Resume" : "Pause", "POST", path + (screen.paused ? "resume" : "pause"),
            { key: "pause" }),
        ], { class: "actions", key: "actions" }),
        make("div", [
          make("select", playlist.items.map(item => make("option", item, { key: item })),
            { "aria-label": choice, key: "choice" }),
          button("Play now", "POST", path + "play", { "data-chosen": "item" }),
        ], { class: "actions", key: "choosing" }),
        screen.problems.length && make("details", [
          make("summary", "last problems: " + screen.problems.length, { key: "summary" }),
          make("ul", screen.problems.map(problem => make("li", clock(playlist, problem.time) + " " + problem.text)),
            { class: "problems", key: "list" }),
        ], { key: "problems" }),
      ], { "aria-label": screen.name, class: screen.dark ? "dark" : null, key: screen.name });
    }

    function triggers(playlist) {
      if (!playlist.triggers.length) return null;
      return make("div", playlist.triggers.map(trigger => {
        const since = trigger.fired_since ? " (fired " + clock(playlist, trigger.fired_since) + ")" : "";
        if (!trigger.webhook) {
          return make("span", trigger.name + since, { class: since ? "bad" : "soft", key: trigger.name });
        }
        return button((since ? "Clear " : "Fire ") + trigger.name + since, since ? "DELETE" : "POST",
          "/api/playlists/" + encodeURIComponent(playlist.id) + "/triggers/" + encodeURIComponent(trigger.name),
          { key: trigger.name, class: since ? "alarm" : null });
      }), { class: "actions", key: "triggers", role: "group", "aria-label": "triggers of " + playlist.title });
    }

    // What was shown of a part of the plan, and why the rest was not.
    function shownText(slot, screen) {
      if (screen.unrecorded > slot.elapsed - 1) return "no record";
      const isDark = slot.shows === "quiet" || slot.shows === "nothing";
      const rest = { ...screen.gaps };
      if (screen.other >= 1) rest["something else"] = screen.other;
      if (screen.unproven >= 1) rest["not proven"] = screen.unproven;
      if (screen.unrecorded >= 1) rest["no record"] = screen.unrecorded;
      if (isDark) { delete rest.quiet; delete rest.nothing; }
      const reasons = Object.entries(rest).filter(([, seconds]) => seconds >= 1)
        .sort((one, other) => other[1] - one[1]).slice(0, 3)
        .map(([name, seconds]) => name.replaceAll("_", " ") + " " + spell(seconds));
      const parts = isDark ? reasons : [percent(slot.elapsed ? screen.shown / slot.elapsed : 0) + " shown", ...reasons];
      return parts.join(", ") || "as planned";
    }

    // A line for each screen, or one for all that did the same.
    function shownLines(slot) {
      const texts = slot.screens.map(screen => shownText(slot, screen));
      if (texts.length > 1 && texts.every(text => text === texts[0])) return ["all screens: " + texts[0]];
      return texts.map((text, index) => slot.screens[index].screen + ": " + text);
    }

    function weekSlot(slot, now) {
      const time = text => text.slice(11, 16);
      const isOn = Date.parse(slot.from) <= now && now < Date.parse(slot.to);
      const end = time(slot.to) === "00:00" ? "24:00" : time(slot.to);
      return make("li", [
        make("span", time(slot.from) + "–" + end, { class: "soft", key: "time" }),
        make("span", (isOn ? "now: " : "") + slot.name + (slot.play.length ? ": " + slot.play.join(", ") : ""), { key: "what" }),
        ...shownLines(slot).map(line => make("small", line, { class: "shown" })),
      ], { key: slot.from, class: isOn ? "on" : null });
    }

    const weeks = {};
    function week(playlist, now) {
      const known = weeks[playlist.id];
      const days = !known ? [] : known.days.map(day => make("div", [
        make("h4", new Date(day.date + "T12:00").toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" }),
          { key: "day" }),
        make("ol", day.slots.map(slot => weekSlot(slot, now)), { key: "slots" }),
      ], { key: day.date }));
      return make("details", [
        make("summary", "the week, planned and shown", { key: "summary" }), make("div", days, { key: "days" }),
      ], { key: "week", class: "week", "data-week": playlist.id });
    }

    // Of many screens few change at a time: what is as it was drawn last is not made again.
    let drawn = new Map();
    function cards(playlist, fresh) {
      return playlist.screens.map(screen => {
        const name = playlist.id + " " + screen.name;
        const text = JSON.stringify([screen, playlist.id, playlist.next_change, playlist.items, playlist.timezone]);
        fresh.set(name, text);
        return drawn.get(name) === text ?
          make("article", null, { key: screen.name, "data-same": "" }) : screenCard(playlist, screen);
      });
    }

    function draw(state) {
      const fresh = new Map();
      patchChildren(byId("invalid"), state.invalid.map(one => make("p", one.why + (one.served ?
        "; the screens go on with the playlist as it was" : "; " + one.file + " is not served"), { key: one.file, class: "bad" })));
      patchChildren(byId("playlists"), state.playlists.map(playlist => make("section", [
        make("h2", playlist.title, { key: "title" }),
        triggers(playlist),
        make("div", cards(playlist, fresh), { class: "screens", key: "screens" }),
        week(playlist, state.time * 1000),
      ], { "aria-label": playlist.title, key: playlist.id })));
      drawn = fresh;
      byId("playlists").setAttribute("aria-busy", "false");
    }

    """#
}
