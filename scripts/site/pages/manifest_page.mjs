/** The page with the live manifest editor. */
import { readFileSync } from "node:fs";
import { escapeHtml } from "./html.mjs";

const example = readFileSync(new URL("../../../site/manifest/example.json", import.meta.url), "utf8");

/** @returns {import("./layout.mjs").Page} */
export function manifestPage() {
  return {
    path: "manifest/index.html",
    title: "Manifest editor",
    description: "Checks a provider manifest as you type, in this browser, with every finding's line and column.",
    kind: "wide",
    scripts: ["manifest/editor.js"],
    body: `<h1>Manifest editor</h1>
<p class="lead">The validator of <a href="../api/manifest.html"><code>@svc/sdk/manifest</code></a>, in this browser:
what you write stays here. <a href="../guides/manifest.html">Every rule</a>.</p>
<noscript><p class="note">Without scripts there is no editor. On a command line,
<code>svc manifest validate FILE --lint</code> says the same.</p></noscript>
<div id="editor" hidden>
<div class="editor">
<div class="tools">
<label class="check"><input type="checkbox" id="lint"> Linter, too</label>
<button type="button" id="open">Open a file</button>
<input type="file" id="file" accept=".json,application/json" aria-label="Manifest file" hidden>
</div>
<div class="sheet">
<div id="lines" aria-hidden="true"></div>
<textarea id="manifest" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label="Manifest"
 aria-describedby="keys" aria-controls="suggestions" aria-autocomplete="list">${escapeHtml(example)}</textarea>
<ul id="suggestions" role="listbox" aria-label="Suggestions" hidden></ul>
</div>
<p id="keys" class="hint">Suggestions come as you type a word, or on <kbd>Ctrl</kbd> <kbd>Space</kbd>; arrow keys and
<kbd>Enter</kbd> choose, <kbd>Esc</kbd> closes.</p>
</div>
<section class="report" aria-label="Findings">
<p id="verdict" role="status"></p>
<ol id="findings"></ol>
</section>
</div>`,
  };
}
