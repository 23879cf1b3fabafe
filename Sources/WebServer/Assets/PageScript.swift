/// What the scripts of our pages have in common.
package enum PageScript {
  /// Making elements, and making the page what it should be.
  package static let patching = #"""
    "use strict";
    // Everything that a device, a sender or a playlist says is text: nothing here makes markup of it.
    const byId = id => document.getElementById(id);

    // An element with text, or with children. `key` says which one it is among its siblings.
    function make(tag, content, attributes = {}) {
      const element = document.createElement(tag);
      if (Array.isArray(content)) element.append(...content.filter(Boolean));
      else if (content !== undefined && content !== null) element.textContent = content;
      for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null) continue;
        element.setAttribute(name === "key" ? "data-key" : name, value);
      }
      return element;
    }

    // Makes an element what a fresh one is and touches nothing else: focus, scrolling, choices and open parts stay.
    function patch(old, fresh) {
      // Nothing has changed in it.
      if (fresh.hasAttribute("data-same")) return;
      // A picture that could not be had stays hidden.
      if (old.tagName === "IMG" && old.getAttribute("src") === fresh.getAttribute("src")) return;
      for (const { name } of [...old.attributes]) {
        if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
      }
      for (const { name, value } of fresh.attributes) {
        if (old.getAttribute(name) !== value) old.setAttribute(name, value);
      }
      if (old.firstElementChild || fresh.firstElementChild) patchChildren(old, [...fresh.children]);
      else if (old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
    }

    function patchChildren(parent, fresh) {
      const name = element => element.tagName + " " + (element.dataset.key ?? "");
      const wanted = new Set(fresh.map(name));
      for (const child of [...parent.childNodes]) {
        if (child.nodeType !== Node.ELEMENT_NODE || !wanted.has(name(child))) child.remove();
      }
      fresh.forEach((child, index) => {
        const place = parent.children[index];
        if (place && name(place) === name(child)) return patch(place, child);
        const old = [...parent.children].slice(index).find(other => name(other) === name(child));
        parent.insertBefore(old || child, place || null);
        if (old) patch(old, child);
      });
      while (parent.children.length > fresh.length) parent.lastElementChild.remove();
    }

    """#

  /// Following a stream of events for as long as the page is open.
  package static let following = #"""
    // EventSource sends no headers; a stream that is read does the same. `silence` is in ms. Calling the result begins anew.
    function followEvents(path, { headers, take, report, silence, pause }) {
      let stop;
      async function read(signal, alive) {
        const answer = await fetch(path, { headers: headers(), signal });
        if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error);
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          alive();
          const events = (text + value).split("\n\n");
          text = events.pop();
          for (const event of events) {
            const data = event.split("\n").find(line => line.startsWith("data: "));
            if (data) take(JSON.parse(data.slice(6)));
          }
        }
      }
      async function follow() {
        for (;;) {
          stop = new AbortController();
          const current = stop;
          // Something comes again and again: a network that went away says nothing.
          let timer;
          const alive = () => {
            clearTimeout(timer);
            timer = setTimeout(() => current.abort(), silence);
          };
          alive();
          let problem = "no connection; trying again";
          try { await read(current.signal, alive); } catch (error) {
            if (!(error instanceof TypeError) && error.name !== "AbortError" && error.message) problem = error.message;
          }
          clearTimeout(timer);
          if (current.signal.reason === "again") continue;
          report(problem);
          await new Promise(resolve => setTimeout(resolve, pause));
        }
      }
      follow();
      return () => stop.abort("again");
    }

    """#
}
