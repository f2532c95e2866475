/**
 * Shows the last request as code.
 *
 * @module
 */
import { byId } from "../world-page/ui/dom.ts";
import { BASE, hasKey } from "./api.ts";
import { curlLine, type MadeRequest, openaiCode, sdkCode } from "./snippets.ts";

type Language = "curl" | "openai" | "sdk";

/** The panel of the last request. */
export class CodeView {
  #made: MadeRequest | undefined;
  #language: Language = "curl";

  constructor() {
    for (const choice of choices()) {
      choice.addEventListener("click", () => {
        this.#language = choice.dataset["code"] as Language;
        this.#show();
      });
    }
    const status = byId("code-status", HTMLElement);
    byId("code-copy", HTMLButtonElement).addEventListener("click", async () => {
      const text = byId("code-text", HTMLElement);
      const copied = await navigator.clipboard?.writeText(text.textContent ?? "").then(() => true, () => false);
      // Over plain HTTP from another machine a browser has no clipboard.
      if (!copied) getSelection()?.selectAllChildren(text);
      status.textContent = copied
        ? "Copied"
        : "The browser does not allow it: the text is selected, copy it by its menu";
    });
  }

  /** Shows another request. */
  show(made: MadeRequest): void {
    this.#made = made;
    this.#show();
  }

  #show(): void {
    if (this.#made === undefined) return;
    const at = { base: BASE, keyed: hasKey() };
    const sdk = sdkCode(this.#made);
    if (this.#language === "sdk" && sdk === undefined) this.#language = "curl";
    for (const choice of choices()) {
      choice.setAttribute("aria-pressed", `${choice.dataset["code"] === this.#language}`);
      if (choice.dataset["code"] === "sdk") choice.hidden = sdk === undefined;
    }
    const code = { curl: () => curlLine, openai: () => openaiCode, sdk: () => () => sdk ?? "" }[this.#language]();
    byId("code-text", HTMLElement).textContent = code(this.#made, at);
    byId("code-status", HTMLElement).textContent = "";
    byId("code", HTMLElement).hidden = false;
  }
}

function choices(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-code]")];
}
