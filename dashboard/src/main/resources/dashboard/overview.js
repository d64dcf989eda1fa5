// Shows the overview and refreshes it. Everything is set as text, so names can contain anything.
const EVERY_MILLIS = 2000;

function fill(table, rows, nothing) {
  const body = document.querySelector(`#${table} tbody`);
  const columns = document.querySelectorAll(`#${table} th`).length;
  body.replaceChildren(...(rows.length ? rows.map(row) : [empty(nothing, columns)]));
}

function row(cells) {
  const tr = document.createElement("tr");
  for (const cell of cells) tr.insertCell().textContent = cell;
  return tr;
}

function empty(text, columns) {
  const tr = row([text]);
  tr.firstChild.colSpan = columns;
  tr.firstChild.className = "empty";
  return tr;
}

function quotas(queue) {
  return queue.quotas.map(q => `${q.resource} ${q.used} / ${q.nominal} (${q.flavor})`).join(", ");
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

async function refresh() {
  const state = document.getElementById("state");
  try {
    const overview = await (await fetch("/api/overview")).json();
    fill("queues", overview.queues.map(q => [q.name, quotas(q), q.admitted, q.pending]), "No queue yet.");
    fill("workloads", overview.workloads.map(w => [`${w.namespace}/${w.name}`, w.queue, w.state, w.message]), "No workload yet.");
    state.textContent = `${counted(overview.queues.length, "queue")}, ${counted(overview.workloads.length, "workload")}`;
  } catch (unreachable) {
    state.textContent = "Sluice does not answer; trying again.";
  }
  setTimeout(refresh, EVERY_MILLIS);
}

refresh();
