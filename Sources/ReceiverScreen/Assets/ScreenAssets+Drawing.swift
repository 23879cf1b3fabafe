extension ScreenAssets {
  /// What the page shows of what is known.
  static let drawing = #"""

    const content = new Deck("content"), clip = new Deck("clip");
    let state = null, isConnected = false, ownNotice = "";
    const show = (id, isShown) => { byId(id).hidden = !isShown; };
    function write(id, text) { if (byId(id).textContent !== text) byId(id).textContent = text; }
    function notice(text) { ownNotice = text; if (state) redraw(); else write("notice", text); }

    function spell(time) {
      if (!Number.isFinite(time)) return "";
      const whole = Math.max(0, Math.floor(time + 0.001)), part = number => String(number).padStart(2, "0");
      const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
      return (hours ? hours + ":" + part(minutes) : minutes) + ":" + part(whole % 60);
    }

    let volumeKnown = null, volumeTimer;
    function drawVolume() {
      const level = Math.round(state.level * 100), text = state.muted ? "muted" : level + " %";
      const known = level + " " + state.muted;
      byId("level").style.width = level + "%";
      byId("volume").classList.toggle("muted", state.muted);
      write("percent", text);
      if (volumeKnown !== null && volumeKnown !== known) {
        show("volume", true);
        clearTimeout(volumeTimer);
        volumeTimer = setTimeout(() => show("volume", false), 3000);
      }
      volumeKnown = known;
    }

    // The bar stays for a while after something has happened.
    let barKnown = "", barUntil = 0;
    function drawBar(media) {
      const known = media ? [media.phase, media.content.id || media.content.address, media.content.rate].join() : "";
      if (known !== barKnown) barUntil = performance.now() + 5000;
      barKnown = known;
      const isShown = media && !media.break && media.category !== "image"
        && (media.phase !== "playing" || media.category === "audio" || !content.isThere || performance.now() < barUntil);
      show("bar", isShown);
      if (!isShown) return;
      const { duration } = media.content, place = content.place;
      write("place", content.isThere && media.category === "video" ? media.title || "" : "");
      write("position", (media.phase === "paused" ? "❚❚ " : "") + spell(place) +
        (media.content.rate === 1 ? "" : " · " + media.content.rate + "×"));
      write("duration", duration === null ? (media.live ? "live" : "") : spell(duration));
      byId("done").style.width = duration ? Math.min(100, place / duration * 100) + "%" : media.live ? "100%" : "0";
    }

    function drawBreak(adBreak) {
      show("break", adBreak);
      if (!adBreak) return;
      const place = clip.element && clip.isKnown ? clip.place
        : Math.min(adBreak.duration, adBreak.position + (adBreak.moves ? (performance.now() - state.at) / 1000 : 0));
      write("ad", (adBreak.count > 1 ? "Ad " + adBreak.number + " of " + adBreak.count : "Ad")
        + (adBreak.title ? " · " + adBreak.title : ""));
      write("countdown", spell(Math.max(0, Math.ceil(adBreak.duration - place))));
      const rest = adBreak.skippable_after === null ? null : Math.ceil(adBreak.skippable_after - place);
      write("skip", rest === null ? "" : rest > 0 ? "Can be skipped in " + rest + " s" : "Can be skipped");
    }

    function drawCard(media) {
      const isIdle = !media, shown = media && (media.break ? clip : content).isThere;
      const isCovered = shown && (media.break ? clip : content).element.tagName !== "AUDIO";
      document.body.dataset.phase = media ? media.phase : state.app ? "app" : "idle";
      document.body.classList.toggle("covered", Boolean(isCovered));
      const app = state.app;
      write("over", media ? app?.name || "" : state.fault ? app?.name || "" : app ? state.name : "");
      const ad = media?.break, [cause, ...details] = (state.fault || "").split(": ");
      write("title", ad ? ad.title || "Ad" : media ? media.title || (media.category === "image" ? "" : app?.name || "") : cause || (app ? app.name : state.name));
      write("subtitle", ad ? (media.title ? "in " + media.title : "") : media ? media.subtitle || "" : cause ? details.join(": ") :
        app ? (app.page ? "runs in a browser of its own" : app.status === app.name ? "" : app.status) : "Ready to cast");
      document.body.classList.toggle("fault", Boolean(isIdle && state.fault));
      write("device", isIdle && !app ? "" : state.name);
      const art = byId("artwork"), source = !ad && media?.artwork || null;
      if ((art.getAttribute("src") || null) !== source) {
        art.hidden = true;
        if (source) art.src = source; else art.removeAttribute("src");
      }
      const backdrop = byId("backdrop"), back = source && !isCovered ? `url(${JSON.stringify(source)})` : "";
      if (backdrop.dataset.source !== back) {
        backdrop.dataset.source = back;
        backdrop.style.backgroundImage = back;
      }
    }

    function redraw() {
      if (!state) return;
      const { media } = state;
      drawCard(media);
      drawBar(media);
      drawBreak(media?.break);
      drawCaptions(media && !media.break ? media.captions : null, content.place);
      const isMine = state.driver === key.slice(0, 8);
      show("wait", media && (media.phase === "loading" || media.phase === "buffering"));
      show("dark", state.standby || !state.input);
      write("dark", state.standby ? "" : "another input is on");
      const problem = media?.captions && captions.problem;
      byId("notice").classList.toggle("big", isConnected && Boolean(ownNotice));
      write("notice", !isConnected ? "no connection; trying again" : ownNotice ? ownNotice
        : state.plays && !isMine ? "another page plays: the one that was opened last" : problem || "");
      for (const deck of [content, clip]) if (deck.element) deck.element.classList.toggle("on", deck.isThere
        && (deck === clip) === Boolean(media?.break));
    }

    function take(news) {
      isConnected = true;
      state = news;
      state.at = performance.now();
      document.title = state.name;
      const { media } = state, isMine = state.driver === key.slice(0, 8);
      const sound = { level: state.level * state.stream_level, muted: state.muted || state.stream_muted };
      if (media) {
        media.content.moves = media.phase === "playing" && !media.break && media.content.runs;
        if (media.break) {
          media.break.moves = media.break.runs;
          if (media.break.clip) media.break.clip.moves = media.break.runs;
        }
      }
      if (media && Math.abs(media.content.position - content.target()) > 1.5) barUntil = performance.now() + 5000;
      content.show(media?.content ?? null, media?.category, sound, isMine);
      const kind = (media?.break?.clip?.type || "").toLowerCase().match(/^(image|audio)\//)?.[1] || "video";
      clip.show(media?.break?.clip ?? null, kind, sound, isMine);
      if (!content.blocked && !clip.blocked) ownNotice = "";
      drawVolume();
      redraw();
    }

    """#

  /// What begins when the page is there.
  static let start = #"""

    function startScreen() {
      byId("artwork").addEventListener("load", () => { byId("artwork").hidden = false; });
      const tick = () => write("clock", (new Date).
        toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
      tick();
      setInterval(() => { tick(); redraw(); }, 250);
      setInterval(() => { content.send(); clip.send(); }, 1000);
      followEvents(api + "/events", { headers, take, silence: 8000, pause: 1000, report: problem => {
        isConnected = false;
        write("notice", problem);
      } });
    }

    function startList() {
      const words = one => one.media ? [one.media.break ? "ad" : one.media.phase, one.media.title].filter(Boolean).join(": ")
        : one.fault || (one.app ? one.app.name : "ready");
      followEvents("/api/events", { headers: () => token ? { Authorization: "Bearer " + token } : {}, silence: 40000, pause: 2000,
        report: problem => write("notice", problem),
        take: news => {
          write("notice", news.screens.length + (news.screens.length === 1 ? " receiver" : " receivers"));
          patchChildren(byId("screens"), news.screens.map(one => make("a", [
            make("h2", one.name, { key: "name" }), make("p", words(one), { key: "words" }),
            make("small", one.muted ? "muted" : Math.round(one.level * 100) + " %", { key: "volume" }),
          ], { href: "/" + one.number + location.hash, key: one.number, "data-phase": one.media?.phase || "idle" })));
          byId("screens").setAttribute("aria-busy", "false");
        } });
    }
    if (screenNumber) startScreen(); else startList();

    """#
}
