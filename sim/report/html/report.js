// Draws the charts from the tables beside them, and sorts and filters the listing. The page is complete without it.
"use strict";
(() => {
  const palette = JSON.parse(document.getElementById("palette").textContent);
  const figures = [...document.querySelectorAll("figure.chart")];
  const value = text => (text !== "" && !isNaN(text) ? +text : text);
  // The data of a figure: lines with tabs, or a table. First row: names.
  const cellsOf = figure => {
    const lines = figure.querySelector("pre.lines");
    if (lines) return lines.textContent.trimEnd().split("\n").map(line => line.split("\t"));
    return [...figure.querySelector("table").rows].map(row => [...row.cells].map(cell => cell.textContent.trim()));
  };
  const rowsOf = ([names, ...rows]) =>
    rows.map(row => Object.fromEntries(names.map((name, i) => [name, value(row[i] === undefined ? "" : row[i])])));
  // "@name" in a specification stands for a list of the page, e.g. the reasons and their colours.
  const fill = node => {
    if (typeof node === "string" && node[0] === "@") return palette[node.slice(1)];
    if (Array.isArray(node)) return node.map(fill);
    if (node && typeof node === "object") return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, fill(v)]));
    return node;
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const csv = rows => rows.map(row => row.map(c => /[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c).join(",")).join("\n") + "\n";
  // Colours of paper, also in saved pictures; the style sheet replaces them on dark screens.
  const text = "#1b1f24", grid = "#d0d7de";
  const config = {background: null, font: "system-ui, sans-serif", view: {stroke: grid},
    axis: {labelColor: text, titleColor: text, gridColor: grid, domainColor: grid, tickColor: grid},
    legend: {labelColor: text, titleColor: text}, title: {color: text}, header: {labelColor: text, titleColor: text},
    text: {color: text}, rule: {color: text}};

  // Before any chart is drawn: the data step back, and can be saved.
  const prepare = figure => {
    const details = figure.querySelector("details"), button = document.createElement("button");
    button.textContent = "CSV";
    button.onclick = () => save(figure.dataset.chart + ".csv", csv(cellsOf(figure)));
    figure.querySelector("figcaption").append(" ", button);
    if (typeof DecompressionStream === "undefined") return;
    details.open = false;
  };
  const waiting = new Set(figures);
  const done = [];
  const draw = figure => {
    if (!waiting.delete(figure)) return;
    const spec = fill(JSON.parse(figure.querySelector("script").textContent));
    spec.data = {values: rowsOf(cellsOf(figure))};
    done.push(vegaEmbed(figure.querySelector(".plot"), spec, {renderer: "svg", config,
      actions: {export: true, source: false, compiled: false, editor: false}, downloadFileName: figure.dataset.chart})
      .then(result => { figure.dataset.drawn = "yes"; onReason(result.view); })
      .catch(error => { figure.querySelector("details").open = true; console.error(figure.dataset.chart, error); }));
  };
  // The libraries come packed. False: there are none, or the browser is too old to unpack them.
  const unpack = async () => {
    const store = document.getElementById("libraries");
    if (!store || typeof DecompressionStream === "undefined") return false;
    const bytes = Uint8Array.from(atob(store.textContent), letter => letter.charCodeAt(0));
    const script = document.createElement("script");
    script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    document.body.append(script);
    return typeof vegaEmbed !== "undefined";
  };
  // Charts in sight first, as soon as the page stands; the others one by one while nothing else is to do; all at once
  // when the page is printed.
  const drawAll = async () => {
    if (!await unpack()) {
      figures.forEach(figure => { figure.querySelector("details").open = true; });
      document.documentElement.classList.remove("draws");
      return;
    }
    const sight = new IntersectionObserver(
      seen => seen.forEach(one => { if (one.isIntersecting) draw(one.target); }), {rootMargin: "400px"});
    figures.forEach(figure => sight.observe(figure));
    addEventListener("beforeprint", () => figures.forEach(draw));
    const idle = window.requestIdleCallback || (work => setTimeout(work, 20));
    while (waiting.size) {
      await new Promise(resolve => idle(resolve, {timeout: 500}));
      const next = figures.find(figure => waiting.has(figure));
      if (next) draw(next);
      await Promise.all(done);
    }
    await Promise.all(done);
  };
  // A click on a reason shows the instructions that it was charged to.
  const onReason = view => view.addEventListener("click", (event, item) => {
    const reason = item && item.datum && item.datum.reason, field = document.getElementById("reason");
    if (!reason || !field || ![...field.options].some(o => o.value === reason)) return;
    field.value = reason;
    field.dispatchEvent(new Event("input"));
    document.getElementById("s8").scrollIntoView();
  });

  // Arrows from jumps to their targets beside rows in the order of addresses: each in the innermost lane that is free.
  const arrows = rows => {
    const launch = row => row.launch === undefined ? "" : row.launch, lanes = 6;
    const at = new Map(rows.map((row, i) => [launch(row) + ":" + +row.pc, i])), taken = rows.map(() => []), parts = rows.map(() => "");
    const spans = rows.map((row, from) => ({from, to: row.target === "" ? undefined : at.get(launch(row) + ":" + +row.target)}))
      .filter(span => span.to !== undefined && !/^join/.test(rows[span.from].instruction))
      .sort((a, b) => Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
    for (const {from, to} of spans) {
      const low = Math.min(from, to), high = Math.max(from, to);
      let lane = 0;
      while (lane < lanes && taken.slice(low, high + 1).some(used => used[lane])) ++lane;
      if (lane === lanes) continue;
      const x = 52 - 8 * lane;
      for (let i = low; i <= high; ++i) {
        taken[i][lane] = true;
        const top = i === low && low !== high ? 50 : 0, bottom = i === high && low !== high ? 50 : 100;
        parts[i] += `<line x1="${x}" x2="${x}" y1="${top}%" y2="${bottom}%"/>`;
      }
      parts[from] += `<line x1="${x}" x2="60" y1="50%" y2="50%"/>`;
      parts[to] += `<line x1="${x}" x2="60" y1="50%" y2="50%"/><svg x="54" y="50%" overflow="visible"><path d="M0 -3L6 0L0 3z"/></svg>`;
    }
    return {put: (cell, row) => {
      const part = parts[at.get(launch(row) + ":" + +row.pc)];
      cell.className = "flow";
      if (!part) return;
      cell.title = row.flow;
      cell.innerHTML = `<svg aria-label="${row.flow}" width="60">${part}</svg>`;
    }};
  };
  const listing = () => {
    const store = document.getElementById("instructions"), table = document.querySelector("table.listing");
    if (!store || !table) return;
    const heads = [...table.tHead.rows[0].cells], names = heads.map(cell => cell.textContent);
    const words = new Set(["instruction", "top reason"]), addresses = new Set(["pc", "flow", "blamed", "target"]);
    const total = +store.dataset.total, body = table.tBodies[0];
    const [columns, ...lines] = store.textContent.trimEnd().split("\n").map(line => line.split("\t"));
    // What the lines leave out follows from what they hold.
    const all = lines.map(cells => {
      const row = Object.fromEntries(columns.map((name, i) =>
        [name, words.has(name) || addresses.has(name) || !cells[i] ? cells[i] || "" : +cells[i]]));
      row.slots = row.slots || 0;
      row.flow = row.target ? (+row.target <= +row.pc ? "\u2191 " : "\u2193 ") + row.target : "";
      row.heat = total ? row.slots / total : 0;
      row["slots %"] = (100 * row.heat).toFixed(2);
      return row;
    });
    const hottest = Math.max(...all.map(row => row.heat), 1e-9);
    const most = 200, search = document.getElementById("search"), reason = document.getElementById("reason");
    const count = document.getElementById("shown"), more = document.getElementById("more");
    let order = null, limit = most;
    const cell = (row, name, arcs) => {
      const td = document.createElement("td"), text = row[name];
      if (name === "heat") {
        const bar = document.createElement("span");
        bar.className = "heat";
        bar.style.width = `${Math.round(60 * text / hottest)}px`;
        td.append(bar);
      } else td.textContent = text;
      if (!words.has(name) && !addresses.has(name) && name !== "heat") td.className = "n";
      if (name === "flow" && arcs) arcs.put(td, row);
      if (name === "blamed" && text) td.title = "the slots were waited for the result of " + text;
      return td;
    };
    const key = (row, name) => words.has(name) ? row[name] : addresses.has(name) ? +row[name].replace(/^\W+/, "") : +row[name];
    const show = () => {
      const word = search.value.toLowerCase(), wanted = reason.value;
      const rows = all.filter(row => (!wanted || row["top reason"] === wanted) &&
        (!word || Object.values(row).join(" ").toLowerCase().includes(word)));
      if (order) rows.sort((a, b) => {
        const x = key(a, order.by), y = key(b, order.by);
        return order.sign * (typeof x === "number" ? x - y : x.localeCompare(y));
      });
      const arcs = rows.length === all.length && (!order || order.by === "pc" && order.sign > 0) ? arrows(rows.slice(0, limit)) : null;
      body.replaceChildren(...rows.slice(0, limit).map(row => {
        const tr = document.createElement("tr");
        tr.append(...names.map(name => cell(row, name, arcs)));
        return tr;
      }));
      count.textContent = `${Math.min(limit, rows.length)} of ${rows.length} instructions shown`;
      more.hidden = rows.length <= limit;
    };
    heads.forEach((head, i) => {
      const by = names[i], first = words.has(by) || addresses.has(by) ? 1 : -1;
      head.className = "sorts";
      head.onclick = () => {
        order = {by, sign: order && order.by === by ? -order.sign : first};
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
        limit = most;
        show();
      };
    });
    const button = document.createElement("button");
    button.textContent = "CSV";
    button.onclick = () => save("instructions.csv", csv([columns, ...lines]));
    count.after(" ", button);
    search.oninput = reason.oninput = () => { limit = most; show(); };
    more.onclick = () => { limit += 500; show(); };
    show();
  };
  const filterConfiguration = () => {
    const field = document.getElementById("find-key"), table = document.querySelector("table.configuration");
    if (field && table) field.oninput = () => [...table.tBodies[0].rows].forEach(row => {
      row.hidden = !row.textContent.toLowerCase().includes(field.value.toLowerCase());
    });
  };

  document.querySelectorAll(".tools").forEach(tools => { tools.hidden = false; });
  document.querySelectorAll("button[data-copy]").forEach(button => {
    button.onclick = () => navigator.clipboard.writeText(button.dataset.copy);
  });
  document.documentElement.classList.add("draws");
  figures.forEach(prepare);
  listing();
  filterConfiguration();
  const begin = () => setTimeout(() => drawAll().then(() => {
    document.documentElement.dataset.ready = Math.round(performance.now());
  }));
  if (document.readyState === "complete") begin(); else addEventListener("load", begin);
})();
