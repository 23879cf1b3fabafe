extension ScreenAssets {
  /// Captions: WebVTT of the sender's address, in the style that was asked for.
  static let captions = #"""

    const cueLimit = 5000, captionBytes = 2 << 20;
    const seconds = text => text.trim().split(":").reduce((sum, part) => sum * 60 + parseFloat(part), 0);
    const entities = { amp: "&", lt: "<", gt: ">", nbsp: " ", lrm: "\u200e", rlm: "\u200f", quot: "\"", apos: "'" };
    const plain = text => text.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (all, name) => entities[name] ?? all);

    function readCues(text) {
      const cues = [];
      for (const block of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
        const lines = block.split("\n");
        const index = lines.findIndex(line => line.includes("-->"));
        if (index < 0 || cues.length >= cueLimit) continue;
        const [from, to] = lines[index].split("-->");
        const [start, end] = [seconds(from.replace(",", ".")), seconds(to.trim().split(/\s/)[0].replace(",", "."))];
        if (Number.isFinite(start) && Number.isFinite(end)) cues.push({ start, end, text: plain(lines.slice(index + 1).join("\n")) });
      }
      return cues;
    }

    const captions = { address: null, cues: [], problem: null };
    async function fetchCaptions(address) {
      captions.address = address;
      captions.cues = [];
      captions.problem = null;
      if (!address) return;
      let cues = [], problem = null;
      try {
        const answer = await fetch(address, { credentials: "omit" });
        if (!answer.ok) throw new Error("answered with " + answer.status);
        cues = readCues((await answer.text()).slice(0, captionBytes));
        if (!cues.length) problem = "no captions in " + address;
      } catch (error) {
        problem = "the captions cannot be had: " + (error instanceof TypeError ? "no answer, or none that other sites may read (CORS)" : error.message);
      }
      if (captions.address === address) Object.assign(captions, { cues, problem });
    }

    function drawCaptions(spec, place) {
      if ((spec?.address ?? null) !== captions.address) fetchCaptions(spec?.address ?? null);
      const box = byId("captions"), text = box.firstElementChild;
      const active = spec ? captions.cues.filter(cue => cue.start <= place && place < cue.end) : [];
      const words = active.map(cue => cue.text).join("\n");
      box.hidden = !words;
      if (text.dataset.words !== words) {
        text.dataset.words = words;
        // Each line has a box of its own behind it.
        text.replaceChildren(...words.split("\n").map(line => make("span", line)));
      }
      if (!spec) return;
      const { style } = spec;
      box.style.setProperty("--scale", style.scale);
      Object.assign(text.style, { backgroundColor: style.window, borderRadius: style.radius + "px" });
      for (const line of text.children) {
        Object.assign(line.style, { color: style.color, backgroundColor: style.background, textShadow: style.shadow,
          fontFamily: style.family, fontWeight: style.weight, fontStyle: style.slant, fontVariantCaps: style.variant });
      }
    }

    """#
}
