extension PageAssets {
  /// Zoom, and the merged status at a moment, by pointer and by keyboard. It reads the lists of the page, and makes
  /// nothing of text but text.
  static let script = #"""
    "use strict";
    (() => {
      const make = (name, text, parent, attributes) => {
        const element = document.createElement(name);
        if (text) element.textContent = text;
        for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
        if (parent) parent.append(element);
        return element;
      };
      const seconds = time => "+" + time.toFixed(1) + "s";

      // What a device told, line by line. Each eighth line or so is known whole.
      class Log {
        constructor(element) {
          this.name = element.dataset.name;
          this.device = element.dataset.device;
          this.lines = [...element.querySelectorAll("li")];
          this.times = this.lines.map(line => Number(line.dataset.t) / 1000);
          this.known = [];
        }
        index(time) {
          let low = 0, high = this.times.length;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (this.times[middle] <= time) low = middle + 1; else high = middle;
          }
          return low - 1;
        }
        apply(fields, line) {
          for (const part of line.children) {
            const text = part.textContent, end = text.indexOf(" ");
            if (part.localName === "i") fields.set(end < 0 ? text : text.slice(0, end), end < 0 ? "" : text.slice(end + 1));
            else if (part.localName === "s") fields.delete(text);
          }
        }
        at(time) {
          const index = this.index(time);
          if (index < 0) return null;
          let place = index >> 6;
          while (place > 0 && !this.known[place]) place -= 1;
          let fields = place > 0 ? new Map(this.known[place]) : new Map();
          for (let line = place * 64; line <= index; line += 1) {
            if (line % 64 === 0 && !this.known[line >> 6]) this.known[line >> 6] = new Map(fields);
            this.apply(fields, this.lines[line]);
          }
          return { fields, since: this.times[index], polled: /polled/.test(this.lines[index].lastElementChild?.localName === "small" ? this.lines[index].lastElementChild.textContent : "") };
        }
      }

      for (const timeline of document.querySelectorAll(".timeline")) {
        const start = Number(timeline.dataset.start), end = Number(timeline.dataset.end), span = end - start;
        const view = timeline.querySelector(".view"), draw = timeline.querySelector(".draw");
        const cursor = timeline.querySelector(".cursor"), now = timeline.querySelector(".now");
        const logs = [...timeline.querySelectorAll(".log")].map(log => new Log(log));
        const share = (element, name) => parseFloat(element.getAttribute(name)) / 100 * span;
        const steps = [...draw.querySelectorAll(".step")].map(step => ({
          from: start + share(step, "x"), to: start + share(step, "x") + share(step, "width"),
          id: step.dataset.step, name: step.dataset.name, device: step.parentNode.dataset.device }));
        const stops = [...new Set([start, end, ...steps.map(step => step.from), ...logs.flatMap(log => log.times)]
          .filter(time => time >= start && time <= end))].sort((a, b) => a - b);
        let time = start, zoom = 1;

        const tell = () => {
          now.replaceChildren();
          const running = steps.filter(step => step.from <= time && time <= step.to);
          const names = [...new Set(running.map(step => step.id + " " + step.name))];
          const head = make("p", "", now);
          make("b", "+" + time.toFixed(3) + "s", head);
          head.append(names.length ? "  " + names.join(", ") : "  between steps");
          let words = seconds(time) + (names.length ? ", " + names[0] : "");
          for (const log of logs) {
            const status = log.at(time);
            make("h4", log.name + (status ? ", as of " + seconds(status.since) + (status.polled ? ", polled" : "") : ""), now);
            if (!status) { make("p", "no status yet", now); continue; }
            const list = make("ul", "", now);
            for (const [name, value] of status.fields) {
              const item = make("li", "", list);
              make("b", name, item);
              item.append(" " + value);
            }
            words += "; " + log.name + ": " + ["player", "position", "break"].filter(name => status.fields.has(name))
              .map(name => name + " " + status.fields.get(name)).join(", ");
          }
          view.setAttribute("aria-valuenow", time.toFixed(3));
          view.setAttribute("aria-valuetext", words);
        };
        let asked = 0;
        const go = (to, follow) => {
          time = Math.min(end, Math.max(start, to));
          const place = (time - start) / span;
          cursor.setAttribute("x1", place * 100 + "%");
          cursor.setAttribute("x2", place * 100 + "%");
          timeline.classList.add("on");
          if (follow) {
            const x = place * draw.clientWidth;
            if (x < view.scrollLeft + 20 || x > view.scrollLeft + view.clientWidth - 20)
              view.scrollLeft = x - view.clientWidth / 2;
          }
          // At most once for each picture of the screen.
          if (!asked) asked = requestAnimationFrame(() => { asked = 0; tell(); });
        };
        const stop = by => {
          let low = 0, high = stops.length;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (by > 0 ? stops[middle] <= time + 1e-9 : stops[middle] < time - 1e-9) low = middle + 1; else high = middle;
          }
          const index = by > 0 ? low + by - 1 : low + by;
          return stops[Math.min(stops.length - 1, Math.max(0, index))];
        };
        const scale = (to, around) => {
          const place = around ?? (time - start) / span;
          const offset = place * draw.clientWidth - view.scrollLeft;
          zoom = Math.min(64, Math.max(1, to));
          draw.style.width = zoom * 100 + "%";
          timeline.classList.toggle("close", zoom >= 3);
          view.scrollLeft = place * draw.clientWidth - Math.min(Math.max(offset, 0), view.clientWidth);
          amount.textContent = zoom === 1 ? "whole run" : zoom.toFixed(zoom < 10 ? 1 : 0) + " times as wide";
        };

        const bar = make("div", "", null, { class: "zoom", role: "group", "aria-label": "zoom of the timeline" });
        make("button", "−", bar, { type: "button", "aria-label": "less" }).onclick = () => scale(zoom / 2);
        make("button", "+", bar, { type: "button", "aria-label": "more" }).onclick = () => scale(zoom * 2);
        make("button", "1:1", bar, { type: "button", "aria-label": "whole run" }).onclick = () => scale(1);
        const amount = make("span", "whole run", bar, { role: "status" });
        make("span", "Point at a moment, or use the arrow keys, for the status then; + and − zoom.", bar, { class: "soft" });
        timeline.prepend(bar);
        now.hidden = false;
        make("p", "Point at the timeline, or give it the focus and use the arrow keys: the status at that moment is told here.", now, { class: "soft" });

        for (const [name, value] of Object.entries({ tabindex: 0, role: "slider", "aria-valuemin": start, "aria-valuemax": end,
          "aria-valuenow": start, "aria-valuetext": "no moment chosen", "aria-orientation": "horizontal" })) view.setAttribute(name, value);
        const point = event => {
          const box = draw.getBoundingClientRect();
          if (box.width > 0) go(start + (event.clientX - box.left) / box.width * span);
        };
        view.addEventListener("pointermove", point);
        view.addEventListener("pointerdown", point);
        view.addEventListener("wheel", event => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          const box = draw.getBoundingClientRect();
          scale(zoom * (event.deltaY < 0 ? 1.25 : 0.8), (event.clientX - box.left) / box.width);
        }, { passive: false });
        view.addEventListener("focus", () => { if (!timeline.classList.contains("on")) go(start, true); });
        view.addEventListener("keydown", event => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          const many = event.shiftKey ? 10 : 1;
          const moves = {
            ArrowRight: () => stop(many), ArrowLeft: () => stop(-many), ArrowUp: () => stop(many), ArrowDown: () => stop(-many),
            PageUp: () => time + span / 20, PageDown: () => time - span / 20, Home: () => start, End: () => end };
          if (moves[event.key]) go(moves[event.key](), true);
          else if (event.key === "+" || event.key === "=") scale(zoom * 2);
          else if (event.key === "-") scale(zoom / 2);
          else if (event.key === "0") scale(1);
          else return;
          event.preventDefault();
        });
      }
    })();

    """#
}
