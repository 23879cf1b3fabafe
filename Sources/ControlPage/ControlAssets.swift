/// The page itself: one file each, without anything from elsewhere.
enum ControlAssets {
  static let page = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Showcaller</title>
    <link rel="stylesheet" href="/style.css">
    <script src="/app.js" defer></script>
    </head>
    <body>
    <header>
    <h1>Showcaller</h1>
    <p id="health" role="status" aria-live="polite">connecting</p>
    </header>
    <main id="playlists" aria-busy="true"></main>
    <footer>
    <form id="login">
    <label for="token">Token</label>
    <input id="token" type="password" autocomplete="off" aria-describedby="hint">
    <button>Use</button>
    <small id="hint">Changes need it. `serve` says in which file it is; it stays in this tab.</small>
    </form>
    <p id="message" role="alert"></p>
    </footer>
    </body>
    </html>

    """

  static let style = """
    :root { --back: #fff; --text: #1b1b1b; --soft: #5b5b5b; --line: #c9c9c9; --card: #f6f6f6; --bad: #a3161b; --good: #146c2e; --accent: #0b57d0; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #121212; --text: #ececec; --soft: #b0b0b0; --line: #444; --card: #1e1e1e; --bad: #ff8a80; --good: #7ddc8f; --accent: #a8c7fa; }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.4 system-ui, sans-serif; }
    header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; justify-content: space-between; }
    h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.15rem; } h3 { font-size: 1rem; margin: 0; }
    .screens { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
    article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-wrap: anywhere; }
    article.dark { border-color: var(--bad); border-width: 2px; }
    img { display: block; width: 100%; max-height: 12rem; object-fit: contain; background: #0002; border-radius: .3rem; }
    .soft, small { color: var(--soft); } .bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .8rem; margin: .6rem 0; } dt { color: var(--soft); } dd { margin: 0; }
    button, select, input { font: inherit; min-height: 2.6rem; padding: .3rem .8rem; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .4rem; }
    button { cursor: pointer; } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .6rem; } ul { padding-left: 1.1rem; margin: .3rem 0; }
    table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    footer { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; } form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }

    """

  static let script = """
    "use strict";
    // Everything that a device or a playlist says is text: nothing here makes markup of it.
    const token = () => sessionStorage.getItem("token") || "";
    const byId = id => document.getElementById(id);
    const make = (tag, text, attributes = {}) => {
      const element = document.createElement(tag);
      if (text !== undefined && text !== null) element.textContent = text;
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      return element;
    };
    const headers = () => token() ? { Authorization: "Bearer " + token() } : {};
    const say = text => { byId("message").textContent = text; };
    const clock = seconds => new Date(seconds * 1000).toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

    async function send(method, path, body) {
      say("");
      try {
        const answer = await fetch(path, { method, headers: { ...headers(), "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
        if (!answer.ok) say((await answer.json()).error || "it was refused");
        if (answer.status === 401) byId("token").focus();
      } catch { say("nobody answers: does `serve` still run?"); }
    }

    function facts(pairs) {
      const list = make("dl");
      for (const [name, value] of pairs) if (value) list.append(make("dt", name), make("dd", value));
      return list;
    }

    function screenCard(playlist, screen) {
      const card = make("article", null, { "aria-label": screen.name });
      if (screen.dark) card.className = "dark";
      card.append(make("h3", screen.name));
      const state = screen.phase === "showing" ? screen.media_title : (screen.why || screen.phase);
      card.append(make("p", state, { class: screen.dark ? "bad now" : "now" }));
      if (screen.entity_picture) card.append(make("img", null, { src: screen.entity_picture, alt: screen.media_title || "", loading: "lazy", referrerpolicy: "no-referrer" }));
      card.append(facts([
        ["since", clock(screen.since)],
        ["by", screen.phase === "showing" ? screen.decided_by + ", line " + screen.line : ""],
        ["next change", playlist.next_change ? clock(playlist.next_change) : ""],
        ["device", screen.device ? screen.device + " " + screen.address : ""],
        ["program", screen.paused ? "paused" : ""],
        ["came back", screen.reconnects ? screen.reconnects + " times" : ""],
      ]));
      const path = "/api/playlists/" + playlist.number + "/screens/" + encodeURIComponent(screen.name) + "/";
      const actions = make("div", null, { class: "actions" });
      const button = (label, word, body) => {
        const element = make("button", label, { type: "button", "data-key": path + word });
        element.addEventListener("click", () => send("POST", path + word, body && body()));
        actions.append(element);
      };
      button("Skip", "skip");
      button(screen.paused ? "Resume" : "Pause", screen.paused ? "resume" : "pause");
      const choice = make("select", null, { "aria-label": "item for " + screen.name, "data-key": path + "choice" });
      for (const item of playlist.items) choice.append(make("option", item));
      actions.append(choice);
      button("Play now", "play", () => ({ item: choice.value }));
      card.append(actions);
      if (screen.problems.length) {
        const details = make("details", null, { "data-key": path + "problems" });
        details.append(make("summary", "last problems: " + screen.problems.length));
        const list = make("ul");
        for (const problem of screen.problems) list.append(make("li", clock(problem.time) + " " + problem.text));
        details.append(list);
        card.append(details);
      }
      return card;
    }

    function triggers(playlist) {
      const box = make("div", null, { class: "actions" });
      for (const trigger of playlist.triggers) {
        const label = trigger.name + (trigger.fired_since ? " (fired " + clock(trigger.fired_since) + ")" : "");
        if (!trigger.webhook) { box.append(make("span", label, { class: trigger.fired_since ? "bad" : "soft" })); continue; }
        const path = "/api/playlists/" + playlist.number + "/triggers/" + encodeURIComponent(trigger.name);
        const button = make("button", (trigger.fired_since ? "Clear " : "Fire ") + label, { type: "button", "data-key": path });
        button.addEventListener("click", () => send(trigger.fired_since ? "DELETE" : "POST", path));
        box.append(button);
      }
      return box;
    }

    const weeks = {};
    async function showWeek(playlist, details) {
      if (!details.open) return;
      try {
        const answer = await fetch("/api/playlists/" + playlist.number + "/week", { headers: headers() });
        if (!answer.ok) throw new Error((await answer.json()).error);
        weeks[playlist.number] = await answer.json();
        fillWeek(playlist, details);
      } catch (error) { say(error.message || "the week could not be read"); }
    }
    function fillWeek(playlist, details) {
      const week = weeks[playlist.number];
      if (!week) return;
      details.querySelector("table")?.remove();
      const table = make("table");
      for (const stretch of (week.stretches || []).slice(0, 200)) {
        const row = make("tr");
        row.append(make("td", stretch.from), make("td", stretch.to), make("td", stretch.part || stretch.what || stretch.on));
        table.append(row);
      }
      details.append(table);
    }

    function show(state) {
      const main = byId("playlists");
      const focused = document.activeElement?.dataset?.key;
      const choices = {}, open = new Set();
      for (const select of main.querySelectorAll("select")) choices[select.dataset.key] = select.value;
      for (const details of main.querySelectorAll("details[open]")) open.add(details.dataset.key);
      main.replaceChildren();
      let dark = 0, all = 0;
      for (const playlist of state.playlists) {
        const section = make("section", null, { "aria-label": playlist.title });
        section.append(make("h2", playlist.title));
        if (playlist.triggers.length) section.append(triggers(playlist));
        const grid = make("div", null, { class: "screens" });
        for (const screen of playlist.screens) {
          all += 1;
          if (screen.dark) dark += 1;
          grid.append(screenCard(playlist, screen));
        }
        section.append(grid);
        const week = make("details", null, { "data-key": "week " + playlist.number });
        week.append(make("summary", "the week as planned"));
        week.addEventListener("toggle", () => showWeek(playlist, week));
        fillWeek(playlist, week);
        section.append(week);
        main.append(section);
      }
      for (const details of main.querySelectorAll("details")) if (open.has(details.dataset.key)) details.open = true;
      for (const select of main.querySelectorAll("select")) if (choices[select.dataset.key]) select.value = choices[select.dataset.key];
      if (focused) main.querySelector('[data-key="' + CSS.escape(focused) + '"]')?.focus();
      main.setAttribute("aria-busy", "false");
      const health = byId("health");
      health.textContent = dark ? dark + " of " + all + " screens dark" : all + (all === 1 ? " screen is well" : " screens are well");
      health.className = dark ? "bad" : "good";
    }

    // EventSource cannot send a token; a stream that is read does the same.
    async function follow() {
      for (;;) {
        try {
          const answer = await fetch("/api/events", { headers: headers() });
          if (!answer.ok) {
            byId("health").textContent = (await answer.json()).error;
          } else {
            const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
            let text = "";
            for (;;) {
              const { done, value } = await reader.read();
              if (done) break;
              text += value;
              const events = text.split("\\n\\n");
              text = events.pop();
              for (const event of events) {
                const data = event.split("\\n").find(line => line.startsWith("data: "));
                if (data) show(JSON.parse(data.slice(6)));
              }
            }
          }
        } catch { /* it is tried again */ }
        byId("health").className = "bad";
        if (!byId("health").textContent.includes("token")) byId("health").textContent = "no connection; trying again";
        await new Promise(resolve => setTimeout(resolve, 3000));
      }
    }

    byId("login").addEventListener("submit", event => {
      event.preventDefault();
      sessionStorage.setItem("token", byId("token").value.trim());
      byId("token").value = "";
      say("the token is used from now on");
      location.reload();
    });
    follow();

    """
}
