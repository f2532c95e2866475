/**
 * The pages of the model server: the models with what can be tried, and the API reference.
 *
 * @module
 */
import { byId, setText } from "../world-page/ui/dom.ts";
import { ChatView } from "./chat_view.ts";
import { CodeView } from "./code_view.ts";
import { showDocs } from "./docs_view.ts";
import { ModelsView } from "./models_view.ts";
import { embeddingPlayground, imagePlayground } from "./playgrounds.ts";

const alert = byId("error", HTMLElement);

/** Shows an error with its own message; undefined when it is over. */
function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error ?? "");
  setText(alert, /[.?!]$|^$/.test(text) ? text : `${text}.`);
}

/** Runs an action and shows its failure in place of an earlier one. */
async function attempt(work: () => Promise<void>): Promise<void> {
  fail(undefined);
  await work().catch((error) => (error as Error).name === "AbortError" || fail(error));
}

/** Switches between the panels by click and by arrow keys, as the tabs of the ARIA Authoring Practices do. */
function showTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  const choose = (chosen: HTMLElement): void => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", `${tab === chosen}`);
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")!, HTMLElement).hidden = tab !== chosen;
    }
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key];
      if (step === undefined) return;
      const next = tabs[(i + step) % tabs.length];
      choose(next);
      next.focus();
    });
  }
  choose(tabs[0]);
}

if (document.body.dataset["page"] === "docs") {
  await attempt(showDocs);
} else {
  showTabs();
  const models: ModelsView = new ModelsView(fail, () => chat.modelsChanged());
  // What a request loads shows at once.
  const parts = {
    code: new CodeView(),
    attempt: (work: () => Promise<void>) => attempt(work).finally(() => void models.refresh()),
  };
  const chat = new ChatView(parts, models);
  imagePlayground(parts);
  embeddingPlayground(parts);
  await models.refresh();
}
