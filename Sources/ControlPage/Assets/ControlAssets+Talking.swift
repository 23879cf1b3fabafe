extension ControlAssets {
  /// What the page asks, and what it is told.
  static let talking = #"""

    const token = () => sessionStorage.getItem("token") || "";
    const headers = () => token() ? { Authorization: "Bearer " + token() } : {};
    // What went wrong stays until something else is said.
    let saying;
    function say(text, isBad) {
      clearTimeout(saying);
      byId("message").textContent = text;
      byId("message").className = isBad ? "bad" : "";
      if (text && !isBad) saying = setTimeout(() => say(""), 6000);
    }

    async function ask(path, options = {}) {
      const answer = await fetch(path, { ...options, headers: { ...headers(), "Content-Type": "application/json" } });
      if (answer.ok) return answer;
      if (answer.status === 401) byId("token").focus();
      throw new Error((await answer.json().catch(() => ({}))).error || "it was refused");
    }
    const reason = error => error instanceof TypeError ? "nobody answers: does serve still run?" : error.message;

    byId("playlists").addEventListener("click", async event => {
      const pressed = event.target.closest("button[data-path]");
      if (!pressed) return;
      const { method, path, chosen } = pressed.dataset;
      const label = pressed.textContent;
      const value = chosen && pressed.parentElement.querySelector("select").value;
      try {
        await ask(path, { method, body: chosen && JSON.stringify({ [chosen]: value }) });
        say(label + (value ? " " + value : "") + ": sent");
      } catch (error) { say(label + ": " + reason(error), true); }
    });

    // Pictures that cannot be had leave no hole. Such events do not bubble.
    byId("playlists").addEventListener("error", event => {
      if (event.target.tagName === "IMG") event.target.hidden = true;
    }, true);

    let state = null;
    async function fetchWeek(id) {
      try {
        weeks[id] = await (await ask("/api/playlists/" + encodeURIComponent(id) + "/week")).json();
        if (state) draw(state);
      } catch (error) { say(reason(error), true); }
    }
    byId("playlists").addEventListener("toggle", event => {
      if (event.target.open && event.target.dataset.week) fetchWeek(event.target.dataset.week);
    }, true);
    setInterval(() => {
      if (document.hidden) return;
      for (const open of document.querySelectorAll("details[open][data-week]")) fetchWeek(open.dataset.week);
    }, 60000);

    // Events that come faster than anybody looks are drawn once.
    let isWaiting = false;
    function take(news) {
      state = news;
      const screens = news.playlists.flatMap(playlist => playlist.screens);
      const dark = screens.filter(screen => screen.dark).length;
      const missing = news.invalid.filter(one => !one.served).length;
      const text = news.status === "starting" ? "starting" : news.status === "invalid" ?
        missing + (missing === 1 ? " playlist is not served" : " playlists are not served") : news.status === "dark" ?
        dark + " of " + screens.length + " screens dark" :
        screens.length + (screens.length === 1 ? " screen is well" : " screens are well");
      report(text, ["dark", "invalid"].includes(news.status) ? "bad" : news.status === "ok" ? "good" : "soft");
      document.title = (news.status === "dark" ? dark + " dark – " : "") + "Showcaller";
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        draw(state);
      });
    }
    function report(text, word) {
      const health = byId("health");
      if (health.textContent !== text) health.textContent = text;
      health.className = word;
    }

    // Every 15 s something comes.
    const again = followEvents("/api/events",
      { headers, take, report: problem => report(problem, "bad"), silence: 40000, pause: 3000 });

    byId("login").addEventListener("submit", event => {
      event.preventDefault();
      sessionStorage.setItem("token", byId("token").value.trim());
      byId("token").value = "";
      say("The token is used from now on.");
      again();
    });

    """#
}
