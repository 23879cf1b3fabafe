extension ScreenAssets {
  /// An element that has content or a clip, and what it tells of it.
  static let deck = #"""

    const screenNumber = document.documentElement.dataset.screen;
    const api = "/api/screens/" + screenNumber;
    // On other computers the address has the token behind `#`.
    const token = location.hash.slice(1);
    // Drawn for this page alone: who has it is believed to be this page.
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
    const headers = () => ({ "Screen-Page": key, ...(token && { Authorization: "Bearer " + token }) });

    class Deck {
      constructor(name) {
        this.name = name;
        this.key = null;
        // Somebody touched the page: from now on it may play.
        for (const event of ["click", "keydown"]) addEventListener(event, () => {
          if (!this.blocked) return;
          this.blocked = false;
          notice("");
          this.element?.play().catch(() => {});
        });
      }

      // What it has on, how loud, and whether this page plays it or follows the receiver's clock.
      show(spec, category, sound, drives) {
        const key = spec && spec.address && (spec.id || spec.address);
        if (key !== this.key) this.change(key, spec, category);
        this.spec = spec;
        this.since = performance.now();
        const drove = this.drives;
        this.drives = drives && Boolean(spec?.id);
        // Following the clock may have paused the element. Nobody at the page did that, so the newest order holds again.
        if (this.drives && !drove) this.order = 0;
        if (!this.element) return;
        if (category !== "image") {
          this.element.volume = Math.min(1, Math.max(0, sound.level));
          this.element.muted = sound.muted || this.isHushed || Boolean(spec.id) && !this.drives;
        }
        if (this.drives) this.obey(spec); else if (!this.failed) this.follow(spec);
      }

      change(key, spec, category) {
        if (this.element) {
          this.element.pause?.();
          this.element.removeAttribute("src");
          // Without it the browser goes on loading.
          this.element.load?.();
          this.element.remove();
        }
        Object.assign(this, { key, element: null, failed: null, blocked: false, isHushed: false, isKnown: false, order: 0,
          jumps: spec?.jumps, sent: null, started: false });
        if (!key) return;
        const element = this.element = document.createElement({ image: "img", audio: "audio" }[category] || "video");
        element.dataset.deck = this.name;
        const current = handler => () => { if (this.element === element) handler(); };
        element.addEventListener("error", current(() => {
          this.failed = category === "image" ? 4 : element.error?.code || 4;
          this.tell();
          redraw();
        }));
        if (category === "image") {
          element.alt = "";
          element.addEventListener("load", current(() => { this.isKnown = true; this.tell(); redraw(); }));
        } else {
          element.preload = "auto";
          element.addEventListener("loadedmetadata", current(() => {
            this.isKnown = true;
            const target = this.target();
            if (target > 0.3 && Number.isFinite(element.duration)) element.currentTime = Math.min(target, element.duration);
            this.tell();
          }));
          for (const event of ["playing", "pause", "waiting", "seeked", "ended", "durationchange", "canplay"]) {
            element.addEventListener(event, current(() => { this.tell(); redraw(); }));
          }
        }
        element.src = spec.address;
        document.getElementById("stage").append(element);
      }

      // Where it should be by now.
      target() {
        const spec = this.spec;
        if (!spec) return 0;
        const gone = (performance.now() - this.since) / 1000;
        const place = spec.position + (spec.moves ? gone * spec.rate : 0);
        return spec.duration === null ? place : Math.min(place, spec.duration);
      }

      // The receiver's order, each once: what happens in between is this page's to tell.
      obey(spec) {
        if (spec.order <= this.order) return;
        const { element } = this;
        if (element.tagName !== "IMG") {
          if (spec.jumps !== this.jumps && this.isKnown) element.currentTime = spec.position;
          element.playbackRate = spec.rate;
          if (spec.runs) this.play(); else element.pause();
        }
        this.jumps = spec.jumps;
        this.order = spec.order;
        this.tell();
      }

      play() {
        const { element } = this;
        element.play().then(() => { this.blocked = false; }, error => {
          if (this.element !== element || error.name !== "NotAllowedError") return;
          if (this.drives) {
            this.blocked = true;
            notice("This browser plays nothing by itself: click, or press a key");
            this.tell();
          } else if (!this.isHushed) {
            // Who only looks on needs no sound.
            this.isHushed = element.muted = true;
            element.play().catch(() => {});
          }
        });
      }

      // The receiver's clock says where it is.
      follow(spec) {
        const { element } = this;
        if (element.tagName === "IMG") return;
        const rate = Math.min(16, Math.max(0.1, spec.rate));
        if (element.playbackRate !== rate) element.playbackRate = rate;
        if (spec.moves && element.paused && !element.ended) this.play();
        if (!spec.moves && !element.paused) element.pause();
        if (this.isKnown && Number.isFinite(element.duration) && Math.abs(element.currentTime - this.target()) > 1) {
          element.currentTime = Math.min(this.target(), element.duration);
        }
      }

      // Whether there is a picture, or sound, of it.
      get isThere() {
        if (!this.element || this.failed) return false;
        return this.element.tagName === "IMG" ? this.isKnown : this.element.readyState >= 2;
      }

      // Where it is: by the element, else by the receiver.
      get place() {
        const isOwn = this.element && this.element.tagName !== "IMG" && this.isKnown && !this.failed;
        return isOwn ? this.element.currentTime : this.target();
      }

      get state() {
        const { element, spec } = this;
        if (this.failed) return "failed";
        if (!this.isKnown) return "loading";
        if (element.tagName === "IMG") return spec.runs ? "playing" : "paused";
        if (element.ended) return "ended";
        if (this.blocked) return "blocked";
        if (element.paused) return "paused";
        return element.seeking || element.readyState < 3 ? "waiting" : "playing";
      }

      // Tells the receiver what is, soon; what comes meanwhile goes along.
      tell() {
        if (!this.drives || this.timer) return;
        this.timer = setTimeout(() => { this.timer = 0; this.send(); }, 20);
      }

      async send() {
        const { element, spec } = this;
        if (!this.drives || !element) return;
        if (this.isSending) { this.isLate = true; return; }
        const state = this.state;
        // What waits for a moment only is not worth a word.
        if (state === "waiting" && this.sent === "playing") {
          this.dry ||= performance.now();
          if (performance.now() - this.dry < 400) return void setTimeout(() => this.send(), 410);
        } else this.dry = 0;
        this.sent = state;
        const isImage = element.tagName === "IMG";
        const report = { playback: spec.id, order: this.order, state, position: isImage ? 0 : element.currentTime || 0,
          duration: !isImage && Number.isFinite(element.duration) ? element.duration : null };
        if (element.videoWidth) Object.assign(report, { width: element.videoWidth, height: element.videoHeight });
        if (this.failed) report.error = this.failed;
        this.isSending = true;
        try {
          await fetch(api + "/player", { method: "POST", body: JSON.stringify(report),
            headers: { ...headers(), "Content-Type": "application/json" } });
        } catch { /* The next one tells it. */ }
        this.isSending = false;
        if (this.isLate) { this.isLate = false; this.tell(); }
      }
    }

    """#
}
