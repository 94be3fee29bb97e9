// Scripts show a program's move at once, play frames between positions, handle keys and clocks, and keep the focus.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 130, MAX_FRAMES = 80;
let source, run = 0, seen = {}, focused = "";

const main = () => document.querySelector("main[data-game]");
const reload = (part) => htmx.ajax("GET", location.pathname + location.search,
  part ? { target: part, select: part, swap: "outerHTML" } : { target: "body", swap: "innerHTML" });

// A waiting element names its stream of events. An element with an id is reloaded alone, until the work is done.
function listen() {
  source?.close();
  const waiting = document.querySelector("[data-events]");
  if (!waiting) return;
  source = new EventSource(waiting.dataset.events);
  source.addEventListener("changed", (event) => {
    source.close();
    reload(waiting.id && event.data !== "done" ? `#${waiting.id}` : "");
  });
}

async function play(page, since) {
  const mine = ++run, image = page.querySelector(".board img");
  if (still.matches || !image) return;
  const answer = await fetch(`/games/${page.dataset.game}/frames?since=${since}`);
  if (!answer.ok) return;
  const last = image.getAttribute("src");
  const frames = (await answer.json()).slice(-MAX_FRAMES).map((address) => Object.assign(new Image(), { src: address }));
  if (frames.length < 2) return;
  await Promise.allSettled(frames.map((frame) => frame.decode()));
  for (const frame of frames) {
    if (mine !== run) return;
    image.src = frame.src;
    await new Promise((done) => setTimeout(done, PACE));
  }
  if (mine === run) image.src = last;
}

function refocus() {
  if (document.activeElement !== document.body && document.activeElement?.id !== "status") return;
  const page = main();
  if (!page) return;
  const next = document.getElementById(focused) || page.querySelector(".board button, .words button") || page.querySelector("#status");
  next?.focus({ preventScroll: true });
}

function arrive(first) {
  const page = main();
  const game = page?.dataset.game, ply = Number(page?.dataset.ply);
  if (page && !first && game === seen.game && ply > seen.ply) play(page, seen.ply);
  else run++;
  seen = { game, ply };
  listen();
  page?.querySelector(".moves [aria-current]")?.scrollIntoView({ block: "nearest" });
  for (const each of document.querySelectorAll("[data-copy]")) each.hidden = !navigator.clipboard;
  if (!first) refocus();
}

function aside(key) {
  const here = document.activeElement, from = here.getBoundingClientRect();
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best, least = Infinity;
  for (const each of here.closest(".board, .words").querySelectorAll("button")) {
    const to = each.getBoundingClientRect();
    const x = to.x + to.width / 2 - from.x - from.width / 2, y = to.y + to.height / 2 - from.y - from.height / 2;
    const along = x * dx + y * dy, cost = along + 3 * Math.abs(x * dy + y * dx);
    if (each !== here && along > 1 && cost < least) [best, least] = [each, cost];
  }
  best?.focus();
}

document.addEventListener("focusin", (event) => { if (event.target.id?.startsWith("step-")) focused = event.target.id; });
document.addEventListener("click", (event) => {
  const from = document.getElementById(event.target.closest("[data-copy]")?.dataset.copy);
  if (from) navigator.clipboard.writeText(from.value);
});
document.addEventListener("wheel", (event) => {
  if (!event.target.closest(".through")) return;
  event.preventDefault();
  document.getElementById(event.deltaY < 0 ? "ply-back" : "ply-on").click();
}, { passive: false });
document.addEventListener("submit", () => source?.close());  // the answer to a form shows the change
document.addEventListener("htmx:after:settle", () => arrive(false));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key.startsWith("Arrow") && event.target.closest(".board button, .words button")) { event.preventDefault(); return aside(event.key); }
  const found = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (found) { event.preventDefault(); found.click(); }
});
setInterval(() => {
  const clock = document.querySelector("[data-left]");
  if (!clock) return;
  clock.end ??= Date.now() + 1000 * clock.dataset.left;
  const left = Math.max(0, Math.ceil((clock.end - Date.now()) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}, 200);
addEventListener("pageshow", () => arrive(true));
addEventListener("pagehide", () => source?.close());
