// Draws the charts from the tables beside them, and sorts and filters the listing. The page is complete without it.
"use strict";
(() => {
  const palette = JSON.parse(document.getElementById("palette").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const value = text => (text !== "" && !isNaN(text) ? +text : text);
  const rowsOf = table => {
    const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
    return [...table.tBodies[0].rows].map(row =>
      Object.fromEntries([...row.cells].map((cell, i) => [names[i], value(cell.textContent)])));
  };
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
  const csv = table => [...table.rows].map(row =>
    [...row.cells].map(c => /[",\n]/.test(c.textContent) ? `"${c.textContent.replaceAll('"', '""')}"` : c.textContent).join(",")).join("\n") + "\n";
  const text = dark ? "#e6edf3" : "#1b1f24", grid = dark ? "#30363d" : "#d0d7de";
  const config = {background: null, font: "system-ui, sans-serif", view: {stroke: grid},
    axis: {labelColor: text, titleColor: text, gridColor: grid, domainColor: grid, tickColor: grid},
    legend: {labelColor: text, titleColor: text}, title: {color: text}, header: {labelColor: text, titleColor: text},
    text: {color: text}, rule: {color: text}};

  const draw = figure => {
    const table = figure.querySelector("table"), details = figure.querySelector("details");
    const button = document.createElement("button");
    button.textContent = "CSV";
    button.onclick = () => save(figure.dataset.chart + ".csv", csv(table));
    details.before(button);
    details.open = false;
    if (typeof vegaEmbed === "undefined") { details.open = true; return; }
    const spec = fill(JSON.parse(figure.querySelector("script").textContent));
    spec.data = {values: rowsOf(table)};
    return vegaEmbed(figure.querySelector(".plot"), spec, {renderer: "svg", config,
      actions: {export: true, source: false, compiled: false, editor: false}, downloadFileName: figure.dataset.chart})
      .then(result => { figure.dataset.drawn = "yes"; onReason(result.view); })
      .catch(error => { details.open = true; console.error(figure.dataset.chart, error); });
  };
  // A click on a reason shows the instructions that it was charged to.
  const onReason = view => view.addEventListener("click", (event, item) => {
    const reason = item && item.datum && item.datum.reason, field = document.getElementById("reason");
    if (!reason || !field || ![...field.options].some(o => o.value === reason)) return;
    field.value = reason;
    field.dispatchEvent(new Event("input"));
    document.getElementById("s8").scrollIntoView();
  });

  const listing = () => {
    const store = document.getElementById("instructions"), table = document.querySelector("table.listing");
    if (!store || !table) return;
    const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
    const all = JSON.parse(store.textContent), body = table.tBodies[0], most = 400;
    const search = document.getElementById("search"), reason = document.getElementById("reason");
    const count = document.getElementById("shown"), more = document.getElementById("more");
    let order = null, limit = most;
    const cell = (text, i) => {
      const td = document.createElement("td");
      if (names[i] === "heat") {
        const bar = document.createElement("span");
        bar.className = "heat";
        bar.style.width = `${Math.round(60 * text)}px`;
        td.append(bar);
      } else td.textContent = text;
      if (typeof text === "number") td.className = "n";
      if (names[i] === "blamed" && text) td.title = "the slots were waited for the result of " + text;
      return td;
    };
    const show = () => {
      const word = search.value.toLowerCase(), wanted = reason.value, why = names.indexOf("top reason");
      let rows = all.filter(r => (!word || r.join(" ").toLowerCase().includes(word)) && (!wanted || r[why] === wanted));
      if (order) rows = [...rows].sort((a, b) =>
        order.sign * (typeof a[order.by] === "number" && typeof b[order.by] === "number" ? a[order.by] - b[order.by]
          : String(a[order.by]).localeCompare(String(b[order.by]))));
      body.replaceChildren(...rows.slice(0, limit).map(row => {
        const tr = document.createElement("tr");
        tr.append(...row.map(cell));
        return tr;
      }));
      count.textContent = `${Math.min(limit, rows.length)} of ${rows.length} instructions shown`;
      more.hidden = rows.length <= limit;
    };
    [...table.tHead.rows[0].cells].forEach((head, by) => {
      head.className = "sorts";
      head.onclick = () => { order = {by, sign: order && order.by === by ? -order.sign : typeof (all[0] || [])[by] === "number" ? -1 : 1}; show(); };
    });
    search.oninput = reason.oninput = show;
    more.onclick = () => { limit += 2000; show(); };
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
  listing();
  filterConfiguration();
  Promise.all([...document.querySelectorAll("figure.chart")].map(draw)).then(() => {
    document.documentElement.dataset.ready = Math.round(performance.now());
  });
})();
