// Corrections on the page: a decision per column. They are sent as they are made to the server or the
// notebook that shows the page, and else downloaded as the file that known= reads.
(() => {
  const main = document.getElementById("main");
  const bar = document.getElementById("decisions");
  const cards = [...document.querySelectorAll(".card:not([data-fixed])")];
  if (!cards.length) return;
  const rows = new Map([...document.querySelectorAll("#table tbody th a")].map((link) => [link.hash, link.closest("tr")]));
  const decisions = new Map(); // name of a column -> its decision as JSON
  const before = []; // decisions before each change, for Undo
  const { save, place: savedIn } = main.dataset; // an address, "notebook", or undefined
  let sending = Promise.resolve();
  let failure = "";
  let unsaved = false;

  const keyOf = (card) => (card.dataset.key ? JSON.parse(card.dataset.key) : card.querySelector("h3").textContent);
  const canonical = (json) => JSON.stringify(JSON.parse(json));
  const plural = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function button(text, run, properties = {}) {
    const made = make("button", { type: "button", textContent: text, ...properties });
    made.addEventListener("click", run);
    return made;
  }

  // The levels of a card: what is shown, and their JSON; none if one cannot be written.
  function levelsOf(card) {
    const levels = [...card.querySelectorAll("table.levels tbody th[scope=row]")].map((cell) => {
      const text = cell.firstChild ? cell.firstChild.textContent.replace(/\n$/, "") : "";
      return { text, json: cell.dataset.v ?? JSON.stringify(text), off: !!cell.closest(".off") };
    });
    return levels.every((level) => level.json) ? levels : [];
  }

  function read(json) {
    const plain = JSON.parse(json);
    if (typeof plain === "string") return { type: plain };
    if (Array.isArray(plain)) return { type: "ordinal", order: plain };
    return { type: "order" in plain ? "ordinal" : plain.type, ...plain };
  }

  function write({ type, order, off, note }) {
    const parts = [];
    if (type === "ordinal") parts.push('"order": [' + order.join(", ") + "]");
    else parts.push('"type": ' + JSON.stringify(type));
    if (type === "ordinal" && off.length) parts.push('"off_scale": [' + off.join(", ") + "]");
    if (note) parts.push('"note": ' + JSON.stringify(note));
    return parts.length === 1 ? parts[0].slice(parts[0].indexOf(": ") + 2) : "{" + parts.join(", ") + "}";
  }

  function describe(card, json) {
    const { type, order, off_scale, note } = read(json);
    const texts = new Map(levelsOf(card).map((level) => [canonical(level.json), level.text]));
    const shown = (level) => texts.get(JSON.stringify(level)) ?? (typeof level === "string" ? level : JSON.stringify(level));
    let text = order ? order.map(shown).join(" < ") : type;
    if (off_scale && off_scale.length) text += "; off the scale: " + off_scale.map(shown).join(", ");
    return note ? text + "; note: " + note : text;
  }

  function mark(card) {
    const json = decisions.get(keyOf(card));
    let line = card.querySelector(".decision");
    if (!line) {
      line = make("p", { className: "decision" });
      card.querySelector(".name").append(line);
    }
    line.textContent = json === undefined ? "" : "Decision: " + describe(card, json);
    line.hidden = json === undefined;
    rows.get("#" + card.id).classList.toggle("decided", json !== undefined);
    const block = card.closest("section.block");
    if (block) markBlock(block);
  }

  // A block says what is decided on all of its columns, or on how many of them.
  function markBlock(block) {
    const inside = cards.filter((card) => block.contains(card));
    const decided = inside.map((card) => decisions.get(keyOf(card))).filter((json) => json !== undefined);
    const all = decided.length === inside.length && new Set(decided).size === 1;
    const line = block.querySelector(":scope > header .decision") ?? make("p", { className: "decision" });
    if (!line.isConnected) block.querySelector(":scope > header .name").append(line);
    line.textContent = all ? "Decision on all of them: " + describe(inside[0], decided[0]) : "Decisions on " + decided.length + " of " + plural(inside.length, "column");
    line.hidden = !decided.length;
    rows.get("#" + block.id).classList.toggle("decided", decided.length > 0);
  }

  function set(chosen, json) {
    before.push(new Map(decisions));
    for (const card of chosen) {
      if (json === null) decisions.delete(keyOf(card));
      else decisions.set(keyOf(card), json);
    }
    const keys = new Set(chosen.map(keyOf));
    changed(cards.filter((card) => keys.has(keyOf(card))));
  }

  function undo() {
    decisions.clear();
    for (const [key, json] of before.pop()) decisions.set(key, json);
    changed(cards);
  }

  function changed(shown) {
    shown.forEach(mark);
    unsaved = decisions.size > 0 || Boolean(save);
    count();
    if (save) sending = sending.then(send(fileText()));
  }

  function send(text) {
    return async () => {
      try {
        if (save === "notebook") parent.postMessage({ decisions: text }, "*");
        else {
          const answer = await fetch(save, { method: "POST", body: text });
          if (!answer.ok) throw new Error(await answer.text());
        }
        failure = "";
        unsaved = text !== fileText();
      } catch (problem) {
        failure = problem.message;
      }
      count();
    };
  }

  function count() {
    const state = !unsaved ? (save ? ", saved in " + savedIn : "") : failure ? ", not saved: " + failure : save ? ", being saved" : ", not yet downloaded";
    bar.hidden = !decisions.size && !before.length;
    document.getElementById("undo").hidden = !before.length;
    document.getElementById("decided").textContent = plural(decisions.size, "decision") + state;
  }

  // The text of the file: the columns in the order of the page.
  function fileText() {
    const keys = [...new Set(cards.map(keyOf))].filter((key) => decisions.has(key));
    return "{\n" + keys.map((key) => "  " + JSON.stringify(key) + ": " + decisions.get(key)).join(",\n") + "\n}\n";
  }

  function fileName() {
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
    const table = main.dataset.table.replace(/^.*[\\/]/, "").replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}.-]+/gu, "_");
    return (table ? table + "-" : "") + "known-" + day + ".json";
  }

  function download() {
    const address = URL.createObjectURL(new Blob([fileText()], { type: "application/json" }));
    const link = make("a", { href: address, download: fileName() });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    unsaved = false;
    count();
  }

  function editor(card) {
    const levels = levelsOf(card);
    const select = make("select");
    for (const type of main.dataset.types.split(" ")) {
      select.append(make("option", { value: type, textContent: type, disabled: type === "ordinal" && !levels.length }));
    }
    const on = make("ol", { className: "on" });
    const aside = make("ol", { className: "aside" });
    const note = make("input", { type: "text", autocomplete: "off", value: card.dataset.note ?? "" });
    const status = make("p", { className: "key" });
    status.setAttribute("role", "status");
    const also = make("input", { type: "checkbox", checked: true });
    const alsoText = make("span");
    const alsoLine = make("p", { hidden: true }, make("label", {}, also, " ", alsoText));
    let others = [];

    function name(item) {
      const list = item.parentElement;
      const place = [...list.children].indexOf(item) + 1;
      return item.level.text + (list === on ? " is " + place + " of " + list.children.length : " is off the scale");
    }

    function place(item, list, before) {
      list.insertBefore(item, before);
      item.lastChild.textContent = list === on ? "Off the scale" : "On the scale";
      aside.hidden = asideHead.hidden = !aside.children.length;
    }

    function put(item, list, before) {
      const focus = item.contains(document.activeElement) ? document.activeElement : null;
      place(item, list, before);
      if (focus) focus.focus();
      status.textContent = name(item) + ".";
    }

    function step(item, by) {
      const list = item.parentElement;
      const next = by < 0 ? item.previousElementSibling : item.nextElementSibling;
      if (next) put(item, list, by < 0 ? next : next.nextElementSibling);
      else status.textContent = name(item) + ".";
    }

    function drag(item, event) {
      if (event.button) return;
      item.classList.add("dragged");
      const move = (moved) => {
        moved.preventDefault();
        const below = document.elementFromPoint(moved.clientX, moved.clientY);
        const other = below && below.closest("li");
        if (other && other !== item && (other.parentElement === on || other.parentElement === aside)) {
          const box = other.getBoundingClientRect();
          const late = moved.clientY > box.top + box.height / 2;
          put(item, other.parentElement, late ? other.nextElementSibling : other);
        }
      };
      const end = () => {
        item.classList.remove("dragged");
        document.removeEventListener("pointermove", move);
        document.removeEventListener("pointerup", end);
        document.removeEventListener("pointercancel", end);
      };
      document.addEventListener("pointermove", move);
      document.addEventListener("pointerup", end);
      document.addEventListener("pointercancel", end);
    }

    function makeItem(level) {
      const item = make("li", { level });
      const handle = make("button", { type: "button", className: "handle" }, make("bdi", { textContent: level.text }));
      handle.setAttribute("aria-description", "Arrow keys, Home and End move it");
      handle.addEventListener("pointerdown", (event) => drag(item, event));
      handle.addEventListener("keydown", (event) => {
        const list = item.parentElement;
        if (event.key === "ArrowUp") step(item, -1);
        else if (event.key === "ArrowDown") step(item, 1);
        else if (event.key === "Home") put(item, list, list.firstElementChild === item ? item.nextElementSibling : list.firstElementChild);
        else if (event.key === "End") put(item, list, null);
        else return;
        event.preventDefault();
      });
      const up = button("\u2191", () => step(item, -1), { ariaLabel: "Move " + level.text + " down the scale" });
      const down = button("\u2193", () => step(item, 1), { ariaLabel: "Move " + level.text + " up the scale" });
      const toggle = button("Off the scale", () => put(item, item.parentElement === on ? aside : on, null), { className: "toggle" });
      toggle.setAttribute("aria-description", level.text);
      item.append(handle, up, down, toggle);
      return item;
    }

    const asideHead = make("h4", { textContent: "Off the scale" });
    const ranks = make(
      "div",
      { className: "ranks" },
      make("h4", { textContent: "Order, lowest first" }),
      make("p", { className: "key", textContent: "Drag the levels, or move the one in focus with the arrow keys." }),
      on,
      asideHead,
      aside,
    );
    const items = levels.map(makeItem);

    // Fill in what is decided, else what the report says.
    function fill() {
      const json = decisions.get(keyOf(card));
      const decision = json === undefined ? { type: card.dataset.type } : read(json);
      select.value = decision.type ?? card.dataset.type;
      if (decision.note !== undefined) note.value = decision.note;
      const rank = new Map((decision.order ?? []).map((level, k) => [JSON.stringify(level), k]));
      const off = new Set((decision.off_scale ?? []).map((level) => JSON.stringify(level)));
      const known = (item) => rank.get(canonical(item.level.json)) ?? rank.size;
      on.replaceChildren();
      aside.replaceChildren();
      for (const item of [...items].sort((a, b) => known(a) - known(b))) {
        const isOff = decision.order ? off.has(canonical(item.level.json)) : item.level.off;
        place(item, isOff ? aside : on, null);
      }
      show();
    }

    function show() {
      ranks.hidden = form.querySelector(".reverse").hidden = select.value !== "ordinal";
    }

    function keep() {
      const order = [...on.children].map((item) => item.level.json);
      if (select.value === "ordinal" && order.length < 2) {
        status.textContent = "At least two levels have to be on the scale.";
        return;
      }
      const off = [...aside.children].map((item) => item.level.json);
      const json = write({ type: select.value, order, off, note: note.value.trim() });
      set(also.checked ? [card, ...others] : [card], json);
      status.textContent = "Kept: " + describe(card, json) + ".";
    }

    select.addEventListener("change", show);
    const form = make(
      "div",
      { className: "editor", hidden: true, id: card.id + "-editor" },
      make("p", {}, make("label", {}, "Type ", select)),
      ranks,
      make("p", {}, make("label", {}, "Note ", note)),
      alsoLine,
      make(
        "p",
        { className: "buttons" },
        button("Keep this decision", keep, { className: "main" }),
        button("Reverse", () => {
          on.replaceChildren(...[...on.children].reverse());
          status.textContent = "Lowest is " + on.firstElementChild.level.text + ".";
        }, { className: "reverse" }),
        button("Remove the decision", () => {
          const chosen = also.checked ? [card, ...others] : [card];
          set(chosen, null);
          fill();
          status.textContent = "No decision on " + (chosen.length > 1 ? "these columns." : "this column.");
        }),
      ),
      status,
    );
    form.setAttribute("role", "group");
    form.setAttribute("aria-label", "Correct " + card.querySelector("h3").textContent);
    return {
      form,
      open(chosen, ordinal) {
        others = chosen.filter((other) => other !== card);
        alsoLine.hidden = !others.length;
        alsoText.textContent = "Also for the " + plural(others.length, "other column") + " of this scale";
        status.textContent = "";
        fill();
        if (ordinal) {
          select.value = "ordinal";
          show();
        }
      },
    };
  }

  // The editor of a card is made when it is first opened: a page may have thousands of cards.
  const editors = new Map();
  function toggle(card, opener, { also = [], ordinal = false, always = false } = {}) {
    if (!editors.has(card)) {
      const made = editor(card);
      editors.set(card, made);
    }
    const { form, open } = editors.get(card);
    const header = opener.closest("header");
    if (header.nextElementSibling !== form) {
      header.after(form);
      form.hidden = true;
    }
    form.hidden = always ? false : !form.hidden;
    opener.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) open(also, ordinal);
    return form;
  }

  for (const card of cards) {
    const { scale } = card.dataset;
    const also = scale ? cards.filter((other) => other.dataset.scale === scale) : [];
    const opener = button("Correct", () => toggle(card, opener, { also }), { className: "opener" });
    opener.setAttribute("aria-expanded", "false");
    opener.setAttribute("aria-description", card.querySelector("h3").textContent);
    card.querySelector(".name").append(opener);
    card.opener = opener;
    if (card.dataset.stated) {
      decisions.set(keyOf(card), card.dataset.stated);
      mark(card);
    }
  }

  // Where a question is answered: the card of the block, or of the only column.
  function openerOf(card) {
    const block = card.closest("section.block");
    return (block && block.querySelector(":scope > header .opener")) ?? card.opener;
  }

  for (const block of document.querySelectorAll("section.block")) {
    const inside = cards.filter((card) => card.dataset.scale === block.dataset.block);
    if (!inside.length) continue;
    const opener = button("Correct all of them", () => toggle(inside[0], opener, { also: inside }), { className: "opener" });
    opener.setAttribute("aria-expanded", "false");
    block.querySelector(":scope > header .name").append(opener);
  }

  for (const question of document.querySelectorAll(".question")) {
    const chosen = question.dataset.columns.split(" ").map((position) => document.getElementById("c" + position));
    const answered = make("p", { className: "answered", hidden: true });
    answered.setAttribute("role", "status");
    const buttons = make("p", { className: "buttons" });
    const answer = (json) => () => {
      set(chosen, json);
      question.classList.toggle("done", json !== null);
      answered.hidden = json === null;
      answered.textContent = json === null ? "" : "Answered: " + describe(chosen[0], json) + ".";
      undo.hidden = json === null;
    };
    const { proposed, ordered } = question.dataset;
    if (proposed !== undefined) buttons.append(button("Accept", answer(proposed), { className: "main" }));
    if (proposed !== JSON.stringify("categorical")) buttons.append(button("No order", answer(JSON.stringify("categorical"))));
    if (ordered !== undefined && ordered !== proposed) buttons.append(button("Best order found: " + describe(chosen[0], ordered), answer(ordered)));
    buttons.append(
      button("Another order…", () => {
        const form = toggle(chosen[0], openerOf(chosen[0]), { also: chosen, ordinal: true, always: true });
        form.scrollIntoView({ block: "center" });
        form.querySelector("select").focus({ preventScroll: true });
      }),
    );
    const undo = button("Undo", answer(null), { hidden: true });
    buttons.append(undo);
    question.append(buttons, answered);
  }
  const later = [...document.querySelectorAll(".question[hidden]")];
  if (later.length) {
    const more = button("Show " + plural(later.length, "more question"), () => {
      later.forEach((question) => (question.hidden = false));
      more.remove();
    }, { className: "more" });
    document.getElementById("questions").append(more);
  }

  document.getElementById("download").addEventListener("click", download);
  document.getElementById("undo").addEventListener("click", undo);
  if (save && save !== "notebook") addEventListener("pagehide", () => navigator.sendBeacon(save + "/closed"));
  addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });
  count();
})();
