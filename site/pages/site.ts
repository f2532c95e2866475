/**
 * The search of all pages.
 *
 * @module
 */
import { entriesOf, search, type SearchEntry, type SearchHit } from "./search.ts";

/** Most results that are shown. */
const MOST = 12;

const root = document.body.dataset["root"] ?? "";
const box = document.getElementById("search")!;
const query = document.getElementById("query") as HTMLInputElement;
const results = document.getElementById("results")!;
let entries: Promise<readonly SearchEntry[]> | undefined;

/** The index is fetched when somebody is about to search. */
function load(): Promise<readonly SearchEntry[]> {
  return entries ??= fetch(`${root}search.json`).then(async (answer) => entriesOf(await answer.json()));
}

async function show(): Promise<void> {
  const asked = query.value;
  const hits = search(await load(), asked, MOST);
  if (asked !== query.value) return;
  results.hidden = asked.trim() === "";
  results.replaceChildren(...hits.length > 0 ? hits.map(link) : [text("p", `Nothing has “${asked.trim()}” in it.`)]);
}

function link({ entry: { path, title, part }, excerpt }: SearchHit): HTMLAnchorElement {
  const made = document.createElement("a");
  made.href = root + path.replace(/(^|\/)index\.html/, "$1");
  made.append(text("b", part || title), text("small", part ? title : ""), text("span", excerpt));
  return made;
}

function text(tag: string, content: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = content;
  return made;
}

function close(): void {
  results.hidden = true;
}

query.addEventListener("focus", () => void load());
query.addEventListener("input", () => void show());
box.addEventListener("keydown", (event) => {
  const links = [query, ...results.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLInputElement);
  if (event.key === "Escape") {
    close();
    query.focus();
  } else if (event.key === "Enter" && at === 0) results.querySelector("a")?.click();
  else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)].focus();
  else if (event.key === "ArrowUp") links[Math.max(at - 1, 0)].focus();
  else return;
  event.preventDefault();
});
results.addEventListener("click", close);
document.addEventListener("pointerdown", ({ target }) => {
  if (!box.contains(target as Node)) close();
});
document.addEventListener("keydown", (event) => {
  const typing = (event.target as HTMLElement).closest("input, textarea");
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  query.focus();
});

/** A button that copies what one types: a page without scripts, or without a clipboard, has none. */
for (const block of navigator.clipboard ? document.querySelectorAll<HTMLElement>("main pre.source") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent ?? "").then(
      () => button.textContent = "Copied",
      () => button.textContent = "Not allowed",
    );
    setTimeout(() => button.textContent = "Copy", 2000);
  });
  const frame = document.createElement("div");
  frame.className = "code";
  block.replaceWith(frame);
  frame.append(block, button);
}
box.hidden = false;
