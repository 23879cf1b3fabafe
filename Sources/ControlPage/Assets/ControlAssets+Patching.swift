extension ControlAssets {
  /// Making elements, and making the page what it should be.
  static let patching = #"""
    "use strict";
    // Everything that a device or a playlist says is text: nothing here makes markup of it.
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
}
