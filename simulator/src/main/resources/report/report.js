// Draws the page from the JSON in it. All text is set as text, so names can contain anything.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const element = id => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const narrow = matchMedia("(max-width: 50rem)");
// Okabe and Ito: told apart by people with any colour vision; with a lighter black in the dark.
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#8a8f98"];
const charts = new Map();
let run = data.runs[0];

function theme(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function escaped(text) {
  return echarts.format.encodeHTML(String(text));
}

function duration(seconds) {
  const s = Math.round(seconds);
  if (Math.abs(s) < 60) return `${Math.abs(seconds) < 10 && seconds % 1 ? seconds.toFixed(1) : s} s`;
  const parts = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const first = parts.findIndex(([, size]) => s >= size);
  const large = Math.floor(s / parts[first][1]);
  const rest = s - large * parts[first][1];
  const small = first + 1 < parts.length ? Math.floor(rest / parts[first + 1][1]) : 0;
  return `${large} ${parts[first][0]}${small ? ` ${small} ${parts[first + 1][0]}` : ""}`;
}

// The clock of a run has steps that people count in, not powers of ten.
function tick(span) {
  const steps = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800, 2419200];
  return steps.find(step => span / step <= (narrow.matches ? 4 : 8)) ?? span / 6;
}

function number(value) {
  return value >= 100 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();
}

function unit(resource) {
  if (resource === "cpu") return "cores";
  return resource === "memory" || resource.endsWith("storage") ? "GiB" : resource;
}

// A queue, flavor or pool has one colour in all charts and variants.
const known = new Map();
function colourOf(name) {
  return COLOURS[(known.get(name) ?? 7) % COLOURS.length];
}

function learnColours() {
  const learn = names => [...new Set(names)].sort().forEach((name, index) => known.has(name) || known.set(name, index));
  const named = (each, kind) => Object.values(each[kind]).flat().map(group => group.name);
  learn(data.runs.flatMap(each => [...each.waits.map(queue => queue.name), ...named(each, "queues"), ...named(each, "depths")]));
  learn(data.runs.flatMap(each => [...named(each, "flavors"), ...named(each, "pools")]));
  learn(data.runs.map(each => each.name));
}

function timeAxis(max) {
  return {
    type: "value", min: 0, max, interval: tick(max),
    name: "time since the start", nameLocation: "middle", nameGap: 26,
    axisLabel: {formatter: duration, color: theme("--soft"), hideOverlap: true},
    nameTextStyle: {color: theme("--soft")},
    axisLine: {lineStyle: {color: theme("--line")}}, splitLine: {show: false},
    axisPointer: {label: {formatter: ({value}) => duration(value)}},
  };
}

function valueAxis(name, more = {}) {
  return {
    type: "value", name, nameTextStyle: {color: theme("--soft"), align: "left"}, min: 0,
    axisLabel: {color: theme("--soft")}, splitLine: {lineStyle: {color: theme("--line")}}, ...more,
  };
}

function base(series) {
  return {
    animation: false, color: COLOURS, textStyle: {fontFamily: "inherit"},
    legend: {type: "scroll", bottom: 0, textStyle: {color: theme("--text")}, pageTextStyle: {color: theme("--text")}, pageIconColor: theme("--strong"), data: series.map(s => s.name)},
    grid: {left: 8, right: 18, top: 30, bottom: 62, containLabel: true},
    tooltip: {trigger: "axis", confine: true, backgroundColor: theme("--card"), borderColor: theme("--line"), textStyle: {color: theme("--text")}},
    series,
  };
}

function draw(id, option) {
  const target = element(id);
  charts.get(id)?.dispose();
  charts.delete(id);
  target.replaceChildren();
  if (!option) {
    const note = document.createElement("div");
    note.className = "none";
    note.textContent = "Nothing to show: no data in this run.";
    target.append(note);
    target.style.height = "auto";
    return;
  }
  target.style.height = "";
  const chart = echarts.init(target, null, {renderer: "canvas"});
  option.aria = {enabled: true};
  chart.setOption(option);
  charts.set(id, chart);
}

function slider() {
  return {type: "slider", showDetail: false, brushSelect: false, borderColor: theme("--line"), fillerColor: "rgba(110, 140, 180, .25)",
    backgroundColor: "transparent", handleStyle: {color: theme("--card"), borderColor: theme("--soft")}, moveHandleStyle: {color: theme("--soft")}};
}

function zoom() {
  return [{type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, preventDefaultMouseMove: false}];
}

// A line for each group.
function lines(groups) {
  return groups.map((group, index) => ({
    name: group.name, type: "line", step: "end", symbol: "none", itemStyle: {color: colourOf(group.name)},
    lineStyle: {width: 2, type: dash(index)},
    data: group.values.map((value, i) => [run.times[i], value, value]),
  }));
}

function dash(index) {
  return ["solid", "dashed", "dotted"][Math.floor(index / COLOURS.length) % 3];
}

// Areas on top of each other. Charts stack only along named axes, so the sums are made here; the upper ones are drawn first.
function areas(groups) {
  const below = run.times.map(() => 0);
  return groups.map((group, index) => ({
    name: group.name, type: "line", step: "end", symbol: "none", z: groups.length - index, itemStyle: {color: colourOf(group.name)},
    lineStyle: {width: 0}, areaStyle: {opacity: 1},
    data: group.values.map((value, i) => [run.times[i], below[i] += value, value]),
  }));
}

function tip(format) {
  return points => {
    const rows = points.filter(point => point.value[2] > 0 || points.length < 4)
      .map(point => `${point.marker}${escaped(point.seriesName)} <b>${format(point.value[2])}</b>`);
    return [`at ${duration(points[0].value[0])}`, ...rows].join("<br>");
  };
}

function resources() {
  const names = new Set([...Object.keys(run.flavors), ...Object.keys(run.pools), ...Object.keys(run.capacities)]);
  // What is scarce in a batch cluster comes first; pods are counted only if nothing else is.
  const rank = name => name.includes("/") ? 0 : name === "cpu" ? 1 : name === "memory" ? 2 : name === "pods" ? 9 : 3;
  return [...names].filter(name => run.flavors[name] || run.pools[name])
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

function capacity(resource) {
  const pools = run.capacities[resource] ?? [];
  if (!pools.length) return [];
  const values = run.times.map((_, i) => pools.reduce((sum, pool) => sum + pool.values[i], 0));
  return [{
    name: "capacity of all nodes", type: "line", step: "end", symbol: "none", z: 50,
    lineStyle: {type: "dashed", width: 2, color: theme("--text")}, itemStyle: {color: theme("--text")},
    data: values.map((value, i) => [run.times[i], value, value]),
  }];
}

function usage() {
  const resource = element("resource").value;
  const group = element("group").value;
  const groups = run[group][resource] ?? [];
  const slice = run.elapsed / run.times.length;
  element("usage-note").textContent = group === "pools"
    ? `What the pods on nodes request, each point the mean of ${duration(slice)}.`
    : `Reserved quota, each point the mean of ${duration(slice)}.`;
  if (!groups.length) return draw("usage", null);
  const series = [...areas(groups), ...capacity(resource)];
  draw("usage", {
    ...base(series), xAxis: timeAxis(run.elapsed), yAxis: valueAxis(unit(resource)), dataZoom: zoom(),
    tooltip: {...base(series).tooltip, formatter: tip(value => `${number(value)} ${escaped(unit(resource))}`)},
  });
}

function depth() {
  const groups = run.depths.workloads ?? [];
  if (!groups.length) return draw("depth", null);
  const series = lines(groups);
  draw("depth", {
    ...base(series), xAxis: timeAxis(run.elapsed), yAxis: valueAxis("workloads", {minInterval: 1}), dataZoom: zoom(),
    tooltip: {...base(series).tooltip, formatter: tip(number)},
  });
}

// Quantiles of several queues together: each counts by its number of jobs.
function overall(queues) {
  const points = queues.flatMap(queue => queue.waits.map(wait => ({wait, weight: queue.jobs / queue.waits.length})));
  points.sort((one, other) => one.wait - other.wait);
  const total = points.reduce((sum, point) => sum + point.weight, 0);
  let seen = 0;
  return points.map(point => [point.wait, 100 * (seen += point.weight) / total]);
}

function waits() {
  const byVariant = element("waits-by").value === "variants";
  const groups = byVariant
    ? data.runs.map(each => ({name: each.name, colour: colourOf(each.name), points: overall(each.waits)}))
    : run.waits.slice(0, 16).map(queue => ({name: `${queue.name} (${queue.jobs})`, colour: colourOf(queue.name), points: queue.waits.map((wait, percent) => [wait, percent])}));
  const drawn = groups.filter(group => group.points.length);
  if (!drawn.length) return draw("waits", null);
  const max = Math.max(1, ...drawn.map(group => group.points.at(-1)[0]));
  const series = drawn.map((group, index) => ({
    name: group.name, type: "line", step: "end", symbol: "none", itemStyle: {color: group.colour},
    lineStyle: {width: 2, type: dash(index)},
    data: [[0, 0], ...group.points, [max, 100]],
  }));
  draw("waits", {
    ...base(series),
    xAxis: {...timeAxis(max), name: "wait from submission"},
    yAxis: valueAxis("% of the jobs", {max: 100}),
    tooltip: {...base(series).tooltip, formatter: points => [
      `within ${duration(points[0].axisValue)}`,
      ...points.map(point => `${point.marker}${escaped(point.seriesName)} <b>${number(point.value[1])} %</b>`)].join("<br>")},
  });
}

function fairness() {
  const resource = element("resource").value;
  const groups = run.queues[resource] ?? [];
  element("fair-note").textContent = `The part of the reserved ${resource ?? "quota"} that each ClusterQueue holds.`;
  const totals = run.times.map((_, i) => groups.reduce((sum, group) => sum + group.values[i], 0));
  if (!totals.some(total => total > 0)) return draw("fair", null);
  const shares = groups.map(group => ({name: group.name, values: group.values.map((value, i) => totals[i] ? 100 * value / totals[i] : 0)}));
  const series = areas(shares);
  draw("fair", {
    ...base(series), xAxis: timeAxis(run.elapsed), yAxis: valueAxis("% of what is reserved", {max: 100}), dataZoom: zoom(),
    tooltip: {...base(series).tooltip, formatter: tip(value => `${number(value)} %`)},
  });
}

function matches(job, words) {
  const text = `${job.name} ${job.queue} ${job.owner} ${job.state}`.toLowerCase();
  return words.every(word => text.includes(word));
}

function gantt() {
  const words = element("search").value.toLowerCase().split(/\s+/).filter(word => word);
  const byPool = element("rows").value === "pool";
  const jobs = run.jobs.filter(job => matches(job, words)).reverse();
  const groups = [...new Set(run.jobs.flatMap(job => byPool ? job.attempts.map(attempt => attempt[0]) : [job.queue]))].sort();
  const left = run.totalJobs - run.jobs.length;
  element("gantt-note").textContent =
    `${jobs.length} of ${run.totalJobs} jobs${left ? `; only the first ${run.jobs.length} submitted are drawn` : ""}. `
    + "A thin line is a job that waits, a bar one with pods on nodes. Zoom with the sliders, or Ctrl and the wheel.";
  if (!jobs.length) return draw("gantt", null);
  const group = (job, attempt) => byPool ? attempt[0] : job.queue;
  const bars = groups.map(name => ({
    name, type: "custom", renderItem: bar(0.7), itemStyle: {color: colourOf(name)}, encode: {x: [1, 2], y: 0},
    data: jobs.flatMap((job, row) => job.attempts.filter(attempt => group(job, attempt) === name)
      .map(attempt => ({value: [row, attempt[1], attempt[2]], job, pool: attempt[0]}))),
  }));
  const waiting = {
    name: "waits", type: "custom", renderItem: bar(0.18), itemStyle: {color: COLOURS[7]}, encode: {x: [1, 2], y: 0},
    data: jobs.flatMap((job, row) => waitsOf(job).map(([from, until]) => ({value: [row, from, until], job}))),
  };
  const series = [waiting, ...bars];
  const shown = Math.min(jobs.length, 40);
  draw("gantt", {
    ...base(series),
    grid: {left: 8, right: 40, top: 10, bottom: 96, containLabel: true},
    xAxis: timeAxis(run.elapsed),
    yAxis: {type: "category", data: jobs.map(job => job.name), axisTick: {show: false}, axisLine: {lineStyle: {color: theme("--line")}},
      axisLabel: {color: theme("--soft"), width: narrow.matches ? 80 : 190, overflow: "truncate"}},
    dataZoom: [
      {...slider(), yAxisIndex: 0, right: 6, width: 18, start: 100 * (1 - shown / jobs.length), end: 100},
      {...slider(), xAxisIndex: 0, bottom: 34, height: 18, filterMode: "none"},
      {type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false, preventDefaultMouseMove: false, filterMode: "none"},
    ],
    tooltip: {...base(series).tooltip, trigger: "item", formatter: ({data: {job, pool, value}}) => [
      `<b>${escaped(job.name)}</b>`, `queue ${escaped(job.queue)}${job.owner ? `, owner ${escaped(job.owner)}` : ""}, ${job.pods} pods, ${escaped(job.state)}`,
      `${pool ? `on ${escaped(pool)}` : "waits"} from ${duration(value[1])} for ${duration(value[2] - value[1])}`,
      ...(job.reason ? [escaped(job.reason)] : [])].join("<br>"), extraCssText: "max-width: 24rem; white-space: normal"},
  });
}

// Between its submission and its first attempt, and between its attempts.
function waitsOf(job) {
  const spans = [];
  let since = job.submitted;
  for (const [, from, until] of job.attempts) {
    if (from > since) spans.push([since, from]);
    since = Math.max(since, until);
  }
  if (!job.attempts.length) spans.push([since, run.elapsed]);
  return spans;
}

function bar(height) {
  return (params, api) => {
    const from = api.coord([api.value(1), api.value(0)]);
    const until = api.coord([api.value(2), api.value(0)]);
    const thick = Math.max(1, Math.min(18, api.size([0, 1])[1] * height));
    const shape = echarts.graphic.clipRectByRect(
      {x: from[0], y: from[1] - thick / 2, width: Math.max(1.5, until[0] - from[0]), height: thick},
      {x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height});
    return shape && {type: "rect", shape, style: {fill: api.visual("color")}};
  };
}

function choices(select, names) {
  const before = select.value;
  select.replaceChildren(...names.map(name => new Option(name, name)));
  if (names.includes(before)) select.value = before;
  select.hidden = !names.length;
}

function drawAll() {
  choices(element("resource"), resources());
  usage();
  depth();
  waits();
  fairness();
  gantt();
}

function paragraphs(target, sentences) {
  target.replaceChildren(...sentences.map(sentence => Object.assign(document.createElement("p"), {textContent: sentence})));
}

function differences() {
  element("differences").hidden = !data.differences.length;
  for (const {name, base: first, sentences} of data.differences) {
    const heading = Object.assign(document.createElement("h3"), {textContent: `${name}, compared with ${first}`});
    const list = document.createElement("ul");
    list.append(...sentences.map(sentence => Object.assign(document.createElement("li"), {textContent: sentence})));
    element("sentences").append(heading, list);
  }
}

function table({title, columns, rows, empty}) {
  const section = document.createElement("section");
  section.append(Object.assign(document.createElement("h2"), {textContent: title}));
  if (!rows.length) {
    section.append(Object.assign(document.createElement("p"), {textContent: empty, className: "soft"}));
    return section;
  }
  const scroll = Object.assign(document.createElement("div"), {className: "scroll", tabIndex: 0});
  const body = document.createElement("table");
  const head = body.createTHead().insertRow();
  head.append(...columns.map(column => Object.assign(document.createElement("th"), {textContent: column, scope: "col"})));
  const lines = body.createTBody();
  for (const cells of rows) {
    const row = lines.insertRow();
    for (const cell of cells) {
      const td = row.insertCell();
      td.textContent = cell;
      if (cell.length < 28) td.className = "short";
    }
  }
  scroll.append(body);
  section.append(scroll);
  return section;
}

document.title = data.title;
element("title").textContent = data.title;
paragraphs(element("lead"), data.lead);
differences();
element("chooser").hidden = data.runs.length < 2;
element("waits-by").hidden = data.runs.length < 2;
if (data.left) element("left").textContent = `${data.left} more variants are in the table only.`;
choices(element("variant"), data.runs.map(each => each.name));
element("tables").append(...data.tables.map(table));
if (run) {
  learnColours();
  drawAll();
  element("variant").addEventListener("change", event => {
    run = data.runs.find(each => each.name === event.target.value);
    drawAll();
  });
  element("resource").addEventListener("change", () => { usage(); fairness(); });
  element("group").addEventListener("change", usage);
  element("waits-by").addEventListener("change", waits);
  element("search").addEventListener("input", gantt);
  element("rows").addEventListener("change", gantt);
  dark.addEventListener("change", drawAll);
  narrow.addEventListener("change", drawAll);
  addEventListener("resize", () => charts.forEach(chart => chart.resize()));
}
document.body.dataset.ready = "true";
