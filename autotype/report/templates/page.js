"use strict";
(() => {
  document.documentElement.classList.add("script");
  // In a frame without an address, such as that of a notebook, a link inside the page would load what holds it.
  if (location.protocol === "about:") {
    addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      location.hash = link.getAttribute("href");
    });
  }
  const table = document.getElementById("table");
  if (!table) return;
  const body = table.tBodies[0];
  const find = document.getElementById("find");
  const reset = document.getElementById("reset");
  const status = document.getElementById("status");
  const chips = [...document.querySelectorAll(".chip")];
  const heads = [...table.querySelectorAll("thead th")].filter((head) => head.querySelector("button"));
  const typeOrder = chips.map((chip) => chip.dataset.type);
  const plain = (text) => text.normalize("NFKC").toLocaleLowerCase();

  const each = document.getElementById("each");
  const grouped = [...body.rows];
  const blocks = grouped.filter((row) => row.classList.contains("block-row")).map((row) => ({
    row,
    card: document.querySelector("section.block[data-block='" + row.dataset.block + "']"),
  }));
  each.hidden = !blocks.length;

  const rows = grouped.filter((row) => !row.classList.contains("block-row")).map((row) => {
    const name = row.querySelector("th").textContent;
    const link = row.querySelector("th a");
    return {
      row,
      card: link && document.getElementById(link.hash.slice(1)),
      position: Number(row.cells[0].textContent),
      name,
      type: typeOrder.indexOf(row.dataset.type),
      chance: row.dataset.chance === "" ? null : Number(row.dataset.chance),
      levels: Number(row.dataset.levels),
      text: plain(name + "\n" + row.querySelector(".says").textContent),
    };
  });
  for (const item of rows) {
    if (!item.card) continue;
    const levels = item.card.querySelectorAll("table.levels th[scope=row]");
    item.text += "\n" + plain([...levels].flatMap((level) => [level.firstChild, ...level.querySelectorAll(".label")]).map((part) => part.textContent).join("\n"));
  }

  function show() {
    const wanted = new Set(chips.filter(isPressed).map((chip) => chip.dataset.type));
    const text = plain(find.value.trim());
    const flat = Boolean(text) || isPressed(each);
    const kinds = new Set();
    let shown = 0;
    for (const item of rows) {
      const kept = (!wanted.size || wanted.has(item.row.dataset.type)) && item.text.includes(text);
      item.row.hidden = !kept || (!flat && item.row.classList.contains("member"));
      if (item.card) item.card.hidden = !kept;
      if (kept) kinds.add(item.row.dataset.block);
      shown += kept;
    }
    for (const { row, card } of blocks) {
      row.hidden = flat || !kinds.has(row.dataset.block);
      card.hidden = !kinds.has(row.dataset.block);
      if (text) card.querySelector("details").open = !card.hidden;
    }
    const all = shown === rows.length;
    status.textContent = (all ? "" : shown + " of ") + rows.length + " column" + (rows.length === 1 ? "" : "s");
    reset.hidden = !wanted.size && !text;
    document.getElementById("no-row").hidden = shown > 0;
  }

  function isPressed(chip) {
    return chip.getAttribute("aria-pressed") === "true";
  }

  // Columns without a value stand last, whichever way the others are sorted.
  function compare(key, sign) {
    return (a, b) => {
      const [x, y] = [a[key], b[key]];
      if (x === null || y === null) return (x === null) - (y === null) || a.position - b.position;
      const order = key === "name" ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
      return sign * order || a.position - b.position;
    };
  }

  function sortBy(head) {
    const button = head.querySelector("button");
    const now = head.getAttribute("aria-sort");
    const first = button.dataset.first || "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const direction = now === first ? other : first;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction);
    const sorted = [...rows].sort(compare(button.dataset.key, direction === "ascending" ? 1 : -1));
    body.append(...sorted.map((item) => item.row));
    each.setAttribute("aria-pressed", "true");
    show();
  }

  // A link to the card of a column opens the block that holds it.
  function reveal() {
    const goal = location.hash && document.getElementById(location.hash.slice(1));
    const block = goal && goal.closest("details");
    if (!block || block.open) return;
    block.open = true;
    goal.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();

  for (const head of heads) {
    head.querySelector("button").addEventListener("click", () => sortBy(head));
  }
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", String(!isPressed(chip)));
      show();
    });
  }
  each.addEventListener("click", () => {
    each.setAttribute("aria-pressed", String(!isPressed(each)));
    if (!isPressed(each)) {
      heads.forEach((head, k) => (k ? head.removeAttribute("aria-sort") : head.setAttribute("aria-sort", "ascending")));
      body.append(...grouped);
    }
    show();
  });
  find.addEventListener("input", show);
  reset.addEventListener("click", () => {
    find.value = "";
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    show();
    find.focus();
  });
  show(); // a reloaded page keeps what was typed
})();
