// deno-fmt-ignore-file
// Written by scripts/generate_page.mjs from the other files of this folder; do not edit.

/** The document. */
export const pageHtml: string = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>A world to walk in</title>
    <link rel="icon" href="page.svg" type="image/svg+xml">
    <link rel="stylesheet" href="page.css">
    <script type="module" src="page.js"></script>
  </head>
  <body>
    <noscript>
      <p><strong>This page needs scripts, and they are turned off in this browser.</strong> Turn them on and load it
      again, or walk from a terminal: <code>svc world walk --help</code>.</p>
    </noscript>
    <header>
      <h1>A world to walk in</h1>
      <p id="model"></p>
      <p id="connection" role="status">Connecting</p>
    </header>

    <main>
      <section id="world" class="world" aria-label="The world">
        <div id="room">
          <div id="stage">
            <video id="video" muted playsinline disablepictureinpicture aria-label="Camera view"></video>
            <img id="still" alt="Camera view" hidden>
            <canvas id="smooth" role="img" aria-label="Camera view" hidden></canvas>
            <div id="welcome" hidden>
              <p id="welcome-text">A world starts from a single picture. Drop, paste or choose one.</p>
              <div class="choices">
                <button type="button" id="walk-in" class="primary" hidden>Walk</button>
                <button type="button" id="welcome-choose">Choose a picture</button>
              </div>
            </div>
            <div id="tools" role="group" aria-label="Picture">
              <button type="button" id="smooth-on" aria-pressed="true"
                aria-label="Smooth picture"
                title="Smooth picture"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 17C9 17 11 3 17 3" /><path class="steps" d="M3 17h4v-5h4V8h3V3h3" /></svg></button>
              <button type="button" id="stats-on" aria-pressed="false" aria-label="Show latency and frame rate"
                title="Latency and frame rate"
                aria-controls="stats"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 16V9M8 16V4M13 16v-5M18 16V7" /></svg></button>
              <button type="button" id="full" aria-pressed="false" aria-label="Full screen" title="Full screen (F)"
                aria-keyshortcuts="F"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" /></svg></button>
            </div>
            <p id="stats" hidden></p>
            <div id="job">
              <progress id="progress" max="1" value="0" aria-labelledby="job-text"></progress>
              <span id="job-text">No move is running</span>
            </div>
            <p id="drop-hint" aria-hidden="true">Drop the picture to start a world</p>
          </div>
        </div>

        <div class="news">
          <p id="message" role="status"></p>
          <p id="error" role="alert"></p>
        </div>

        <!-- scripts/generate_moves.ts writes the buttons with data-move. -->
        <div class="controls" role="group" aria-label="Moves">
          <div id="stick-move" class="stick" aria-hidden="true"><span></span></div>
          <div class="pad" data-pad="move">
            <button type="button" data-move="forward" aria-keyshortcuts="W"
              class="up"><kbd>W</kbd><span>Forward</span></button>
            <button type="button" data-move="strafeLeft" aria-keyshortcuts="A"
              class="left"><kbd>A</kbd><span>Left</span></button>
            <button type="button" data-move="backward" aria-keyshortcuts="S"
              class="down"><kbd>S</kbd><span>Backward</span></button>
            <button type="button" data-move="strafeRight" aria-keyshortcuts="D"
              class="right"><kbd>D</kbd><span>Right</span></button>
          </div>
          <div class="middle">
            <button type="button" id="back" aria-keyshortcuts="Backspace"><kbd>⌫</kbd><span>Walk back</span></button>
            <button type="button" data-move="hold"
              aria-keyshortcuts="Space"><kbd>Space</kbd><span>Hold still</span></button>
            <button type="button" id="cancel" aria-keyshortcuts="Escape"><kbd>Esc</kbd><span>Stop</span></button>
          </div>
          <div class="pad" data-pad="look">
            <button type="button" data-move="lookUp" aria-keyshortcuts="I"
              class="up"><kbd>I</kbd><span>Look up</span></button>
            <button type="button" data-move="yawLeft" aria-keyshortcuts="J"
              class="left"><kbd>J</kbd><span>Turn left</span></button>
            <button type="button" data-move="lookDown" aria-keyshortcuts="K"
              class="down"><kbd>K</kbd><span>Look down</span></button>
            <button type="button" data-move="yawRight" aria-keyshortcuts="L"
              class="right"><kbd>L</kbd><span>Turn right</span></button>
          </div>
          <div id="stick-look" class="stick" aria-hidden="true"><span></span></div>
        </div>
      </section>

      <div class="panels">
        <section aria-labelledby="places-title">
          <h2 id="places-title">Places to start</h2>
          <ul id="places">
            <li><button type="button" id="choose" class="place"><span>Your own picture</span></button></li>
          </ul>
          <form id="describe" class="describe">
            <label for="place">Describe a place</label>
            <input id="place" type="text" maxlength="4096" required autocomplete="off" aria-describedby="place-hint"
              placeholder="a yellow corridor with purple doors, bright">
            <button type="submit" id="describe-go">Go there</button>
            <p id="place-hint" class="hint">Makes a picture of it and begins a new world there.</p>
          </form>
        </section>

        <section aria-labelledby="plan-title">
          <div class="heading">
            <h2 id="plan-title">Map</h2>
            <div class="tight" role="group" aria-label="Zoom of the map">
              <button type="button" id="plan-out" class="quiet" aria-label="Zoom out">−</button>
              <button type="button" id="plan-in" class="quiet" aria-label="Zoom in">+</button>
              <button type="button" id="plan-fit" class="quiet" aria-pressed="true">Fit</button>
            </div>
          </div>
          <div id="plan"></div>
        </section>

        <section aria-labelledby="path-title">
          <h2 id="path-title">Path</h2>
          <div id="graph" tabindex="-1"></div>
          <ul class="legend">
            <li><svg viewBox="0 0 20 20" aria-hidden="true"><circle class="ring" cx="10" cy="10" r="9" /><circle class="here" cx="10" cy="10" r="5" /></svg>You are here</li>
            <li><svg viewBox="0 0 20 20" aria-hidden="true"><circle class="kept" cx="10" cy="10" r="6" /></svg>Can be returned to</li>
            <li><svg viewBox="0 0 20 20" aria-hidden="true"><path class="gone" d="M10 3l7 7-7 7-7-7z" /></svg>Cannot be returned to</li>
            <li
              id="saved-legend"><svg viewBox="0 0 20 20" aria-hidden="true"><rect class="saved-mark" x="3" y="3" width="14" height="14" rx="3" /></svg>Saved</li>
          </ul>
          <details>
            <summary>As a list</summary>
            <ol id="states"></ol>
          </details>
          <div class="choices">
            <button type="button" id="save-walk" disabled>Save this walk</button>
            <button type="button" id="copy-walk" disabled>Copy as command</button>
          </div>
        </section>

        <section id="saved-panel" aria-labelledby="saved-title">
          <h2 id="saved-title">Saved places <span id="saved-count"></span></h2>
          <form id="saved-form">
            <label for="saved-name">Name of this place</label>
            <div class="row">
              <input id="saved-name" maxlength="200" autocomplete="off">
              <button type="submit">Save</button>
            </div>
          </form>
          <ul id="saved"></ul>
        </section>

        <section id="worlds-panel" aria-labelledby="worlds-title" hidden>
          <h2 id="worlds-title">Worlds <span id="worlds-count"></span></h2>
          <ul id="worlds"></ul>
          <form id="worlds-form">
            <label for="world-name">Name of another world</label>
            <div class="row">
              <input id="world-name" maxlength="200" autocomplete="off" placeholder="without a name">
              <button type="submit">Open</button>
            </div>
          </form>
          <label for="world-link">Link to this world</label>
          <textarea id="world-link" rows="2" readonly spellcheck="false"></textarea>
          <div class="choices"><button type="button" data-copy="world-link">Copy the link</button></div>
        </section>

        <section aria-labelledby="readouts-title">
          <h2 id="readouts-title">Details</h2>
          <dl id="readouts"></dl>
        </section>

        <section aria-labelledby="more-title">
          <details>
            <summary id="more-title">More</summary>
            <div class="more">
              <label for="prompt">Description of this world</label>
              <textarea id="prompt" rows="3" aria-describedby="prompt-hint"></textarea>
              <p id="prompt-hint"
                class="hint">Goes with every move and should say what is seen; it begins no new world.</p>
              <fieldset data-only="actionworld">
                <legend>Size of a move</legend>
                <div class="numbers two">
                  <div><label for="distance">Distance</label><input id="distance" type="number" step="any" value="1"></div>
                  <div><label for="angle">Angle in degrees</label><input id="angle" type="number" step="any" value="15"></div>
                </div>
              </fieldset>
              <form id="custom-form" novalidate>
                <fieldset>
                  <legend>Custom move</legend>
                  <p class="hint"
                    data-only="arworld">This world moves at a fixed pace: only the signs of the numbers matter.</p>
                  <p class="hint"
                    data-only="actionworld">Distances, and angles in degrees; negative values reverse the direction.</p>
                  <div class="numbers">
                    <div><label for="custom-x">Right</label><input id="custom-x" type="number" step="any"></div>
                    <div
                      data-only="actionworld"><label for="custom-y">Down</label><input id="custom-y" type="number" step="any"></div>
                    <div><label for="custom-z">Forward</label><input id="custom-z" type="number" step="any"></div>
                    <div><label for="custom-rx">Look up</label><input id="custom-rx" type="number" step="any"></div>
                    <div><label for="custom-ry">Turn right</label><input id="custom-ry" type="number" step="any"></div>
                    <div
                      data-only="actionworld"><label for="custom-rz">Roll right</label><input id="custom-rz" type="number" step="any"></div>
                  </div>
                  <button type="submit">Make this move</button>
                </fieldset>
              </form>
              <fieldset>
                <legend>Generation</legend>
                <p class="hint">Leave a field empty to use the server's default.</p>
                <div class="numbers">
                  <div><label for="seed">Seed</label><input id="seed" inputmode="numeric" pattern="[0-9]*" autocomplete="off"></div>
                  <div
                    data-only="actionworld"><label for="steps">Steps</label><input id="steps" type="number" min="1" step="1"></div>
                  <div
                    data-only="actionworld"><label for="guidance">Guidance</label><input id="guidance" type="number" min="0" step="any"></div>
                </div>
              </fieldset>
              <label class="check"><input type="checkbox" id="keys-on" checked> Walk with the keyboard</label>
              <div class="choices">
                <button type="button" id="prepare">Load the model</button>
                <button type="button" id="reset">Start over</button>
                <button type="button" id="unload">Unload</button>
              </div>
              <input type="file" id="file" accept="image/*" aria-label="Picture to start a world from" hidden>
            </div>
          </details>
        </section>
      </div>
    </main>

    <dialog id="key-dialog" aria-labelledby="key-title">
      <form id="key-form" method="dialog">
        <h2 id="key-title">This server requires a key</h2>
        <p id="key-error" role="alert"></p>
        <input type="text" value="svc" autocomplete="username" aria-label="Server" hidden>
        <label for="key">Key</label>
        <input id="key" type="password" autocomplete="current-password" required>
        <p class="hint">Kept until you close this tab.</p>
        <div class="choices"><button type="submit" class="primary">Open the world</button></div>
      </form>
    </dialog>

    <dialog id="repeat" class="wide" aria-labelledby="repeat-title">
      <form method="dialog">
        <h2 id="repeat-title">Make this walk again</h2>
        <p id="repeat-note" class="hint"></p>
        <div id="repeat-line">
          <label id="repeat-command-label" for="repeat-command">In a terminal</label>
          <textarea id="repeat-command" rows="6" readonly spellcheck="false"></textarea>
          <div
            class="choices"><button type="button" data-copy="repeat-command" aria-describedby="repeat-command-label">Copy</button></div>
        </div>
        <div id="repeat-program">
          <label id="repeat-code-label" for="repeat-code">In TypeScript</label>
          <textarea id="repeat-code" rows="9" readonly spellcheck="false"></textarea>
          <div
            class="choices"><button type="button" data-copy="repeat-code" aria-describedby="repeat-code-label">Copy</button></div>
        </div>
        <div class="choices"><button type="submit" class="primary">Close</button></div>
      </form>
    </dialog>

    <dialog id="confirm" aria-labelledby="confirm-text">
      <form method="dialog">
        <p id="confirm-text"></p>
        <div class="choices">
          <button type="submit" value="no">Cancel</button>
          <button type="submit" value="yes" id="confirm-yes" class="primary"></button>
        </div>
      </form>
    </dialog>
  </body>
</html>
`;

/** Its style sheet. */
export const pageStyle: string = `:root {
  color-scheme: light dark;
  --ground: #faf8f4;
  --panel: #ffffff;
  --raised: #f1ede5;
  --line: #ddd7cb;
  --edge: #8b8578;
  --text: #1d1f23;
  --muted: #5a5f68;
  --accent: #8a4d08;
  --on-accent: #ffffff;
  --good: #1c6b3f;
  --bad: #a8281a;
  --warn: #7a5500;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1115;
    --panel: #171a20;
    --raised: #222730;
    --line: #343b47;
    --edge: #6f7886;
    --text: #eceae6;
    --muted: #a9afba;
    --accent: #f2b155;
    --on-accent: #1c1306;
    --good: #7fd1a0;
    --bad: #ff9d8f;
    --warn: #e8c35e;
  }
}

* {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

body {
  margin: 0 auto;
  max-width: 1840px;
  padding: 0 20px 20px;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif;
}

h1,
h2,
p,
ul,
ol,
dl,
dd {
  margin: 0;
  padding: 0;
}

h1 {
  font-size: 17px;
  font-weight: 600;
}

h2 {
  font-size: 14px;
  font-weight: 600;
}

.hint,
#model {
  color: var(--muted);
}

header {
  display: flex;
  align-items: baseline;
  gap: 4px 14px;
  flex-wrap: wrap;
  padding: 14px 2px 12px;
}

#connection {
  margin-left: auto;
  color: var(--muted);
  font-size: 13px;
}

#connection::before {
  content: "";
  display: inline-block;
  width: 8px;
  height: 8px;
  margin-right: 8px;
  border: 2px solid var(--muted);
  border-radius: 50%;
}

#connection[data-is="open"]::before,
#connection[data-is="polling"]::before {
  border-color: var(--good);
  background: var(--good);
}

#connection[data-is="lost"],
#connection[data-is="ended"] {
  color: var(--bad);
}

#connection[data-is="lost"]::before,
#connection[data-is="ended"]::before {
  border-color: var(--bad);
}

main {
  display: grid;
  grid-template-columns: minmax(0, 1fr) 360px;
  gap: 20px;
  align-items: start;
}

button,
input,
textarea {
  font: inherit;
  color: inherit;
}

button {
  min-height: 44px;
  padding: 8px 16px;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--raised);
  cursor: pointer;
  touch-action: manipulation;
  user-select: none;
  -webkit-user-select: none;
}

@media (hover: hover) {
  button:hover {
    border-color: var(--accent);
  }
}

button:active {
  background: var(--line);
}

button:disabled {
  color: var(--muted);
  border-color: var(--line);
  cursor: default;
}

button.primary {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
}

button.quiet {
  min-width: 44px;
  padding: 8px;
  border-color: transparent;
  background: none;
  color: var(--muted);
}

a {
  color: var(--accent);
}

:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

noscript {
  display: block;
  margin-top: 20px;
  padding: 14px 16px;
  border: 1px solid var(--bad);
  border-radius: 14px;
  background: var(--panel);
}

/* Nothing of it does anything then. */
@media (scripting: none) {
  main,
  #connection {
    display: none;
  }
}

label {
  font-size: 14px;
  color: var(--muted);
}

input:not([type="checkbox"]),
textarea {
  width: 100%;
  min-height: 44px;
  padding: 9px 12px;
  border: 1px solid var(--edge);
  border-radius: 10px;
  background: var(--ground);
  resize: vertical;
}

::placeholder {
  color: var(--muted);
  opacity: 1;
}

.row {
  display: flex;
  gap: 8px;
}

#saved-form,
.more,
fieldset {
  display: grid;
  gap: 8px;
}

fieldset {
  min-width: 0;
  margin: 6px 0 0;
  padding: 10px 0 0;
  border: 0;
  border-top: 1px solid var(--line);
}

legend {
  float: left;
  padding: 0;
  font-size: 14px;
  font-weight: 600;
}

fieldset .hint {
  font-size: 13px;
}

.numbers {
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 8px;
}

.numbers.two {
  grid-template-columns: repeat(2, minmax(0, 1fr));
}

.check {
  min-height: 44px;
  display: flex;
  align-items: center;
  gap: 10px;
  color: var(--text);
}

.check input {
  width: 20px;
  height: 20px;
  accent-color: var(--accent);
}

.choices {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
}

.describe {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 8px;
}

.describe label,
.describe .hint {
  grid-column: 1 / -1;
}

.describe .hint,
.more > .hint {
  font-size: 13px;
}

dialog {
  width: min(420px, calc(100vw - 32px));
  padding: 22px;
  border: 1px solid var(--line);
  border-radius: 16px;
  background: var(--panel);
  color: var(--text);
}

dialog.wide {
  width: min(680px, calc(100vw - 32px));
}

.wide textarea {
  font: 13px/1.5 var(--mono);
}

dialog::backdrop {
  background: rgb(8 9 12 / 60%);
}

dialog form {
  display: grid;
  gap: 12px;
}

dialog .choices {
  justify-content: flex-end;
}

#key-error {
  color: var(--bad);
}

/* The picture is as large as the window allows with the controls below it, and stays in sight beside long panels. */
.world {
  position: sticky;
  top: 12px;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
  justify-items: center;
  container-type: inline-size;
}

/* The room that the picture may take; its script fits the stage into it. */
#room {
  width: 100%;
  max-height: max(160px, 100vh - 226px);
  display: grid;
  justify-content: center;
}

#stage {
  position: relative;
  width: 100%;
  aspect-ratio: 1.5;
  overflow: hidden;
  border-radius: 16px;
  background: #000;
  box-shadow: 0 12px 40px rgb(0 0 0 / 25%);
}

#video,
#still,
#smooth {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  object-fit: cover;
}

/* The smooth picture is only seen: clicks go to what it shows. */
#smooth {
  pointer-events: none;
}

.sharp #video,
.sharp #still.frame {
  image-rendering: pixelated;
}

#welcome {
  position: absolute;
  inset: auto 0 0;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 8px 16px;
  padding: 12px 16px;
  text-align: center;
  background: rgb(15 17 21 / 82%);
  color: #eceae6;
}

#tools {
  position: absolute;
  top: 8px;
  right: 8px;
  display: flex;
  gap: 4px;
}

#tools button {
  width: 44px;
  padding: 0;
  display: grid;
  place-content: center;
  border-color: transparent;
  background: rgb(15 17 21 / 62%);
  color: #eceae6;
}

#tools svg {
  width: 20px;
  height: 20px;
  fill: none;
  stroke: currentcolor;
  stroke-width: 2;
}

#smooth-on[aria-pressed="true"] .steps,
#smooth-on[aria-pressed="false"] path:not(.steps) {
  display: none;
}

#tools button[aria-pressed="true"] {
  color: #f2b155;
}

#stats {
  position: absolute;
  top: 8px;
  left: 8px;
  padding: 4px 10px;
  border-radius: 10px;
  background: rgb(15 17 21 / 78%);
  color: #eceae6;
  font-size: 13px;
  font-variant-numeric: tabular-nums;
  white-space: pre-line;
}

#drop-hint {
  position: absolute;
  inset: 0;
  display: none;
  place-content: center;
  padding: 24px;
  border: 3px dashed #f2b155;
  border-radius: 16px;
  background: rgb(15 17 21 / 85%);
  color: #fff;
  font-size: 18px;
  text-align: center;
}

.dropping #drop-hint {
  display: grid;
}

.news {
  width: 100%;
  min-height: 24px;
  display: flex;
  align-items: baseline;
  justify-content: center;
  flex-wrap: wrap;
}

#error {
  color: var(--bad);
  overflow-wrap: anywhere;
}

#error:not(:empty)::before {
  content: "⚠ ";
}

#job {
  position: absolute;
  left: 12px;
  bottom: 12px;
  display: flex;
  gap: 10px;
  align-items: center;
  padding: 4px 12px;
  border-radius: 14px;
  background: rgb(15 17 21 / 78%);
  color: #eceae6;
  font-size: 13px;
  font-variant-numeric: tabular-nums;
  visibility: hidden;
}

#job.busy {
  visibility: visible;
}

progress {
  width: 96px;
  height: 6px;
  appearance: none;
  border: 0;
  border-radius: 3px;
  background: var(--line);
  overflow: hidden;
}

progress::-webkit-progress-bar {
  background: var(--line);
}

progress::-webkit-progress-value {
  background: var(--accent);
}

progress::-moz-progress-bar {
  background: var(--accent);
}

#welcome button:not(.primary) {
  border-color: #4a4438;
  background: #262119;
  color: #eceae6;
}

#welcome .choices {
  justify-content: center;
}

.controls {
  display: flex;
  gap: 32px;
  align-items: center;
  justify-content: center;
}

.pad {
  display: grid;
  grid-template-areas: ". up ." "left down right";
  grid-template-columns: repeat(3, 76px);
  gap: 6px;
}

.up {
  grid-area: up;
}

.left {
  grid-area: left;
}

.down {
  grid-area: down;
}

.right {
  grid-area: right;
}

.pad button,
.middle button {
  min-height: 52px;
  padding: 4px 2px;
  display: grid;
  align-content: center;
  justify-items: center;
  font-size: 12px;
  line-height: 1.25;
}

.controls span {
  color: var(--muted);
}

.controls kbd {
  font: inherit;
  font-size: 15px;
  font-weight: 600;
}

.middle {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
}

.middle button {
  width: 76px;
}

/* Beside the panels of a small window, the middle goes below. */
@container (max-width: 790px) {
  #room {
    max-height: max(160px, 100vh - 290px);
  }

  .controls {
    width: 100%;
    gap: 12px 24px;
    flex-wrap: wrap;
    justify-content: space-around;
  }

  .pad {
    grid-template-columns: repeat(3, minmax(44px, 76px));
    flex: 0 1 240px;
    min-width: 0;
  }

  .middle {
    order: 3;
    width: 100%;
    justify-content: center;
  }
}

.stick {
  display: none;
  position: relative;
  width: 132px;
  height: 132px;
  border: 2px solid rgb(236 234 230 / 45%);
  border-radius: 50%;
  background: rgb(15 17 21 / 45%);
  touch-action: none;
}

.stick span {
  position: absolute;
  inset: 38px;
  border-radius: 50%;
  background: rgb(236 234 230 / 80%);
}

/* Full screen: the picture fills the window, the keys lie over it. */
.world.full {
  position: fixed;
  z-index: 1;
  inset: 0;
  display: grid;
  grid-template: 100% / 100%;
  background: #000;
}

.full #room {
  height: 100%;
  max-height: none;
  align-content: center;
}

.full #stage {
  border-radius: 0;
  box-shadow: none;
}

.full .news {
  position: absolute;
  top: 8px;
  left: 156px;
  right: 156px;
  width: auto;
}

.full .news p:not(:empty) {
  padding: 4px 12px;
  border-radius: 10px;
  background: rgb(15 17 21 / 82%);
  color: #eceae6;
}

.full .controls {
  position: absolute;
  width: auto;
  inset: auto 16px 16px;
  align-items: end;
  justify-content: space-between;
}

/* At the edges of the screen, wherever the picture ends; the readout leaves the middle to the messages. */
.full #tools,
.full #stats,
.full #welcome,
.full #job {
  position: fixed;
}

.full #stats {
  top: 60px;
  right: 8px;
  left: auto;
}

.full #welcome,
.full #job {
  bottom: 150px;
}

.full .controls button {
  border-color: rgb(236 234 230 / 30%);
  background: rgb(15 17 21 / 62%);
}

.full .controls button:not(:disabled) {
  color: #eceae6;
}

.full .controls button:disabled {
  color: #a9afba;
}

.full .controls button span {
  color: inherit;
}

@media (pointer: coarse) {
  .full .pad {
    display: none;
  }

  .full .stick {
    display: block;
  }
}

.panels {
  display: grid;
  gap: 14px;
  min-width: 0;
}

.panels > section {
  min-width: 0;
  padding: 14px 16px;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--panel);
  display: grid;
  gap: 10px;
}

/* Pictures of places, to be clicked. */
#places {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(96px, 1fr));
  gap: 8px;
  list-style: none;
}

.place {
  display: grid;
  place-content: center;
  width: 100%;
  aspect-ratio: 1.5;
  padding: 0;
  overflow: hidden;
}

.place img {
  display: block;
  width: 100%;
  height: 100%;
  object-fit: cover;
}

.place span {
  padding: 0 6px;
  color: var(--muted);
  font-size: 13px;
  line-height: 1.25;
}

@media (hover: hover) {
  .place:hover {
    box-shadow: 0 0 0 1px var(--accent);
  }
}

#saved {
  display: grid;
  gap: 8px;
  list-style: none;
}

.saved-item {
  display: grid;
  grid-template-columns: 66px minmax(0, 1fr) auto auto;
  gap: 8px;
  align-items: center;
}

.saved-item button {
  padding: 8px 12px;
}

.saved-item img {
  width: 66px;
  height: 44px;
  object-fit: cover;
  border-radius: 8px;
}

.saved-item div {
  display: grid;
}

.saved-item strong {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font-weight: 600;
}

.saved-item .hint {
  font-size: 13px;
}

#worlds {
  display: grid;
  list-style: none;
}

#worlds li {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 8px;
  align-items: center;
}

#worlds a {
  padding: 10px 0;
  min-height: 44px;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

#worlds a[aria-current] {
  font-weight: 600;
}

#world-link {
  overflow-wrap: anywhere;
}

#worlds-count,
#saved-count {
  color: var(--muted);
  font-weight: 400;
}

#readouts {
  display: grid;
  gap: 5px;
  font-size: 14px;
}

#readouts div {
  display: grid;
  grid-template-columns: 84px minmax(0, 1fr);
  gap: 10px;
}

dt {
  color: var(--muted);
}

dd {
  font-variant-numeric: tabular-nums;
}

.heading {
  display: flex;
  align-items: center;
  justify-content: space-between;
}

.tight {
  display: flex;
  margin: -8px -8px -8px 0;
}

.tight button[aria-pressed="true"] {
  color: var(--accent);
}

#plan {
  height: 240px;
  overflow: hidden;
  border-radius: 10px;
  background: var(--ground);
  touch-action: pan-y;
  cursor: grab;
}

#plan svg {
  display: block;
  user-select: none;
  -webkit-user-select: none;
}

#plan:empty::before {
  content: "The way you walk appears here";
  display: grid;
  height: 100%;
  place-content: center;
  color: var(--muted);
}

.wedge {
  fill: var(--accent);
  fill-opacity: 0.22;
}

.tick {
  stroke: var(--accent);
  stroke-width: 2;
}

.left .tick,
.left .kept {
  stroke: var(--edge);
}

#plan .area {
  stroke: none;
  pointer-events: all;
}

#plan line.area {
  stroke: transparent;
}

/* What lies in the same place as the current state can be clicked. */
#plan .here * {
  pointer-events: none;
}

#plan .state:focus-visible .focus {
  stroke: var(--text);
  stroke-width: 2;
}

#plan .saved-mark {
  fill: var(--accent);
  stroke: var(--panel);
}

/* Nothing leads back to it: a bead of the line. */
#plan .gone {
  fill: var(--accent);
  stroke: none;
}

#plan .left .gone {
  fill: var(--edge);
}

.pin-name {
  unicode-bidi: plaintext;
  paint-order: stroke;
  stroke: var(--ground);
  stroke-width: 4;
  stroke-linejoin: round;
}

#plan .here text {
  fill: var(--text);
}

#graph {
  max-height: 190px;
  overflow: auto;
  border-radius: 10px;
}

#graph svg {
  display: block;
}

.edge {
  fill: none;
  stroke: var(--edge);
  stroke-width: 2;
  stroke-dasharray: 4 4;
}

.edge.active {
  stroke: var(--accent);
  stroke-width: 3;
  stroke-dasharray: none;
}

.area {
  fill: none;
  pointer-events: all;
}

#graph:empty::before {
  content: "No states yet";
  color: var(--muted);
}

.state {
  outline: none;
}

.state[role="button"] {
  cursor: pointer;
}

.state:focus-visible .area {
  stroke: var(--text);
  stroke-width: 2;
}

.state text {
  fill: var(--text);
  font-size: 12px;
  font-weight: 600;
}

.kept,
.saved-mark,
.gone {
  fill: var(--raised);
  stroke: var(--accent);
  stroke-width: 2;
}

.gone {
  stroke: var(--edge);
}

.ring {
  fill: none;
  stroke: var(--accent);
  stroke-width: 2;
}

.here .kept,
.here .saved-mark,
.here .gone,
circle.here {
  fill: var(--accent);
}

.here text {
  fill: var(--on-accent);
}

.legend {
  display: grid;
  grid-template-columns: auto auto;
  justify-content: start;
  gap: 2px 10px;
  list-style: none;
  color: var(--muted);
  font-size: 13px;
}

.legend li {
  display: flex;
  gap: 8px;
}

.legend svg {
  flex: none;
  width: 16px;
  height: 16px;
  margin-top: 1px;
}

summary {
  min-height: 32px;
  display: flex;
  align-items: center;
  cursor: pointer;
  font-size: 14px;
  border-radius: 8px;
}

summary::before {
  content: "▸";
  width: 18px;
  color: var(--muted);
}

[open] > summary::before {
  content: "▾";
}

#states {
  display: grid;
  gap: 4px;
  list-style: none;
  max-height: 240px;
  overflow: auto;
  font-size: 14px;
}

#states button {
  white-space: nowrap;
}

#states li {
  min-height: 44px;
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 10px;
}

@media (max-width: 900px) {
  body {
    padding: 0 12px 16px;
  }

  main {
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
  }

  .world {
    position: static;
  }

  #room {
    max-height: max(min(76vh, 260px), 100vh - 290px);
  }

  #stage {
    border-radius: 12px;
  }

  .full #room {
    max-height: none;
  }

  .full #stage {
    border-radius: 0;
  }

  #welcome {
    padding: 8px;
  }

  #welcome:has(#walk-in:not([hidden])) p {
    display: none;
  }

  .full .controls {
    width: auto;
  }

  .full .news {
    left: 8px;
  }

  #model {
    display: none;
  }

  .controls {
    width: 100%;
    gap: 12px;
    flex-wrap: wrap;
    justify-content: space-between;
  }

  .pad {
    grid-template-columns: repeat(3, minmax(44px, 1fr));
    flex: 1 1 0;
    min-width: 0;
    gap: 4px;
  }

  .controls button {
    /* "Backward" fits its key on the narrowest phones too. */
    padding-inline: 0;
    font-size: min(11px, 2.9vw);
  }

  .controls button:not(:disabled) span {
    color: inherit;
  }

  .middle {
    order: 3;
    width: 100%;
  }

  .middle button {
    flex: 1;
    width: auto;
  }
}

/* The picture takes the width of a phone. */
@media (max-width: 600px) {
  #room {
    width: calc(100% + 24px);
    max-height: max(min(76vh, 260px), 100vh - 290px);
  }

  #stage {
    border-radius: 0;
  }

  .full #room {
    width: 100%;
  }
}

/* A phone that lies on its side has its pads beside the picture. */
@media (max-height: 500px) and (min-width: 560px) and (max-width: 1000px) {
  header {
    padding: 4px 2px;
  }

  .world:not(.full) {
    position: static;
    grid-template: "move room look" auto "news news news" auto "middle middle middle" auto / 172px minmax(0, 1fr) 172px;
    gap: 6px 10px;
  }

  .world:not(.full) .controls {
    display: contents;
  }

  .world:not(.full) #room {
    grid-area: room;
    max-height: calc(100vh - 124px);
  }

  .world:not(.full) .news {
    grid-area: news;
  }

  .world:not(.full) .pad {
    align-self: center;
    width: 100%;
    grid-template-columns: repeat(3, minmax(44px, 1fr));
  }

  .world:not(.full) [data-pad="move"] {
    grid-area: move;
  }

  .world:not(.full) [data-pad="look"] {
    grid-area: look;
  }

  .world:not(.full) .middle {
    grid-area: middle;
    flex-wrap: nowrap;
  }

  .world:not(.full) .middle button {
    flex: 1;
    min-height: 44px;
  }
}

/* Phones and tablets have no keys to name, and narrow windows no room. */
@media (max-width: 600px), (max-width: 900px) and (pointer: coarse) {
  .controls kbd {
    display: none;
  }
}

/* Keys in two rows below the full screen. */
@media (max-width: 639px) {
  .full #welcome,
  .full #job {
    bottom: 240px;
  }
}

/* A full screen as wide as a phone that lies on its side has all its keys in one row. */
@media (min-width: 640px) and (max-width: 900px) {
  .full .controls {
    flex-wrap: nowrap;
  }

  .full .middle {
    order: 0;
    flex: none;
    width: auto;
  }

  .full .middle button {
    width: 76px;
  }
}

@media (prefers-reduced-motion: no-preference) {
  button {
    transition: border-color 0.15s;
  }
}
`;

/** Its script, one module. */
export const pageScript: string = `function byId(id,type){let found=document.getElementById(id);if(found instanceof type)return found;throw new Error(\`Cannot find #\${id}: the page has no \${type.name} with that id\`)}function element(tag,attributes={},...children){return filled(document.createElement(tag),attributes,children)}function svgElement(tag,attributes={},...children){return filled(document.createElementNS("http://www.w3.org/2000/svg",tag),attributes,children)}function button(label,onClick,attributes={}){let made=element("button",{type:"button",...attributes},label);return made.addEventListener("click",onClick),made}function setText(target,text){target.textContent!==text&&(target.textContent=text)}function filled(target,attributes,children){for(let[name,value]of Object.entries(attributes))value!==void 0&&target.setAttribute(name,value);return target.append(...children),target}function readNumber(id){let field=byId(id,HTMLInputElement);if(!field.closest("[hidden]")){if(field.validity.badInput)throw new Error(\`Cannot walk: the field \${field.labels?.[0]?.textContent} is not a number\`);return field.value===""?void 0:field.valueAsNumber}}function confirmLoss(question,yes){let dialog=byId("confirm",HTMLDialogElement);return byId("confirm-text",HTMLElement).textContent=question,byId("confirm-yes",HTMLButtonElement).textContent=yes,dialog.returnValue="no",dialog.showModal(),new Promise(resolve=>{dialog.addEventListener("close",()=>resolve(dialog.returnValue==="yes"),{once:!0})})}function showBytes(bytes){let[size,unit]=bytes>=1073741824?[bytes/1073741824,"GiB"]:bytes>=1048576?[bytes/1048576,"MiB"]:[bytes/1024,"KiB"];return\`\${Math.ceil(size*10)/10} \${unit}\`}function showSeconds(seconds){return seconds>=90?\`\${Math.round(seconds/60)} min\`:\`\${Math.ceil(seconds)} s\`}function showLoading(progress){let{bytesRead:read,bytesTotal:total,secondsLeft:left}=progress??{};if(!(read===void 0||total===void 0))return\`\${showBytes(read)} of \${showBytes(total)}\${left===void 0?"":\`, \${showSeconds(left)} left\`}\`}var PHASES={cold:"Not loaded, loads with the first move",preparing:"Loading the model",ready:"Ready",generating:"Generating"},BACKENDS={arworld:"arworld, continues from its latents",actionworld:"actionworld, continues from its last frame"};function showReadouts(snapshot2){let{model,currentWorldPose:pose,generatedLatentFrameCount:made}=snapshot2,camera=pose&&cameraWords(pose.worldToCamera),rows2=[...camera?[["Position",camera.position],["View",camera.view]]:[],["Moves",String(snapshot2.transitionCount)],...made===void 0?[]:[["Latents",\`\${made} generated, \${snapshot2.retainedLatentFrameCount??0} retained\`]],...snapshot2.sceneMemoryMode===void 0?[]:[["Memory",memoryWords(snapshot2)]],["Backend",BACKENDS[snapshot2.backend]],["Model",model.id],...model.madeFor===void 0?[]:[["Made for",\`\${model.madeFor} only\`]],["Device",model.dtype==="auto"?model.device:\`\${model.device}, \${model.dtype}\`],["Phase",PHASES[snapshot2.phase]]],list2=byId("readouts",HTMLElement);[...list2.querySelectorAll("dt")].map(dt=>dt.textContent).join()!==rows2.map(([name])=>name).join()&&list2.replaceChildren(...rows2.map(([name])=>element("div",{},element("dt",{},name),element("dd"))));for(let[i,dd]of[...list2.querySelectorAll("dd")].entries())setText(dd,rows2[i][1])}function memoryWords(snapshot2){if(snapshot2.sceneMemoryMode==="disabled")return"Off";let{sceneMemoryFrameCount:stored=0,sceneMemoryRetrievalCount:recalled=0}=snapshot2;return\`\${stored} stored, \${recalled} recalled, \${snapshot2.sceneMemoryRecycledFrameCount??0} restored\`}function showBackend({backend,model}){setText(byId("model",HTMLElement),\`\${model.id}, an \${backend}\`);for(let part of document.querySelectorAll("[data-only]"))part.hidden=part.dataset.only!==backend}function cameraWords(matrix){let row=i=>matrix.slice(4*i,4*i+3),[x,y,z]=[0,1,2].map(axis=>-[0,1,2].reduce((sum,i)=>sum+row(i)[axis]*matrix[4*i+3],0)),[right,down,forward]=row(2),yaw=degrees(Math.atan2(right,forward)),pitch=degrees(Math.asin(Math.max(-1,Math.min(1,-down))));return{position:list([sided(z,2,"","ahead","behind"),sided(x,2,"","right","left"),sided(-y,2,"","up","down")],"At the start"),view:list([sided(yaw,1,"°","right","left"),sided(pitch,1,"°","up","down")],"Straight ahead")}}function sided(value,digits,unit,positive,negative){let size=Math.abs(value).toFixed(digits);return Number(size)===0?void 0:\`\${size}\${unit} \${value>0?positive:negative}\`}function list(parts2,none){return parts2.filter(part=>part!==void 0).join(", ")||none}function degrees(radians){return radians*180/Math.PI}var STAGES={preparing:"Loading the model",denoising:"Imagining",decoding:"Painting",replaying:"Walking back",saving:"Saving"};function showJob({status,progress}){let isOver=status==="completed"||status==="cancelled"||status==="failed",{bytesRead:read=0,bytesTotal:total}=progress??{},fraction=isOver?0:total===void 0?progress?.fraction??0:read/total,stage2=status==="cancelling"?"Stopping":progress?STAGES[progress.stage]??progress.stage:"Waiting";byId("progress",HTMLProgressElement).value=fraction,byId("job",HTMLElement).classList.toggle("busy",!isOver),byId("cancel",HTMLButtonElement).disabled=isOver;let done=showLoading(progress)??\`\${Math.round(100*fraction)} %\`;setText(byId("job-text",HTMLElement),isOver?"No move is running":\`\${stage2}, \${done}\`)}function showIdle({activeJob}){activeJob||(byId("cancel",HTMLButtonElement).disabled=!0)}var MOTION_TABLE={hold:{motion:"hold",key:" ",translation:[0,0,0],rotation:[0,0,0],label:"Hold still",done:"Held still"},forward:{motion:"forward",key:"w",translation:[0,0,1],rotation:[0,0,0],opposite:"backward",label:"Forward",done:"Walked forward",pad:["move","up"]},backward:{motion:"backward",key:"s",translation:[0,0,-1],rotation:[0,0,0],opposite:"forward",label:"Backward",done:"Walked backward",pad:["move","down"]},strafeLeft:{motion:"strafeLeft",key:"a",translation:[-1,0,0],rotation:[0,0,0],opposite:"strafeRight",label:"Left",done:"Stepped left",pad:["move","left"]},strafeRight:{motion:"strafeRight",key:"d",translation:[1,0,0],rotation:[0,0,0],opposite:"strafeLeft",label:"Right",done:"Stepped right",pad:["move","right"]},lookUp:{motion:"custom",key:"i",translation:[0,0,0],rotation:[1,0,0],opposite:"lookDown",label:"Look up",done:"Looked up",pad:["look","up"]},lookDown:{motion:"custom",key:"k",translation:[0,0,0],rotation:[-1,0,0],opposite:"lookUp",label:"Look down",done:"Looked down",pad:["look","down"]},yawLeft:{motion:"yawLeft",key:"j",translation:[0,0,0],rotation:[0,-1,0],opposite:"yawRight",label:"Turn left",done:"Turned left",pad:["look","left"]},yawRight:{motion:"yawRight",key:"l",translation:[0,0,0],rotation:[0,1,0],opposite:"yawLeft",label:"Turn right",done:"Turned right",pad:["look","right"]},custom:{motion:"custom",opposite:"custom",label:"Custom move",done:"Made the move"}},rows=Object.entries(MOTION_TABLE);var KEY_MOTIONS=new Map(rows.flatMap(([,row])=>isKeyMotion(row)?[[row.key,row]]:[]));function isKeyMotion(row){return row.key!==void 0}function padKeys(pad){let at2=side=>rows.find(([,row])=>row.pad?.[0]===pad&&row.pad[1]===side)?.[1].key??"";return[at2("up"),at2("left"),at2("down"),at2("right")]}function motionKeys(freeCamera){return[...new Set([...padKeys("move"),...padKeys("look"),...KEY_MOTIONS.keys()])].filter(key=>{let row=KEY_MOTIONS.get(key);return row!==void 0&&key!==" "&&(freeCamera||isLevel(row))})}function isLevel({translation,rotation}){return(translation?.[1]??0)===0&&(rotation?.[2]??0)===0}function oppositeMotion(motion){let{opposite}=MOTION_TABLE[motion];return opposite&&MOTION_TABLE[opposite].motion}var OPPOSITE_KEYS=[...KEY_MOTIONS.values()].flatMap((row,i,all)=>{let other=all.findIndex(one=>row.opposite!==void 0&&one===MOTION_TABLE[row.opposite]);return other>i?[[row.key,all[other].key]]:[]});var MOVE_SIZE={meters:1,degrees:15};function sumOf(moves){let sum=(part,axis)=>moves.reduce((total,one)=>total+one[part][axis],0),triple=part=>[sum(part,0),sum(part,1),sum(part,2)];return{translation:triple("translation"),rotation:triple("rotation")}}function cameraOfKeys(keys,{meters,degrees:degrees2}=MOVE_SIZE){let motions=[...keys].filter(key=>key!=="."&&key!==" ").map(key=>{let motion=KEY_MOTIONS.get(key);if(motion===void 0)throw new RangeError(\`Cannot move by the key \${JSON.stringify(key)}: expected one of \${motionKeys(!0).join(" ")}\`);return motion}),{translation:[x,y,z],rotation:[rx,ry,rz]}=sumOf(motions);return{motion:motions.length===0?"hold":motions.length===1?motions[0].motion:"custom",translationMeters:[x*meters+0,y*meters+0,z*meters+0],rotationDegrees:[rx*degrees2+0,ry*degrees2+0,rz*degrees2+0]}}function inverseCamera({motion,translationMeters,rotationDegrees}){let opposite=oppositeMotion(motion);if(opposite!==void 0)return{motion:opposite,translationMeters:negated(translationMeters),rotationDegrees:negated(rotationDegrees)}}function negated([x,y,z]){return[0-x,0-y,0-z]}var WalkFeed=class{#client;#onChange;#walk;#known="";constructor(client2,onChange){this.#client=client2,this.#onChange=onChange}get walk(){return this.#walk}async of({sessionId,states}){let walk=this.#walk,known=new Set(walk?.sessionId===sessionId?walk.states.map(({stateId})=>stateId):[]);return walk&&states.every(({stateId})=>known.has(stateId))?walk:await this.fetch()}snapshot({sessionId,currentStateId,states}){let known=[sessionId,currentStateId,...states.map(({stateId})=>stateId)].join();known!==this.#known&&(this.#known=known,this.fetch().catch(()=>{this.#known=""}))}async fetch(){let known=this.#known,walk=await this.#client.walk();return known!==this.#known||(this.#walk=walk,this.#onChange(walk)),walk}};function cameraTo(walk,stateId){let request=walk?.states.find(state=>state.stateId===stateId)?.move?.request;return request&&"camera"in request?request.camera:void 0}function reversibleStates(walk,{stateIds:path,states}){let kept=new Set(states.filter(({retained})=>retained).map(({stateId})=>stateId)),reached=new Set;for(let i=path.length-1;i>0;i--){let camera=cameraTo(walk,path[i]);if(!camera||!inverseCamera(camera)||!kept.has(path[i-1]))break;reached.add(path[i-1])}return reached}function lastPrompt(walk){return walk?.states.find(({stateId})=>stateId===walk.currentStateId)?.move?.request?.prompt}var MOVES=Object.fromEntries(Object.entries(MOTION_TABLE).flatMap(([name,{key,done}])=>key===void 0?[]:[[name,{key,done,camera:size=>cameraOfKeys(key,size)}]]));function keyName(key){return key===" "?"Space":key.toUpperCase()}function inverseMove(snapshot2,walk){let{currentStateId:here,stateIds:path,states,checkpointCount:checkpoints}=snapshot2,instead=checkpoints===void 0?"walk on":"return to a saved place or walk on";if(here===void 0||path.length<2)throw new Error("Cannot walk back: this is where the walk began");if(!states.find(({stateId})=>stateId===path[path.length-2])?.retained)throw new Error(\`Cannot walk back: the last move is no longer kept, \${instead}\`);let camera=cameraTo(walk,here);if(camera===void 0)throw new Error(\`Cannot walk back: what led here was not a single move of the camera, \${instead}\`);let move=inverseCamera(camera);if(move===void 0)throw new Error(\`Cannot walk back: the last move was a hold, which has no inverse, \${instead}\`);return move}var opposites=new Map(OPPOSITE_KEYS.flatMap(([one,other])=>[[one,other],[other,one]])),steps=new Map([[" ",MOVES.hold],["backspace","back"]]);function walkByKeyboard(held2,walker2,{cancel:cancel2,fullScreen:fullScreen2,lettersWalk}){let letters=new Set,hold=()=>{let down=[...letters];held2.hold("keyboard",down.filter((key,i)=>!down.includes(opposites.get(key),i)).join(""))};addEventListener("keydown",event=>{if(event.defaultPrevented||event.ctrlKey||event.metaKey||event.altKey||isTaken(event))return;let key=event.key.toLowerCase();if(key==="escape")return cancel2();if(key==="f"&&lettersWalk())return fullScreen2();let step=steps.get(key),isLetter=opposites.has(key)&&lettersWalk();if(!(!step&&!isLetter)&&(event.preventDefault(),!event.repeat)){if(step)return walker2.press(step);letters.add(key),hold()}}),addEventListener("keyup",event=>{let key=event.key.toLowerCase(),step=steps.get(key);step&&walker2.release(step),letters.delete(key)&&hold()}),addEventListener("blur",()=>{letters.clear(),hold(),walker2.releaseAll()})}function isTaken({key,target}){return target instanceof Element?target.closest("dialog, textarea, input:not([type=checkbox])")?!0:key===" "&&target.closest("button, summary, [role=button], input")!==null:!1}var CheckpointsView=class{#client;#turns;#messages;#onChange;#list=byId("saved",HTMLElement);#name=byId("saved-name",HTMLInputElement);#frames=new Map;#checkpoints=[];#known="";#hasPlace=!1;constructor(client2,turns2,messages2,onChange){this.#client=client2,this.#turns=turns2,this.#messages=messages2,this.#onChange=onChange,byId("saved-form",HTMLFormElement).addEventListener("submit",event=>{event.preventDefault(),messages2.attempt(()=>this.#create())})}get checkpoints(){return this.#checkpoints}snapshot({sessionId,checkpointCount:count,phase,stateIds}){for(let id of["saved-panel","saved-legend"])byId(id,HTMLElement).hidden=count===void 0;this.#hasPlace=stateIds.length>0,this.#suggest();let known=\`\${sessionId} \${count} \${count?phase==="cold":""}\`;known!==this.#known&&(this.#known=known,this.#messages.attempt(async()=>this.#show(count?await this.#client.checkpoints():[])))}restore({checkpointId,name}){return this.#messages.attempt(async()=>{await this.#turns.take(()=>this.#client.restoreCheckpoint(checkpointId)),this.#messages.say(\`Returned to \${name}.\`)})}async#create(){let name=this.#name.value.trim()||this.#suggestion,checkpoint=await this.#turns.take(()=>this.#client.createCheckpoint(name));this.#name.value="",await this.#reload(),this.#messages.say(\`Saved this place as \${checkpoint.name}.\`)}async#delete({checkpointId,name}){await confirmLoss(\`Delete the saved place “\${name}”? States that only it leads to cannot be returned to afterwards.\`,"Delete")&&(await this.#turns.take(()=>this.#client.deleteCheckpoint(checkpointId)),await this.#reload(),this.#messages.say(\`Deleted the saved place \${name}.\`))}async#reload(){await this.#show(await this.#client.checkpoints())}async#show(checkpoints){await Promise.all(checkpoints.map(checkpoint=>this.#loadFrame(checkpoint))),this.#checkpoints=checkpoints;for(let[id,url]of this.#frames)checkpoints.some(({checkpointId})=>checkpointId===id)||(URL.revokeObjectURL(url),this.#frames.delete(id));setText(byId("saved-count",HTMLElement),checkpoints.length===0?"":\`\${checkpoints.length}\`);let none=element("li",{class:"hint"},"Save a place to return to it from anywhere.");this.#list.replaceChildren(...checkpoints.length===0?[none]:checkpoints.map(checkpoint=>this.#item(checkpoint))),this.#suggest(),this.#onChange()}#suggest(){this.#name.placeholder=this.#hasPlace?this.#suggestion:""}get#suggestion(){let taken=new Set(this.#checkpoints.map(({name})=>name));for(let i=1;;i++)if(!taken.has(\`Place \${i}\`))return\`Place \${i}\`}#item(checkpoint){let{name,transitionIndex:index}=checkpoint;return element("li",{class:"saved-item"},element("img",{src:this.#frames.get(checkpoint.checkpointId),alt:""}),element("div",{},element("strong",{},name),element("span",{class:"hint"},index===0?"Start":\`State \${index}\`)),button("Return",()=>{this.restore(checkpoint)},{"aria-label":\`Return to \${name}\`}),button("×",()=>{this.#messages.attempt(()=>this.#delete(checkpoint))},{class:"quiet","aria-label":\`Delete \${name}\`}))}async#loadFrame({checkpointId:id,frameMediaPath:path}){if(this.#frames.has(id))return;let bytes=await this.#client.media(path);this.#frames.set(id,URL.createObjectURL(new Blob([bytes],{type:"image/png"})))}};function unknownPlace(model,{madeFor,distance}){if(!(madeFor===void 0||distance===void 0||distance<=1))return\`\${model} was made for \${madeFor} only, and this picture is unlike them (\${distance.toFixed(1)}, where 1 is the limit): the walk will look like one of those, not like the picture\`}function takePictures(parts2){let{messages:messages2}=parts2,file=byId("file",HTMLInputElement),take=files=>{let picture=files?.[0];picture&&messages2.attempt(async()=>{await checkPicture(picture),await startFrom(parts2,picture,\`“\${picture.name}”\`,await warningOf(parts2,picture))})};for(let id of["choose","welcome-choose"])byId(id,HTMLElement).addEventListener("click",()=>file.click());file.addEventListener("change",()=>{take(file.files),file.value=""}),addEventListener("paste",({clipboardData})=>take(clipboardData?.files)),addEventListener("dragover",event=>{event.dataTransfer?.types.includes("Files")&&(event.preventDefault(),document.body.classList.add("dropping"))}),addEventListener("dragleave",({relatedTarget})=>{relatedTarget===null&&document.body.classList.remove("dropping")}),addEventListener("drop",event=>{event.preventDefault(),document.body.classList.remove("dropping"),take(event.dataTransfer?.files)})}var BEGINNINGS=/^(?:\\x89PNG|\\xff\\xd8\\xff|GIF8|RIFF....WEBP|....ftyp(?:avi[fs]|mif1)|BM|II\\*\\0|MM\\0\\*)/s;async function checkPicture(file){let begin2=new Uint8Array(await file.slice(0,16).arrayBuffer());if(!BEGINNINGS.test(String.fromCharCode(...begin2)))throw new Error(\`Cannot start from “\${file.name}”: it is not a picture, expected PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF\`)}function lossOf({stateIds,checkpointCount:checkpoints=0}){let moves=Math.max(0,stateIds.length-1),lost=[...moves>0?[\`the walk of \${moves} \${moves===1?"move":"moves"}\`]:[],...checkpoints>0?[\`\${checkpoints} saved \${checkpoints===1?"place":"places"}\`]:[]];return lost.length===0?void 0:lost.join(" and ")}async function startFrom({client:client2,turns:turns2,messages:messages2,snapshot:snapshot2},picture,name,warning){let loss=lossOf(snapshot2()),question=[...warning===void 0?[]:[\`\${warning}.\`],\`Start a new world from \${name}?\`,...loss===void 0?[]:[\`This discards \${loss}.\`]].join(" ");return(warning!==void 0||loss!==void 0)&&!await confirmLoss(question,warning===void 0?"Start":"Start anyway")?!1:(await turns2.take(()=>client2.uploadSource(picture)),messages2.say(\`Started a new world from \${name}.\`),!0)}async function warningOf({client:client2,turns:turns2,messages:messages2,snapshot:snapshot2},picture){let check=await client2.checkSource(picture),{model,phase}=snapshot2();return check.madeFor===void 0||check.distance!==void 0||phase!=="cold"?unknownPlace(model.id,check):(messages2.say("Loading the model, to see whether it was made for the like of this picture."),await turns2.take(()=>client2.prepare()),unknownPlace(model.id,await client2.checkSource(picture)))}function sessionButtons({client:client2,turns:turns2,messages:messages2,snapshot:snapshot2}){let on=(id,action)=>byId(id,HTMLButtonElement).addEventListener("click",()=>{messages2.attempt(action)});on("prepare",async()=>{messages2.say("Loading the model."),await turns2.take(()=>client2.prepare()),messages2.say("The model is loaded.")}),on("reset",async()=>{let loss=lossOf(snapshot2());loss&&!await confirmLoss(\`Start over without a picture? This discards \${loss}.\`,"Start over")||(await turns2.take(()=>client2.reset()),messages2.say("The world is empty again."))}),on("unload",async()=>{let loss=lossOf(snapshot2());loss&&!await confirmLoss(\`Unload the model? The picture stays, but this discards \${loss}.\`,"Unload")||(await turns2.take(()=>client2.unload()),messages2.say("The model is unloaded; the next move loads it again."))})}var MAX_DESCRIBED=6,PlacesView=class{#parts;#list=byId("places",HTMLElement);#own=byId("choose",HTMLElement).parentElement;#described=[];constructor(parts2){this.#parts=parts2,this.#takeDescriptions()}async show(places2){for(let{prompt,imageMediaPath:path}of places2){let bytes=await this.#parts.client.media(path);this.#own.before(this.#item(pictureOf(bytes,prompt)))}}#item(picture){let{messages:messages2,walkIn:walkIn2}=this.#parts,url=URL.createObjectURL(picture),enter=async()=>{await startFrom(this.#parts,picture,\`“\${picture.name}”\`)&&(byId("prompt",HTMLTextAreaElement).value=picture.name,byId("stage",HTMLElement).scrollIntoView({block:"nearest"}),walkIn2())},made=button("",()=>{messages2.attempt(enter)},{class:"place",title:picture.name,"aria-label":\`Walk into \${picture.name}\`});return made.append(element("img",{src:url,alt:""})),element("li",{},made)}#takeDescriptions(){let{client:client2,messages:messages2}=this.#parts,form=byId("describe",HTMLFormElement),[place,go]=[byId("place",HTMLInputElement),byId("describe-go",HTMLButtonElement)];form.addEventListener("submit",event=>{event.preventDefault();let prompt=place.value.trim();prompt===""||go.disabled||(go.disabled=!0,messages2.say(\`Making a picture of “\${prompt}”.\`),messages2.attempt(async()=>{this.#parts.warnings?.clear();let picture=await describedPicture(client2,prompt);this.#keep(picture);let warning=this.#parts.warnings?.taken??await warningOf(this.#parts,picture);await startFrom(this.#parts,picture,\`“\${prompt}”\`,warning)&&(byId("prompt",HTMLTextAreaElement).value=prompt)}).finally(()=>go.disabled=!1))})}#keep(picture){let item=this.#item(picture);this.#list.prepend(item),this.#described.unshift(item);for(let old of this.#described.splice(MAX_DESCRIBED))URL.revokeObjectURL(old.querySelector("img").src),old.remove()}};async function describedPicture(client2,prompt){let seed=crypto.getRandomValues(new Uint32Array(1))[0];return pictureOf(await client2.startPicture({prompt,seed}),prompt)}function pictureOf(bytes,name){return new File([bytes],name,{type:"image/png"})}function graphLayout(states,path){let active=new Set(path),known=new Set(states.map(state=>state.stateId)),children=new Map,ordered=[...states].sort((a,b)=>Number(active.has(b.stateId))-Number(active.has(a.stateId)));for(let state of ordered){let parent=state.parentStateId,key=parent!==void 0&&known.has(parent)?parent:void 0;children.set(key,[...children.get(key)??[],state])}let nodes=[],lanes=-1,open=(children.get(void 0)??[]).map(state=>({state})).reverse();for(let next=open.pop();next;next=open.pop()){let{state,from}=next,lane=next.lane??++lanes,node={state,column:state.depth,lane,active:active.has(state.stateId),...from&&{from:{column:from.column,lane:from.lane}}};nodes.push(node);let below=children.get(state.stateId)??[];for(let[i,child]of[...below.entries()].reverse())open.push({state:child,from:node,...i===0&&{lane}})}return nodes}function stateLabel(state,snapshot2,checkpoints,reversible){let here=state.stateId===snapshot2.currentStateId,checkpoint=checkpoints.find(({stateId})=>stateId===state.stateId),text=[state.parentStateId===void 0?"Start":\`State \${state.transitionIndex}\`,...here?["you are here"]:[],...checkpoint?[\`saved as \${checkpoint.name}\`]:[],...here||checkpoint?[]:[state.retained?"can be returned to":"cannot be returned to"]].join(", ");return here?{text,reach:"here",...checkpoint&&{checkpoint}}:checkpoint?{text,action:"return to it",reach:"saved",checkpoint}:reversible.has(state.stateId)?{text,action:"walk back to it",reach:"back"}:{text,reach:"none"}}function goTo(actions,stateId,label){label.reach==="saved"&&label.checkpoint?actions.restore(label.checkpoint):label.reach==="back"&&actions.backTo(stateId)}function fullLabel({text,action}){return action?\`\${text}: \${action}\`:text}var STEPS={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function roveByArrows(drawing){drawing.addEventListener("keydown",event=>{let step=STEPS[event.key],marks=[...drawing.querySelectorAll(".state")],at2=marks.indexOf(event.target),next=marks[at2+(step??0)];if(!(step===void 0||at2<0||!next)){event.preventDefault();for(let mark of marks)mark.setAttribute("tabindex",mark===next?"0":"-1");next.focus()}})}function keepingFocus(drawing,draw){let focused=drawing.contains(document.activeElement)?document.activeElement?.getAttribute("data-state"):void 0;if(draw(),!focused)return;let mark=drawing.querySelector(\`[data-state="\${focused}"]\`);if(mark){for(let other of drawing.querySelectorAll(".state"))other.setAttribute("tabindex",other===mark?"0":"-1");mark.focus()}}var STEP=44,MARGIN=24,GraphView=class{#drawing=byId("graph",HTMLElement);#list=byId("states",HTMLElement);#actions;#drawn="";constructor(actions){this.#actions=actions,roveByArrows(this.#drawing)}show(snapshot2,checkpoints){let{states,stateIds,currentStateId}=snapshot2,reversible=this.#actions.reversible(snapshot2),key=JSON.stringify([[...reversible],states,stateIds,currentStateId,checkpoints.map(checkpoint=>[checkpoint.stateId,checkpoint.name])]);if(key===this.#drawn)return;this.#drawn=key;let nodes=graphLayout(states,stateIds).map(node=>({node,label:stateLabel(node.state,snapshot2,checkpoints,reversible)}));keepingFocus(this.#drawing,()=>{this.#drawing.replaceChildren(...nodes.length>0?[this.#picture(nodes)]:[])}),this.#list.replaceChildren(...nodes.map(entry=>this.#item(entry))),this.#scrollToCurrent(nodes)}#picture(nodes){let width=2*MARGIN+STEP*Math.max(0,...nodes.map(({node})=>node.column)),height=2*MARGIN+STEP*Math.max(0,...nodes.map(({node})=>node.lane)),size={width:String(width),height:String(height),viewBox:\`0 0 \${width} \${height}\`},label=\`Path of \${nodes.length} \${nodes.length===1?"state":"states"}\`;return svgElement("svg",{...size,role:"group","aria-label":label},...nodes.flatMap(({node})=>node.from?[edge(node,node.from)]:[]),...nodes.map(entry=>this.#mark(entry)))}#mark(entry){let{node,label}=entry,{x,y}=at(node),mark=svgElement("g",{class:\`state \${label.reach}\`,transform:\`translate(\${x} \${y})\`,tabindex:label.reach==="here"?"0":"-1",role:label.action?"button":"img","aria-label":fullLabel(label),"data-state":node.state.stateId},svgElement("title",{},fullLabel(label)),svgElement("rect",{class:"area",x:"-22",y:"-22",width:"44",height:"44"}),...shape(entry),svgElement("text",{"text-anchor":"middle",dy:"0.35em"},String(node.state.transitionIndex)));return mark.addEventListener("click",()=>this.#act(entry)),mark.addEventListener("keydown",({key})=>{(key==="Enter"||key===" ")&&this.#act(entry)}),mark}#item(entry){let{node:{state},label}=entry,parts2=[\`\${label.text}. \`];if(label.action){let text=label.reach==="saved"?"Return":"Walk back";parts2.push(button(text,()=>this.#act(entry),{"aria-label":fullLabel(label)}))}return element("li",{value:String(state.depth),"aria-current":label.reach==="here"?"location":void 0},...parts2)}#act({node,label}){goTo(this.#actions,node.state.stateId,label)}#scrollToCurrent(nodes){let current=nodes.find(({label})=>label.reach==="here");if(!current)return;let{x,y}=at(current.node);this.#drawing.scrollTo({left:x-this.#drawing.clientWidth/2,top:y-this.#drawing.clientHeight/2})}};function at({column,lane}){return{x:MARGIN+STEP*column,y:MARGIN+STEP*lane}}function edge(node,parent){let from=at(parent),to=at(node),d=from.y===to.y?\`M\${from.x} \${from.y}H\${to.x}\`:\`M\${from.x} \${from.y}V\${to.y-12}q0 12 12 12H\${to.x}\`;return svgElement("path",{class:node.active?"edge active":"edge",d})}function shape({node,label}){let marks=[];return label.reach==="here"&&marks.push(svgElement("circle",{class:"ring",r:"18"})),label.checkpoint?marks.push(svgElement("rect",{class:"saved-mark",x:"-12",y:"-12",width:"24",height:"24",rx:"6"})):node.state.retained?marks.push(svgElement("circle",{class:"kept",r:"12"})):marks.push(svgElement("path",{class:"gone",d:"M0-14 14 0 0 14-14 0z"})),marks}function dragAndZoom(drawing,{drag,zoom}){let pointers=new Map,isDragging=!1,inside=(x,y)=>{let box=drawing.getBoundingClientRect();return{x:x-box.left,y:y-box.top}};drawing.addEventListener("pointerdown",({pointerId,clientX:x,clientY:y,button:button2})=>{button2===0&&(pointers.size===0&&(isDragging=!1),pointers.set(pointerId,{x,y}))}),addEventListener("pointermove",({pointerId,clientX:x,clientY:y})=>{let last=pointers.get(pointerId);if(!last)return;let[other]=[...pointers].filter(([id])=>id!==pointerId).map(([,point])=>point);if(other){let before=Math.hypot(last.x-other.x,last.y-other.y),after=Math.hypot(x-other.x,y-other.y);before>0&&after>0&&zoom(after/before,inside((x+other.x)/2,(y+other.y)/2))}else if(isDragging||Math.hypot(x-last.x,y-last.y)>5)isDragging=!0,drag(x-last.x,y-last.y);else return;pointers.set(pointerId,{x,y})});for(let end of["pointerup","pointercancel"])addEventListener(end,({pointerId})=>pointers.delete(pointerId));drawing.addEventListener("click",event=>{isDragging&&event.stopPropagation(),isDragging=!1},{capture:!0}),drawing.addEventListener("wheel",event=>{event.ctrlKey&&(event.preventDefault(),zoom(Math.exp(-event.deltaY/200),inside(event.clientX,event.clientY)))},{passive:!1})}var PIN={side:10,height:26},DOT=6,LONGEST=18,GAP=13,LINE=16,EDGE=3,LINES=5;function pinNames(marks,size,widthOf){let drawn=marks.map(({x,y,name})=>{let[side,height]=name===void 0?[DOT,DOT]:[PIN.side,PIN.height];return{left:x-side,top:y-height,right:x+side,bottom:y+DOT}}),taken=[],names=new Map;for(let mark of marks){if(mark.name===void 0)continue;let text=shortened(mark.name),free=placesOf(mark,text,widthOf(text)).filter(({box})=>isInside(box,size)).filter(({box})=>!taken.some(other=>meet(box,other))),place=free.find(({box})=>!drawn.some(other=>meet(box,other)))??free[0];place&&(taken.push(place.box),names.set(mark.id,place.name))}return names}function placesOf({x,y},text,width){return Array.from({length:LINES},(_,line)=>-GAP-line*LINE).flatMap(baseline=>[GAP,-GAP-width].map(left=>({name:{text,left,baseline,width},box:{left:x+left,top:y+baseline-LINE+4,right:x+left+width,bottom:y+baseline+4}})))}function isInside({left,top,right,bottom},{width,height}){return left>=EDGE&&top>=EDGE&&right<=width-EDGE&&bottom<=height-EDGE}function meet(one,other){return one.left<other.right&&other.left<one.right&&one.top<other.bottom&&other.top<one.bottom}function shortened(name){let characters=Array.from(new Intl.Segmenter().segment(name),({segment})=>segment);return characters.length>LONGEST?\`\${characters.slice(0,LONGEST-1).join("")}…\`:name}function planCamera(pose){let at2=axis=>0-(pose[axis]*pose[3]+pose[4+axis]*pose[7]+pose[8+axis]*pose[11]);return{x:at2(0),z:at2(2),turn:Math.atan2(pose[8],pose[10])}}function planLayout(walk,path){let onPath=new Set(path),places2=new Map(walk.states.map(state=>[state.stateId,placeOf(state,onPath)])),ways=walk.states.flatMap(state=>{let from=places2.get(state.parentStateId??"");if(!from||!state.move)return[];let points=state.move.positions.map(([x,,z])=>({x,z}));return[{points:[from,...points],active:onPath.has(state.stateId)}]}),here=places2.get(path.at(-1)??""),pace=median(ways.map(({points})=>between(points[0],points[points.length-1])).filter(way=>way>0)),rank=place=>place===here?2:Number(place.active),first=(a,b)=>Number(a.active)-Number(b.active);return{ways:ways.sort(first),places:[...places2.values()].sort((a,b)=>rank(a)-rank(b)),...here&&{here},...pace!==void 0&&{pace},view:(walk.viewAngleDegrees??60)*Math.PI/180}}function placeOf({stateId:id,worldPose:{worldToCamera}},path){return{id,active:path.has(id),...planCamera(worldToCamera)}}function between(a,b){return Math.hypot(b.x-a.x,b.z-a.z)}function median(values){return[...values].sort((a,b)=>a-b)[values.length>>1]}var WEDGE=40,TICK=13,ROOM=16;function markSize(apart){return apart===void 0?1:Math.min(1,Math.max(.5,apart/ROOM))}function wedgePath({x,y},turn,view){let side=angle=>{let{x:right,y:down}=towards(turn+angle,WEDGE);return\`\${(x+right).toFixed(1)} \${(y+down).toFixed(1)}\`},large=view>Math.PI?1:0;return\`M\${x.toFixed(1)} \${y.toFixed(1)}L\${side(-view/2)}A\${WEDGE} \${WEDGE} 0 \${large} 1 \${side(view/2)}Z\`}function placeMark(place,{x,y},label,size,name,act){let isKept=label.reach==="here"||label.action!==void 0,scale=label.reach==="here"?1:size,tick=towards(place.turn,scale*TICK),line={x2:tick.x.toFixed(1),y2:tick.y.toFixed(1)},mark=svgElement("g",{class:\`state \${label.reach}\${place.active?"":" left"}\`,transform:\`translate(\${x.toFixed(1)} \${y.toFixed(1)})\`,tabindex:label.reach==="here"?"0":"-1",role:label.action?"button":"img","aria-label":fullLabel(label),"data-state":place.id},svgElement("title",{},fullLabel(label)),...isKept?[svgElement("line",{class:"area",...line,"stroke-width":String(16*scale)})]:[],svgElement("circle",{class:"area focus",r:String(12*scale)}),...isKept?[svgElement("line",{class:"tick",...line})]:[],svgElement("circle",isKept?{class:"kept",r:String(5*scale)}:{class:"gone",r:"2.5"}),...label.checkpoint?pin(name):[]);return mark.addEventListener("click",act),mark.addEventListener("keydown",event=>{event.key!=="Enter"&&event.key!==" "||(event.preventDefault(),act())}),mark}function pin(name){let head=[area(-PIN.side,-PIN.height,2*PIN.side,PIN.height),svgElement("path",{class:"saved-mark",d:"M0 0c-3-7-9-9-9-16a9 9 0 0 1 18 0c0 7-6 9-9 16z"})];if(!name)return head;let{text,left,baseline,width}=name,words=svgElement("text",{class:"pin-name",x:left.toFixed(1),y:String(baseline)},text);return[...head,area(left,baseline-12,width,16),words]}function area(x,y,width,height){let box={x:x.toFixed(1),y:String(y),width:width.toFixed(1),height:String(height)};return svgElement("rect",{class:"area",...box})}function towards(angle,length){return{x:Math.sin(angle)*length,y:-Math.cos(angle)*length}}function fitWindow({ways,places:places2},{width,height}){let points=[...places2,...ways.flatMap(({points:points2})=>points2)],bounds=pick=>points.reduce(([low,high],point)=>[Math.min(low,pick(point)),Math.max(high,pick(point))],[1/0,-1/0]);if(points.length===0)return{x:0,z:0,scale:1};let[left,right]=bounds(({x})=>x),[near,far]=bounds(({z})=>z),room=size=>Math.max(1,size-92),span=Math.max(right-left,far-near),least=span>0?span/4:1,scale=Math.min(room(width)/Math.max(right-left,least),room(height)/Math.max(far-near,least));return{x:(left+right)/2,z:(near+far)/2,scale:Number.isFinite(scale)&&scale>0?scale:1}}function inDrawing({x,z},window,{width,height}){return{x:width/2+(x-window.x)*window.scale,y:height/2-(z-window.z)*window.scale}}function isInSight(point,window,size){let{x,y}=inDrawing(point,window,size);return x>=24&&y>=24&&x<=size.width-24&&y<=size.height-24}function zoomed(window,factor,size,{x,y}={x:size.width/2,y:size.height/2}){let scale=window.scale*factor;if(!(scale>1e-9&&scale<1e9))return window;let right=(x-size.width/2)*(1/window.scale-1/scale),forward=(size.height/2-y)*(1/window.scale-1/scale);return{x:window.x+right,z:window.z+forward,scale}}var STEP2=1.5,NAME_FONT="600 12px",PlanView=class{#drawing=byId("plan",HTMLElement);#fit=byId("plan-fit",HTMLButtonElement);#actions;#pen=document.createElement("canvas").getContext("2d");#walk;#snapshot;#labels=new Map;#plan={ways:[],places:[],view:1};#window={x:0,z:0,scale:1};#mode="fit";#here;#shown="";constructor(actions){this.#actions=actions,roveByArrows(this.#drawing),new ResizeObserver(()=>this.#draw()).observe(this.#drawing);let zoom=factor=>this.#zoom(factor);byId("plan-in",HTMLButtonElement).addEventListener("click",()=>zoom(STEP2)),byId("plan-out",HTMLButtonElement).addEventListener("click",()=>zoom(1/STEP2)),this.#fit.addEventListener("click",()=>this.#show("fit")),dragAndZoom(this.#drawing,{drag:(x,y)=>{let{scale}=this.#window;this.#show("free",{...this.#window,x:this.#window.x-x/scale,z:this.#window.z+y/scale})},zoom:(factor,at2)=>this.#show("free",zoomed(this.#window,factor,this.#size,at2))}),this.#drawing.addEventListener("keydown",({key})=>{key==="+"||key==="="?zoom(STEP2):key==="-"?zoom(1/STEP2):key==="0"&&this.#show("fit")})}take(walk){this.#walk=walk,this.#draw()}show(snapshot2,checkpoints){let reversible=this.#actions.reversible(snapshot2),labels=snapshot2.states.map(state=>[state.stateId,stateLabel(state,snapshot2,checkpoints,reversible)]),key=JSON.stringify([snapshot2.sessionId,snapshot2.stateIds,labels]);key!==this.#shown&&(this.#shown=key,this.#snapshot=snapshot2,this.#labels=new Map(labels),this.#draw())}get#size(){return{width:this.#drawing.clientWidth,height:this.#drawing.clientHeight}}#zoom(factor){this.#show(this.#mode==="free"?"free":"follow",zoomed(this.#window,factor,this.#size))}#show(mode,window=this.#window){this.#mode=mode,this.#window=window,this.#draw()}#draw(){let{width,height}=this.#size;if(!this.#snapshot||width===0)return;let walk=this.#walk?.sessionId===this.#snapshot.sessionId?this.#walk:void 0,known=walk&&{...walk,states:walk.states.filter(({stateId})=>this.#labels.has(stateId))};this.#plan=known?planLayout(known,this.#snapshot.stateIds):{ways:[],places:[],view:1},this.#look(),this.#fit.setAttribute("aria-pressed",String(this.#mode==="fit")),keepingFocus(this.#drawing,()=>{this.#drawing.replaceChildren(...this.#plan.places.length>0?[this.#picture(width,height)]:[])})}#look(){let{here}=this.#plan,hasMoved=here?.id!==this.#here;this.#here=here?.id,this.#mode==="fit"&&(this.#window=fitWindow(this.#plan,this.#size)),here&&(this.#mode==="free"&&hasMoved&&!isInSight(here,this.#window,this.#size)&&(this.#mode="follow"),this.#mode==="follow"&&(this.#window={...this.#window,x:here.x,z:here.z}))}#picture(width,height){let{ways,here,view,pace}=this.#plan,marks=markSize(pace&&pace*this.#window.scale),places2=this.#ordered(),names=this.#names(places2,{width,height}),count=\`\${places2.length} \${places2.length===1?"state":"states"}\`;return svgElement("svg",{width:String(width),height:String(height),viewBox:\`0 0 \${width} \${height}\`,role:"group","aria-label":\`Map from above of \${count}\`},...ways.map(({points,active})=>svgElement("path",{class:active?"edge active":"edge",d:this.#line(points)})),...here?[svgElement("path",{class:"wedge",d:wedgePath(this.#at(here),here.turn,view)})]:[],...places2.map(place=>this.#mark(place,marks,names.get(place.id))))}#ordered(){let order=["none","back","saved","here"],rank=({id})=>order.indexOf(this.#label(id).reach);return[...this.#plan.places].sort((a,b)=>rank(a)-rank(b))}#names(places2,size){let marks=places2.flatMap(place=>{let{checkpoint,reach}=this.#label(place.id);return reach==="none"?[]:[{id:place.id,...this.#at(place),...checkpoint&&{name:checkpoint.name}}]});return this.#pen&&(this.#pen.font=\`\${NAME_FONT} \${getComputedStyle(this.#drawing).fontFamily}\`),pinNames(marks.reverse(),size,text=>this.#pen?.measureText(text).width??8*text.length)}#mark(place,size,name){let label=this.#label(place.id);return placeMark(place,this.#at(place),label,size,name,()=>goTo(this.#actions,place.id,label))}#label(id){return this.#labels.get(id)}#line(points){return points.map((point,i)=>{let{x,y}=this.#at(point);return\`\${i===0?"M":"L"}\${x.toFixed(1)} \${y.toFixed(1)}\`}).join("")}#at(point){return inDrawing(point,this.#window,this.#size)}};var Messages=class{#message=byId("message",HTMLElement);#error=byId("error",HTMLElement);#failure;say(text){this.#failure=void 0,this.#message.textContent=text,this.#error.textContent=""}fail(error){this.#failure=error,this.#error.textContent=\`\${error instanceof Error?error.message:String(error)}.\`,this.#message.textContent=""}over(isOver,text){this.#failure!==void 0&&isOver(this.#failure)&&this.say(text)}async attempt(action){try{await action()}catch(error){this.fail(error)}}};function readMoveSize(){let size={meters:readNumber("distance")??MOVE_SIZE.meters,degrees:readNumber("angle")??MOVE_SIZE.degrees};for(let[name,value]of[["distance",size.meters],["angle",size.degrees]])if(value<=0)throw new Error(\`Cannot walk: the \${name} of a move is \${value}, expected more than 0\`);return size}function readCustomMove(){let read=id=>readNumber(id)??0,translation=[read("custom-x"),read("custom-y"),read("custom-z")],rotation=[read("custom-rx"),read("custom-ry"),read("custom-rz")];if([...translation,...rotation].every(number=>number===0))throw new Error("Cannot make this move: all its numbers are 0, set one or press Space to hold still");let camera={motion:"custom",translationMeters:translation,rotationDegrees:rotation};return{camera:()=>camera,done:MOTION_TABLE.custom.done}}var SceneFields=class{#prompt=byId("prompt",HTMLTextAreaElement);#seed=byId("seed",HTMLInputElement);fill(prompt,before=""){this.#prompt.value.trim()===before&&(this.#prompt.value=prompt)}read(){let prompt=this.#prompt.value.trim(),seed=this.#seed.value.trim();if(prompt==="")throw new Error("Cannot walk: the description of the world is empty, fill it in under More");if(!/^\\d*$/.test(seed))throw new Error(\`Cannot walk: the seed is \${seed}, expected a whole number or nothing\`);let steps2=readNumber("steps"),guidance=readNumber("guidance");return{prompt,...seed!==""&&{seed},...steps2!==void 0&&{steps:steps2},...guidance!==void 0&&{guidanceScale:guidance}}}};var WorldApiError=class extends Error{name="WorldApiError";status;code;type;param;requestId;constructor(message,details,options){super(message,options),this.status=details.status,this.code=details.code,details.type!==void 0&&(this.type=details.type),details.param!==void 0&&(this.param=details.param),details.requestId!==void 0&&(this.requestId=details.requestId)}};async function readWorldApiError(response,what){let requestId=response.headers.get("x-request-id")??void 0,text=await response.text().catch(()=>""),error=errorObject(text);return error===void 0?new WorldApiError(\`Cannot \${what}: the answer was \${response.status} without an error object, expected a world server\`,{status:response.status,code:"unexpected_response",...requestId===void 0?{}:{requestId}}):new WorldApiError(error.message,{status:response.status,code:error.code,...error.type===void 0?{}:{type:error.type},...error.param===void 0?{}:{param:error.param},...requestId===void 0?{}:{requestId}})}function errorObject(text){let body;try{body=JSON.parse(text)}catch{return}let error=body?.error;if(!(typeof error?.message!="string"||typeof error.code!="string"))return{message:error.message,code:error.code,...typeof error.type=="string"?{type:error.type}:{},...typeof error.param=="string"?{param:error.param}:{}}}function abortableWait(milliseconds,signal){return new Promise((resolve,reject)=>{if(signal?.aborted)return reject(signal.reason);let stop=()=>{clearTimeout(timer),reject(signal?.reason)},timer=setTimeout(()=>{signal?.removeEventListener("abort",stop),resolve()},milliseconds);signal?.addEventListener("abort",stop,{once:!0})})}function toWire(value){return renamed(value,wireName)}function fromWire(value){return renamed(value,memberName)}var wireName=remembered(name=>{let written="";for(let letter of name)written+=letter>="A"&&letter<="Z"?\`_\${letter.toLowerCase()}\`:letter;return written}),memberName=remembered(name=>{let[first,...others]=name.split("_");return first+others.map(word=>word.charAt(0).toUpperCase()+word.slice(1)).join("")}),MAX_NAMES=1e3;function remembered(make){let names=new Map;return name=>{let known=names.get(name);if(known!==void 0)return known;let made=make(name);return names.size<MAX_NAMES&&names.set(name,made),made}}function renamed(value,nameOf){return typeof value!="object"||value===null?value:Array.isArray(value)?value.map(item=>renamed(item,nameOf)):Object.fromEntries(Object.entries(value).map(([name,field])=>[nameOf(name),renamed(field,nameOf)]))}async function*readServerSentEvents(body,signal){let id="",event="",data=[];for await(let line of readLines(body,signal)){if(line===""){data.length>0&&(yield{id,event:event||"message",data:data.join(\`
\`)}),event="",data=[];continue}let[,field,value]=/^([^:]*)(?:: ?(.*))?$/.exec(line)??[];field==="data"?data.push(value??""):field==="event"?event=value??"":field==="id"&&!value?.includes("\\0")&&(id=value??"")}}async function*readJsonLines(transport,path,options={}){let{body}=await transport.send(path,options);if(!body)return;let lines=readLines(body,options.signal);for(;;){let next=await lines.next().catch(cause=>{throw transport.unreachable(cause,options)});if(options.signal?.throwIfAborted(),next.done)return;yield fromWire(JSON.parse(next.value))}}async function*readLines(body,signal){let reader=body.getReader(),stop=()=>{reader.cancel().catch(()=>{})};signal?.addEventListener("abort",stop);let decoder=new TextDecoder,rest="";try{for(;;){let{done,value}=await reader.read();if(done)return;rest+=decoder.decode(value,{stream:!0});let lines=rest.split(/\\r\\n|\\n|\\r(?!$)/);rest=lines.pop()??"",yield*lines}}finally{signal?.removeEventListener("abort",stop),await reader.cancel().catch(()=>{})}}var SHORTEST=10,LONGEST2=250,GROWTH=1.2,PollInterval=class{#next=SHORTEST;after(changed){let wait=changed?SHORTEST:this.#next;return this.#next=Math.min(LONGEST2,wait*GROWTH),wait}},HELD=10;async function*followJob(transport,path,wait,signal){let interval=new PollInterval,request=signal===void 0?{}:{signal},seen="",tag;for(;;){let headers=tag===void 0?{}:{"if-none-match":tag,prefer:\`wait=\${HELD}\`},asked=performance.now(),{value:job,etag}=await transport.tagged(path,{...request,headers}),text=job===void 0?seen:JSON.stringify(job),changed=text!==seen;if(seen=text,job!==void 0&&changed&&(yield job),job!==void 0&&["completed","cancelled","failed"].includes(job.status))return;etag!==void 0&&(changed||performance.now()-asked>1e3)?tag=etag:await wait(interval.after(changed),signal)}}function completed(job){if(job.status==="completed")return job;if(job.status==="cancelled")throw new WorldApiError(\`Cannot finish the \${job.kind}: the job was cancelled, start another one\`,{status:200,code:"job_cancelled"});let{message,code,...rest}=job.error??{message:\`Cannot finish the \${job.kind}: the job failed without a reason\`,code:"unexpected_response"};throw new WorldApiError(message,{status:200,code,...rest})}var FIRST_WAIT=250,LONGEST_WAIT=5e3;async function*followEvents(transport,wait,{signal,onOpen,onLost}){let request=signal===void 0?{}:{signal},lastId,attempts=0,opened=!1;for(;;){try{let headers={accept:"text/event-stream",...lastId!==void 0&&{"last-event-id":lastId}},body=eventBody(await transport.send("/v1/world/events",{...request,headers}));opened=!0,onOpen?.();for await(let{id,event,data}of readServerSentEvents(body,signal))attempts=0,lastId=id,yield{id,event,data:fromWire(JSON.parse(data))};throw transport.unreachable(new Error("the stream has ended"),request)}catch(error){signal?.throwIfAborted();let lost=error instanceof WorldApiError?error:transport.unreachable(error,request),refused=lost.status>0&&lost.status<500;if(!opened||refused)throw lost;onLost?.(lost)}await wait(Math.min(LONGEST_WAIT,FIRST_WAIT*2**attempts++),signal)}}function eventBody({status,headers,body}){if(body!==null&&headers.get("content-type")?.startsWith("text/event-stream"))return body;throw new WorldApiError("Cannot read the events: the answer is not an event stream, expected a world server",{status,code:"unexpected_response"})}function rolloutBatch(transport,dataset){let path=\`/v1/rollouts/\${encodeURIComponent(dataset)}\`;return{submit(specs,{pool,firstLine,...options}={}){let query=new URLSearchParams;pool!==void 0&&query.set("pool",pool),firstLine!==void 0&&query.set("first_line",String(firstLine));let body={data:typeof specs=="string"?specs:specs.map(spec=>JSON.stringify(toWire(spec))).join(\`
\`),type:"application/x-ndjson"};return transport.json(\`\${path}?\${query}\`,{...options,method:"POST",body})},addSource(image,options){let body={data:new Blob([image]),type:"application/octet-stream"};return transport.json(\`\${path}/sources\`,{...options,method:"POST",body})},status:options=>transport.json(path,options),results:options=>readJsonLines(transport,\`\${path}/results\`,options),file:(item,which,options)=>transport.bytes(\`\${path}/items/\${encodeURIComponent(item)}/\${which}\`,options),remove:options=>transport.json(path,{...options,method:"DELETE"})}}var WorldTransport=class{baseUrl;#options;constructor(baseUrl,options){this.baseUrl=new URL(baseUrl).href.replace(/(?<!\\/)\\/+$/,""),this.#options=options}async json(path,request={}){return await this.#read(await this.send(path,request),path,request)}async tagged(path,request){let response=await this.send(path,request),etag=response.headers.get("etag")??void 0;return{value:response.status===304?void 0:await this.#read(response,path,request),etag}}async#read(response,path,request){try{return fromWire(await response.json())}catch(cause){throw request.signal?.throwIfAborted(),new WorldApiError(\`Cannot read the answer to \${methodOf(request)} \${path}: it is not JSON, expected a world server\`,{status:response.status,code:"unexpected_response"},{cause})}}async bytes(path,request={}){let response=await this.send(path,request);try{return new Uint8Array(await response.arrayBuffer())}catch(cause){throw this.unreachable(cause,request)}}async send(path,request){let{method=methodOf(request),body,signal}=request,headers=new Headers(request.headers);body!==void 0&&headers.set("content-type",body.type),this.#options.apiKey!==void 0&&headers.set("authorization",\`Bearer \${this.#options.apiKey}\`);let asked=new Request(this.baseUrl+path,{method,headers,...body===void 0?{}:{body:body.data},...signal===void 0?{}:{signal}}),response;try{response=await(this.#options.fetch??fetch)(asked)}catch(cause){throw this.unreachable(cause,request)}if(!response.ok&&response.status!==304)throw await readWorldApiError(response,\`\${method} \${path}\`);return response}unreachable(cause,{signal}){return signal?.throwIfAborted(),new WorldApiError(\`Cannot reach a world server at \${this.baseUrl}: the connection failed, check the address or start a server with svc world serve\`,{status:0,code:"unreachable"},{cause})}};function jsonBody(value){return{data:JSON.stringify(toWire(value)),type:"application/json"}}function methodOf({method="GET"}){return method}var SESSION="/v1/world/session",CHECKPOINTS=\`\${SESSION}/checkpoints\`,WorldClient=class{baseUrl;#transport;#wait;constructor(baseUrl,options={}){this.#transport=new WorldTransport(baseUrl,options),this.#wait=options.wait??abortableWait,this.baseUrl=this.#transport.baseUrl}async health(options){let health=await this.#transport.json("/health",options);if(health.object==="world.health")return health;throw new WorldApiError(\`Cannot use \${this.baseUrl}: its /health is not a world server's, expected "object":"world.health"; start one with svc world serve\`,{status:200,code:"unexpected_response"})}start(options){return this.#transport.json("/v1/world/start",options)}startImage(options){return this.media("/v1/world/start/image",options)}startPicture(place,options){return this.#transport.bytes("/v1/world/start/picture",{...options,method:"POST",body:jsonBody(place)})}session(options){return this.#transport.json(SESSION,options)}walk(options){return this.#transport.json(\`\${SESSION}/walk\`,options)}prepare(options){return this.#transport.json(\`\${SESSION}/prepare\`,{...options,method:"POST"})}uploadSource(image,options){return this.#transport.json(\`\${SESSION}/source\`,{...options,method:"POST",body:imageBody(image)})}checkSource(image,options){return this.#transport.json(\`\${SESSION}/source/check\`,{...options,method:"POST",body:imageBody(image)})}reset(sourceImage,options){let body=sourceImage===void 0?{}:{body:jsonBody({sourceImage})};return this.#transport.json(\`\${SESSION}/reset\`,{...options,method:"POST",...body})}unload(options){return this.#transport.json(\`\${SESSION}/unload\`,{...options,method:"POST"})}startTransition(request,options){return this.#transport.json(\`\${SESSION}/transitions\`,{...options,method:"POST",body:jsonBody(request)})}rollouts(dataset){return rolloutBatch(this.#transport,dataset)}startRollout(request,options){return this.#transport.json(\`\${SESSION}/rollouts\`,{...options,method:"POST",body:jsonBody(request)})}createCheckpoint(name,options){return this.#transport.json(CHECKPOINTS,{...options,method:"POST",body:jsonBody({name})})}checkpoints(options){return this.#transport.json(CHECKPOINTS,options)}restoreCheckpoint(id,options){return this.#transport.json(\`\${checkpointPath(id)}/restore\`,{...options,method:"POST"})}deleteCheckpoint(id,options){return this.#transport.json(checkpointPath(id),{...options,method:"DELETE"})}checkpointFrame(id,options){return this.media(\`\${checkpointPath(id)}/media/frame\`,options)}job(id,options){return this.#transport.json(jobPath(id),options)}cancel(id,options){return this.#transport.json(jobPath(id),{...options,method:"DELETE"})}async awaitJob(id,{signal,onProgress}={}){let last;for await(let job of this.#follow(id,signal))onProgress?.(job),last=job;return completed(last)}async*chunks(id,options){let last,next=0;for await(let job of this.#follow(id,options?.signal)){for(let chunk of job.chunks.slice(next))yield{chunk,bytes:await this.media(chunk.mediaPath,options)},next+=1;last=job}completed(last)}events(options={}){return followEvents(this.#transport,this.#wait,options)}output(id,options){return this.media(\`\${jobPath(id)}/media/output\`,options)}terminalFrame(id,options){return this.media(\`\${jobPath(id)}/media/terminal-frame\`,options)}async currentFrame(options){let{currentFrameMediaPath:path}=await this.session(options);return path===void 0?void 0:await this.media(path,options)}media(path,options){return this.#transport.bytes(path,options)}#follow(id,signal){return followJob(this.#transport,jobPath(id),this.#wait,signal)}};function imageBody(image){let data=image instanceof Blob?image:new Blob([image]);return{data,type:data.type.startsWith("image/")?data.type:"application/octet-stream"}}function jobPath(id){return\`/v1/world/jobs/\${encodeURIComponent(id)}\`}function checkpointPath(id){return\`\${CHECKPOINTS}/\${encodeURIComponent(id)}\`}function baseOf(page){return new URL(".",page).href.replace(/\\/$/,"")}var Warnings=class{#taken;get taken(){return this.#taken}clear(){this.#taken=void 0}fetch=async request=>{let response=await fetch(request);return this.#taken=response.headers.get("x-svc-warning")??this.#taken,response}};var STORED="svc.key";async function openClient(onUnreachable){let warnings2=new Warnings;for(;;){let apiKey=sessionStorage.getItem(STORED)??void 0,options=apiKey===void 0?{}:{apiKey},client2=new WorldClient(baseOf(location.href),{...options,fetch:warnings2.fetch});try{return{client:client2,snapshot:await client2.session(),worlds:new WorldList(location.href,options),warnings:warnings2}}catch(error){error instanceof WorldApiError&&error.status===401?await askForKey(apiKey===void 0?"":\`\${error.message}.\`):(onUnreachable(error,"lost"),await new Promise(resolve=>setTimeout(resolve,2e3)))}}}function forgetKey(){sessionStorage.removeItem(STORED)}function askForKey(complaint){let dialog=byId("key-dialog",HTMLDialogElement),field=byId("key",HTMLInputElement);return byId("key-error",HTMLElement).textContent=complaint,field.value="",dialog.oncancel=event=>event.preventDefault(),dialog.showModal(),new Promise(resolve=>{dialog.addEventListener("close",()=>{sessionStorage.setItem(STORED,field.value.trim()),field.value="",resolve()},{once:!0})})}var WORLD=/\\/worlds\\/(?:default|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,WorldList=class{#here;#server;constructor(page,options){this.#here=baseOf(page),this.#server=new WorldTransport(this.#here.replace(WORLD,""),options)}async fetch(){return(await this.#server.json("/v1/worlds")).data}async open(name,key){let headers={"idempotency-key":key},body=jsonBody(name===""?{}:{name});return await this.#server.json("/v1/worlds",{method:"POST",headers,body})}linkTo({path}){return this.#server.baseUrl+path}shows(world){let[id="default"]=this.#here.match(WORLD)?.[0].split("/").slice(2)??[];return world.default&&id==="default"||world.worldId===id.toLowerCase()}};var DEAD_ZONE=.35,SECTOR=Math.sin(Math.PI/8),ORDER=motionKeys(!0);function stickKeys(right,down,keys){let lean=Math.hypot(right,down);if(!(lean>=DEAD_ZONE))return"";let[up,left,below,beside]=keys,along=(part,plus,minus)=>part>SECTOR?plus:part<-SECTOR?minus:"";return along(-down/lean,up,below)+along(right/lean,beside,left)}var MOVE_KEYS=padKeys("move"),LOOK_KEYS=padKeys("look"),HeldKeys=class{#walker;#sources=new Map;#moves=new Map(Object.values(MOVES).map(move=>[move.key,move]));#keys="";#held;constructor(walker2){this.#walker=walker2}hold(source,keys){if((this.#sources.get(source)??"")===keys)return;this.#sources.set(source,keys);let[before,now]=[this.#keys,united([...this.#sources.values()].join(""))];if(now===before)return;let[held2,move]=[this.#held,this.#moveOf(now)];[this.#keys,this.#held]=[now,move];let isLess=[...now].every(key=>before.includes(key));if(held2&&move&&isLess)return this.#walker.exchange(held2,move);held2&&this.#walker.release(held2),move&&this.#walker.press(move)}#moveOf(keys){if(keys==="")return;let known=this.#moves.get(keys)??{camera:size=>cameraOfKeys(keys,size),done:"Moved"};return this.#moves.set(keys,known),known}};function united(keys){let held2=new Set(keys);for(let[one,other]of OPPOSITE_KEYS)!held2.has(one)||!held2.has(other)||(held2.delete(one),held2.delete(other));return ORDER.filter(key=>held2.has(key)).join("")}var BACK=1,ARROWS={up:12,down:13,left:14,right:15};function walkByGamepad(held2,walker2){let isRunning=!1,wasBack=!1,read=()=>{let pads=navigator.getGamepads().filter(pad2=>pad2?.mapping==="standard"),[pad]=document.hasFocus()?pads:[],axis=i=>pad?.axes[i]??0,isDown=i=>pad?.buttons[i]?.pressed??!1,arrow=(less,more)=>Number(isDown(more))-Number(isDown(less));held2.hold("gamepad moves",stickKeys(axis(0),axis(1),MOVE_KEYS)),held2.hold("gamepad arrows",stickKeys(arrow(ARROWS.left,ARROWS.right),arrow(ARROWS.up,ARROWS.down),MOVE_KEYS)),held2.hold("gamepad looks",stickKeys(axis(2),axis(3),LOOK_KEYS));let isBack=isDown(BACK);isBack&&!wasBack&&walker2.press("back"),!isBack&&wasBack&&walker2.release("back"),wasBack=isBack,isRunning=pads.length>0,isRunning&&requestAnimationFrame(read)};addEventListener("gamepadconnected",()=>{isRunning||(isRunning=!0,requestAnimationFrame(read))})}function walkBySticks(held2){stick("stick-move",(x,y)=>held2.hold("left stick",stickKeys(x,y,MOVE_KEYS))),stick("stick-look",(x,y)=>held2.hold("right stick",stickKeys(x,y,LOOK_KEYS)))}function stick(id,lean){let base=byId(id,HTMLElement),knob=base.querySelector("span"),pointer,set=(x,y,radius)=>{let reach=Math.min(1,1/Math.hypot(x,y)),[right,down]=Math.hypot(x,y)>0?[x*reach,y*reach]:[0,0];knob.style.transform=\`translate(\${right*radius}px, \${down*radius}px)\`,lean(right,down)},follow=({pointerId,clientX,clientY})=>{if(pointerId!==pointer)return;let{left,top,width,height}=base.getBoundingClientRect(),radius=width/3;set((clientX-left-width/2)/radius,(clientY-top-height/2)/radius,radius)};base.addEventListener("pointerdown",event=>{event.preventDefault(),pointer??=event.pointerId,base.setPointerCapture(event.pointerId),follow(event)}),base.addEventListener("pointermove",follow);for(let end of["pointerup","pointercancel","lostpointercapture"])base.addEventListener(end,({pointerId})=>{pointerId===pointer&&(pointer=void 0,set(0,0,0))});base.addEventListener("contextmenu",event=>event.preventDefault())}function walkByButtons(walker2){for(let button2 of document.querySelectorAll("[data-move], #back"))holdToWalk(button2,walker2,MOVES[button2.dataset.move??""]??"back")}function holdToWalk(button2,walker2,step){button2.addEventListener("pointerdown",({button:which})=>{which===0&&walker2.press(step)});for(let end of["pointerup","pointercancel","pointerleave"])button2.addEventListener(end,()=>walker2.release(step));button2.addEventListener("click",({detail})=>{detail===0&&walker2.once(step)}),button2.addEventListener("contextmenu",event=>event.preventDefault())}var POLL_ACTIVE=150,POLL_IDLE=1e3,KEPT_JOBS=16,SessionFeed=class{#client;#listener;#jobs=new Map;#chunks=new Set;#waiting=new Set;#snapshot;constructor(client2,snapshot2,listener){this.#client=client2,this.#snapshot=snapshot2,this.#listener=listener}get snapshot(){return this.#snapshot}async start(){this.take(this.#snapshot);try{let{connection}=this.#listener,onOpen=()=>{connection("open"),this.#askForOpenJobs()};for await(let event of this.#client.events({onOpen,onLost:()=>connection("lost")}))event.event==="snapshot"?this.take(event.data):event.event==="job"?this.takeJob(event.data):this.#takeChunk(event.data.jobId,event.data)}catch(error){if(isRefusal(error))return this.#listener.refused();await this.#poll()}}take(snapshot2){this.#snapshot=snapshot2,snapshot2.activeJob&&this.takeJob(snapshot2.activeJob),this.#listener.snapshot(snapshot2),this.#wake()}takeJob(job){let known=this.#jobs.get(job.jobId);if(!(known&&hasEnded(known))){this.#jobs.set(job.jobId,job);for(let id of[...this.#jobs.keys()].slice(0,-KEPT_JOBS))this.#jobs.delete(id);for(let chunk of job.chunks)this.#takeChunk(job.jobId,chunk);this.#listener.job(job),this.#wake()}}async ended(id){for(;;){let job=this.#jobs.get(id);if(job&&hasEnded(job))return job;await this.#change()}}async idle(){for(;this.#snapshot.activeJob||this.#snapshot.phase==="preparing"||this.#openJobs().length>0;)await this.#change()}async refresh(){this.take(await this.#client.session())}#takeChunk(jobId,chunk){let key=\`\${jobId}/\${chunk.blockIndex}\`;this.#chunks.has(key)||(this.#chunks.add(key),this.#listener.chunk(jobId,chunk))}#openJobs(){return[...this.#jobs.values()].filter(job=>!hasEnded(job))}#change(){return new Promise(resolve=>this.#waiting.add(resolve))}#wake(){for(let resolve of this.#waiting)resolve();this.#waiting.clear()}async#askForOpenJobs(){for(let job of this.#openJobs())try{this.takeJob(await this.#client.job(job.jobId))}catch(error){if(!(error instanceof WorldApiError)||error.status===0)continue;this.takeJob({...job,status:"failed",error:{message:error.message,type:"",code:error.code}})}}async#poll(){for(;;){try{await this.refresh(),await this.#askForOpenJobs(),this.#listener.connection("polling")}catch(error){isRefusal(error)&&this.#listener.refused(),this.#listener.connection("lost")}let wait=this.#snapshot.activeJob?POLL_ACTIVE:POLL_IDLE;await new Promise(resolve=>setTimeout(resolve,wait))}}};function hasEnded({status}){return status==="completed"||status==="cancelled"||status==="failed"}function isRefusal(error){return error instanceof WorldApiError&&error.status===401}var RETRIES=20,RETRY_WAIT=100,Turns=class{#feed;#last=Promise.resolve();constructor(feed2){this.#feed=feed2}async take(action){let done=this.#last.then(()=>this.#whenIdle(action));return this.#last=done.catch(()=>{}),await done}async#whenIdle(action){for(let attempt=1;;attempt++){await this.#feed.idle();try{return await action()}catch(error){if(!(error instanceof WorldApiError)||error.code!=="session_busy"||attempt===RETRIES)throw error;await new Promise(resolve=>setTimeout(resolve,RETRY_WAIT)),await this.#feed.refresh()}}}};var FullScreen=class{#world=byId("world",HTMLElement);#button=byId("full",HTMLButtonElement);#hasLeft=!1;constructor(){this.#button.addEventListener("click",()=>this.toggle()),document.addEventListener("fullscreenchange",()=>this.#changed(document.fullscreenElement===this.#world))}get isOn(){return this.#world.classList.contains("full")}toggle(){if(this.isOn)return this.leave();this.#set(!0),this.#hasLeft=!1,this.#world.requestFullscreen?.().catch(()=>{})}leave(){this.#set(!1),this.#hasLeft=!0,document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}#changed(on){on&&this.#hasLeft?this.leave():this.#set(on)}#set(on){this.#world.classList.toggle("full",on),this.#button.setAttribute("aria-pressed",String(on))}};var ChunkPlayer=class{#video;#source=new MediaSource;#buffer;#codec;#queue=Promise.resolve();#jobId;#frameSeconds=0;#cut=!0;#onShown;constructor(video,onShown){this.#video=video,this.#onShown=onShown,video.src=URL.createObjectURL(this.#source)}static get isSupported(){return typeof MediaSource<"u"&&MediaSource.isTypeSupported(typeOf("avc1.42E01E"))&&"requestVideoFrameCallback"in HTMLVideoElement.prototype}get ahead(){return this.#cut?0:Math.max(0,this.#end-this.#video.currentTime)}cut(){this.#cut=!0,this.#jobId=void 0}append(chunk){let appended=this.#queue.then(()=>this.#append(chunk));return this.#queue=appended.catch(()=>{}),appended}get#end(){let ranges=this.#buffer?.buffered;return ranges?.length?ranges.end(ranges.length-1):0}async#append({jobId,codec,frames,bytes}){let video=this.#video,file=await bytes,buffer=await this.#open(codec),isCut=this.#cut,opens=jobId!==this.#jobId,end=this.#end,start2=opens&&!isCut?end-this.#frameSeconds+.002:end;opens&&(buffer.timestampOffset=start2),this.#jobId=jobId,this.#cut=!1,await settled(buffer,()=>buffer.appendBuffer(file)),this.#frameSeconds=(this.#end-start2)/frames,isCut?(video.currentTime=start2+.001,this.#notifyWhenShown(start2)):video.currentTime>end+this.#frameSeconds&&(video.currentTime=end),video.paused&&video.play().catch(()=>{}),await this.#forget(buffer)}#notifyWhenShown(start2){this.#video.requestVideoFrameCallback((_now,{mediaTime})=>{this.#cut||(mediaTime+.001>=start2?this.#onShown():this.#notifyWhenShown(start2))})}async#open(codec){return this.#source.readyState!=="open"&&await new Promise(resolve=>this.#source.addEventListener("sourceopen",resolve,{once:!0})),this.#buffer&&this.#codec!==codec&&this.#buffer.changeType(typeOf(codec)),this.#codec=codec,this.#buffer??=this.#source.addSourceBuffer(typeOf(codec))}async#forget(buffer){let until=this.#video.currentTime-10;buffer.buffered.length>0&&buffer.buffered.start(0)<until&&await settled(buffer,()=>buffer.remove(0,until))}};function typeOf(codec){return\`video/mp4; codecs="\${codec}"\`}function settled(buffer,change){return new Promise((resolve,reject)=>{let end=new AbortController,{signal}=end;buffer.addEventListener("updateend",()=>(end.abort(),resolve()),{signal}),buffer.addEventListener("error",()=>{end.abort(),reject(new Error("Cannot play the video: the browser could not read a chunk of it"))},{signal}),change()})}var SHARPEN=\`
  precision mediump float;
  uniform sampler2D picture;
  uniform vec2 pixel;
  varying vec2 at;
  void main() {
    vec3 middle = texture2D(picture, at).rgb;
    vec3 up = texture2D(picture, at - vec2(0.0, pixel.y)).rgb;
    vec3 down = texture2D(picture, at + vec2(0.0, pixel.y)).rgb;
    vec3 left = texture2D(picture, at - vec2(pixel.x, 0.0)).rgb;
    vec3 right = texture2D(picture, at + vec2(pixel.x, 0.0)).rgb;
    vec3 least = min(middle, min(min(up, down), min(left, right)));
    vec3 most = max(middle, max(max(up, down), max(left, right)));
    vec3 room = clamp(min(least, 1.0 - most) / max(most, 0.004), 0.0, 1.0);
    vec3 contrast = most - least;
    // One weight for all colours, so that edges keep theirs; steps of a gradient are no edges.
    float edge = smoothstep(0.008, 0.04, max(contrast.r, max(contrast.g, contrast.b)));
    float weight = sqrt(min(room.r, min(room.g, room.b))) * edge * -0.18;
    gl_FragColor = vec4((middle + (up + down + left + right) * weight) / (1.0 + 4.0 * weight), 1.0);
  }\`,ENLARGE=\`
  precision highp float;
  uniform sampler2D picture;
  uniform vec2 axis;
  uniform vec2 pixel;
  varying vec2 at;
  void main() {
    float place = dot(at / pixel, axis) - 0.5;
    float f = fract(place);
    vec2 one = axis * pixel;
    vec2 middle = at - one * f;
    float w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
    float w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    float w2 = f * (0.5 + f * (2.0 - 1.5 * f));
    float w3 = f * f * (-0.5 + 0.5 * f);
    gl_FragColor = vec4(
      texture2D(picture, middle - one).rgb * w0 + texture2D(picture, middle).rgb * w1 +
      texture2D(picture, middle + one).rgb * w2 + texture2D(picture, middle + 2.0 * one).rgb * w3, 1.0);
  }\`,CORNERS=\`
  attribute vec2 corner;
  varying vec2 at;
  uniform float up;
  void main() {
    at = vec2(0.5 + 0.5 * corner.x, 0.5 + 0.5 * up * corner.y);
    gl_Position = vec4(corner, 0.0, 1.0);
  }\`,MOST_PIXELS=768*512,MOST_PIXELS_OF_GPU=4096*2304,STORED2="svc.smooth",SmoothPicture=class{#canvas=byId("smooth",HTMLCanvasElement);#video=byId("video",HTMLVideoElement);#still=byId("still",HTMLImageElement);#button=byId("smooth-on",HTMLButtonElement);#onSwitch;#pen;#isOn;constructor(onSwitch){this.#onSwitch=onSwitch,this.#isOn=localStorage.getItem(STORED2)!=="off",this.#button.addEventListener("click",()=>{this.#isOn=!this.#isOn,localStorage.setItem(STORED2,this.#isOn?"on":"off"),this.#switched()}),this.#pen=openPen(this.#canvas),this.#canvas.addEventListener("webglcontextlost",event=>{event.preventDefault(),this.#pen=void 0,this.draw()}),this.#canvas.addEventListener("webglcontextrestored",()=>{this.#pen=openPen(this.#canvas),this.draw()}),new ResizeObserver(()=>this.draw()).observe(this.#canvas.parentElement);let{requestVideoFrameCallback}=HTMLVideoElement.prototype;requestVideoFrameCallback!==void 0&&this.#follow(),this.#switched()}draw(){let still=!this.#still.hidden,size=still?{width:this.#still.naturalWidth,height:this.#still.naturalHeight}:{width:this.#video.videoWidth,height:this.#video.videoHeight},shows=this.#isOn&&this.#pen!==void 0&&size.width>0&&(still||this.#video.readyState>=2)&&this.#fit(this.#pen.mostPixels,size)&&this.#pen.draw(still?this.#still:this.#video,size);this.#canvas.hidden=!shows&&!(this.#isOn&&this.#pen&&size.width>0&&!still&&!this.#canvas.hidden);for(let other of[this.#video,this.#still])this.#canvas.hidden?other.removeAttribute("aria-hidden"):other.setAttribute("aria-hidden","true")}#follow(){this.#video.requestVideoFrameCallback(()=>{this.#still.hidden&&this.draw(),this.#follow()})}#switched(){this.#button.setAttribute("aria-pressed",String(this.#isOn)),this.#onSwitch(this.#isOn),this.draw()}#fit(mostPixels,{width,height}){let{clientWidth,clientHeight}=this.#canvas.parentElement,[wide,high]=[clientWidth*devicePixelRatio,clientHeight*devicePixelRatio];if(wide<=width||high<=height)return!1;let less=Math.min(1,Math.sqrt(mostPixels/(wide*high))),[columns,rows2]=[Math.round(wide*less),Math.round(high*less)];return this.#canvas.width!==columns&&(this.#canvas.width=columns),this.#canvas.height!==rows2&&(this.#canvas.height=rows2),!0}};function openPen(canvas){let gl=canvas.getContext("webgl",{alpha:!1,antialias:!1,depth:!1});if(!gl||gl.isContextLost())return;let[sharpen,enlarge]=[programOf(gl,SHARPEN),programOf(gl,ENLARGE)];if(!sharpen||!enlarge)return;gl.bindBuffer(gl.ARRAY_BUFFER,gl.createBuffer()),gl.bufferData(gl.ARRAY_BUFFER,new Float32Array([-1,-1,3,-1,-1,3]),gl.STATIC_DRAW),gl.enableVertexAttribArray(0),gl.vertexAttribPointer(0,2,gl.FLOAT,!1,0,0);let given=textureOf(gl),[sharpened,widened]=[new Target(gl),new Target(gl)],pass=(program,texture,size,axis,to)=>{gl.bindFramebuffer(gl.FRAMEBUFFER,to?.buffer??null),gl.useProgram(program.program),gl.bindTexture(gl.TEXTURE_2D,texture),gl.uniform2f(program.pixel,1/size.width,1/size.height),gl.uniform2f(program.axis,...axis),gl.uniform1f(program.up,to?1:-1);let{width,height}=to?.size??canvas;gl.viewport(0,0,width,height),gl.drawArrays(gl.TRIANGLES,0,3)};return{mostPixels:isSoftware(gl)?MOST_PIXELS:MOST_PIXELS_OF_GPU,draw(picture,size){let wide={width:canvas.width,height:size.height};sharpened.resize(size),widened.resize(wide),gl.bindTexture(gl.TEXTURE_2D,given);try{gl.texImage2D(gl.TEXTURE_2D,0,gl.RGB,gl.RGB,gl.UNSIGNED_BYTE,picture)}catch{return!1}return pass(sharpen,given,size,[0,0],sharpened),pass(enlarge,sharpened.texture,size,[1,0],widened),pass(enlarge,widened.texture,wide,[0,1]),!0}}}var Target=class{texture;buffer;#gl;#size={width:0,height:0};constructor(gl){this.#gl=gl,this.texture=textureOf(gl),this.buffer=gl.createFramebuffer()}get size(){return this.#size}resize({width,height}){if(width===this.#size.width&&height===this.#size.height)return;let gl=this.#gl;this.#size={width,height},gl.bindTexture(gl.TEXTURE_2D,this.texture),gl.texImage2D(gl.TEXTURE_2D,0,gl.RGB,width,height,0,gl.RGB,gl.UNSIGNED_BYTE,null),gl.bindFramebuffer(gl.FRAMEBUFFER,this.buffer),gl.framebufferTexture2D(gl.FRAMEBUFFER,gl.COLOR_ATTACHMENT0,gl.TEXTURE_2D,this.texture,0)}};function programOf(gl,fragment){let program=gl.createProgram();for(let[type,text]of[[gl.VERTEX_SHADER,CORNERS],[gl.FRAGMENT_SHADER,fragment]]){let shader=gl.createShader(type);if(!shader)return;gl.shaderSource(shader,text),gl.compileShader(shader),gl.attachShader(program,shader)}if(gl.bindAttribLocation(program,0,"corner"),gl.linkProgram(program),!gl.getProgramParameter(program,gl.LINK_STATUS))return;let[pixel,axis,up]=["pixel","axis","up"].map(name=>gl.getUniformLocation(program,name));return{program,pixel,axis,up}}function textureOf(gl){let texture=gl.createTexture();gl.bindTexture(gl.TEXTURE_2D,texture);for(let side of[gl.TEXTURE_WRAP_S,gl.TEXTURE_WRAP_T])gl.texParameteri(gl.TEXTURE_2D,side,gl.CLAMP_TO_EDGE);for(let filter of[gl.TEXTURE_MIN_FILTER,gl.TEXTURE_MAG_FILTER])gl.texParameteri(gl.TEXTURE_2D,filter,gl.NEAREST);return texture}function isSoftware(gl){let named=gl.getExtension("WEBGL_debug_renderer_info"),renderer=named?String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)):"";return/swiftshader|llvmpipe|software|basic render/i.test(renderer)}var WORTH=.75;function fitPicture(picture,room,ratio,smooth){let most=Math.min(room.width/picture.width,room.height/picture.height),whole=Math.floor(most*ratio+1e-6)/ratio,sharp=!smooth&&whole>0&&whole/most>=WORTH,factor=sharp?whole:Math.max(0,most);return{width:picture.width*factor,height:picture.height*factor,sharp}}var StageBox=class{#room=byId("room",HTMLElement);#box=byId("stage",HTMLElement);#frame={width:3,height:2};#known=!1;#smooth=!0;constructor(){let fit=()=>this.#fit();new ResizeObserver(fit).observe(this.#room),addEventListener("resize",fit)}frame({width,height}){this.#known=!0,this.#set({width,height})}picture(size){!this.#known&&size.width>0&&this.#set(size)}smooth(on){this.#smooth=on,this.#fit()}isFrame({width,height}){return width===this.#frame.width&&height===this.#frame.height}#set(frame){frame.width===this.#frame.width&&frame.height===this.#frame.height||(this.#frame=frame,this.#fit())}#fit(){let style=getComputedStyle(this.#room),most=parseFloat(style.maxHeight),height=Number.isFinite(most)?most:this.#room.clientHeight,fit=fitPicture(this.#frame,{width:this.#room.clientWidth,height},devicePixelRatio,this.#smooth),{style:box}=this.#box;box.width=\`\${fit.width}px\`,box.height=\`\${fit.height}px\`,this.#box.classList.toggle("sharp",fit.sharp),this.#align()}#align(){let{style}=this.#box;style.left=style.top="0";let{left,top}=this.#box.getBoundingClientRect(),off=at2=>\`\${Math.round(at2*devicePixelRatio)/devicePixelRatio-at2}px\`;[style.left,style.top]=[off(left+scrollX),off(top+scrollY)]}};var NO_VIDEO="This browser cannot play the video stream of the world (H.264 through MediaSource); each move shows its last frame instead",NOWHERE="nowhere",Stage=class{#client;#messages;#box=new StageBox;#smooth=new SmoothPicture(on=>this.#box.smooth(on));#still=byId("still",HTMLImageElement);#player;#snapshot;#shown;#running=new Set;#played;#start;constructor(client2,messages2,start2){this.#client=client2,this.#messages=messages2,this.#start=start2;let onShown=()=>this.#cover(!1);ChunkPlayer.isSupported?this.#player=new ChunkPlayer(byId("video",HTMLVideoElement),onShown):messages2.say(\`\${NO_VIDEO}.\`)}frame(size){this.#box.frame(size)}get ahead(){return document.hidden?0:this.#player?.ahead??0}snapshot(snapshot2){this.#snapshot=snapshot2,this.#settle()}job({jobId,status,receipt,rolloutReceipt}){if(!(status==="completed"||status==="cancelled"||status==="failed")){this.#running.add(jobId),this.#snapshot=void 0;return}this.#running.delete(jobId),status==="completed"&&this.#player?this.#shown=(receipt??rolloutReceipt)?.stateId:this.#played===jobId&&(this.#shown=void 0),this.#settle()}async chunk(jobId,{mediaPath,codec,pixelFrameCount:frames}){let player=this.#player;if(!player)return!1;this.#played=jobId;let bytes=this.#client.media(mediaPath);try{return await player.append({jobId,codec,frames,bytes}),!0}catch(error){return await bytes.then(()=>!0,()=>!1)&&this.#giveVideoUp(error),!1}}#giveVideoUp(error){this.#player&&(this.#player=void 0,this.#shown=void 0,this.#messages.fail(error),this.#settle())}#settle(){let snapshot2=this.#snapshot;if(!snapshot2||snapshot2.activeJob||this.#running.size>0)return;let next=snapshot2.currentStateId??NOWHERE;next!==this.#shown&&(this.#shown=next,this.#player?.cut(),this.#messages.attempt(()=>this.#showStill(snapshot2.currentFrameMediaPath)))}async#showStill(path){let state=this.#shown,bytes=path===void 0?this.#start:await this.#client.media(path);if(state!==this.#shown)return;if(bytes===void 0)return this.#cover(!1);let picture=URL.createObjectURL(new Blob([bytes]));URL.revokeObjectURL(this.#still.src),this.#still.src=picture,await this.#still.decode();let size={width:this.#still.naturalWidth,height:this.#still.naturalHeight};this.#box.picture(size),this.#still.classList.toggle("frame",this.#box.isFrame(size)),this.#cover(!0)}#cover(by){this.#still.hidden=!by,this.#smooth.draw()}};var WINDOW=1e3,StatsView=class{#text=byId("stats",HTMLElement);#button=byId("stats-on",HTMLButtonElement);#video=byId("video",HTMLVideoElement);#asked;#latency;#made;#frames=0;#shown=[];#stillness;constructor(){this.#button.addEventListener("click",()=>this.#toggle())}asked({jobId:id},at2){this.#asked={id,at:at2},this.#frames=0}chunk(jobId,{blockIndex,pixelFrameCount}){if(jobId!==this.#asked?.id)return;let elapsed=performance.now()-this.#asked.at;blockIndex===0&&(this.#latency=elapsed),this.#frames+=pixelFrameCount,this.#made=this.#frames/elapsed*1e3,this.#show()}#toggle(){let on=this.#text.hidden;this.#text.hidden=!on,this.#button.setAttribute("aria-pressed",String(on)),on&&(this.#show(),this.#count())}#count(){this.#text.hidden||!("requestVideoFrameCallback"in this.#video)||this.#video.requestVideoFrameCallback(now=>{this.#shown=[...this.#shown.filter(at2=>at2>now-WINDOW),now],clearTimeout(this.#stillness),this.#stillness=setTimeout(()=>{this.#shown=[],this.#show()},WINDOW),this.#show(),this.#count()})}#show(){if(this.#text.hidden)return;let number=(value,unit)=>value===void 0?"–":\`\${Math.round(value)} \${unit}\`,lines=[\`First frames after \${number(this.#latency,"ms")}\`,\`Made \${number(this.#made,"frames/s")}\`,\`Shown \${number(this.#rate,"frames/s")}\`];setText(this.#text,lines.join(\`
\`))}get#rate(){let[first=0,...others]=this.#shown;return others.length>0?others.length/(others[others.length-1]-first)*1e3:void 0}};var FRAMES={arworld:9,actionworld:17},Walker=class{#parts;#held=[];#next;#walking=!1;#stops=0;#running;constructor(parts2){this.#parts=parts2}press(step){this.#held.push(step),this.once(step)}release(step){this.#held=this.#held.filter(held2=>held2!==step)}exchange(step,rest){this.#held=this.#held.map(held2=>held2===step?rest:held2),this.#next===step&&(this.#next=rest)}releaseAll(){this.#held=[]}once(step){this.#next=step,this.#walk()}async cancel(){this.#held=[],this.#next=void 0,this.#stops++;let id=this.#running??this.#parts.feed.snapshot.activeJob?.jobId;id!==void 0&&await this.#parts.client.cancel(id)}async backTo(stateId){let{feed:feed2}=this.#parts;for(let walks2=!0;walks2;walks2=await this.#walkBack()){await feed2.idle();let{currentStateId:here,stateIds:path}=feed2.snapshot;if(here===stateId||!path.includes(stateId))return}}async#walk(){if(!this.#walking){this.#walking=!0;try{for(let step=this.#take();step;step=this.#take())step==="back"?await this.#walkBack():await this.#go(step.camera(this.#parts.size()),step.done,FRAMES[this.#parts.feed.snapshot.backend]),await this.#caughtUp()}catch(error){this.#held=[],this.#next=void 0,this.#parts.messages.fail(error)}finally{this.#walking=!1}}}#take(){let step=this.#next??this.#held.at(-1);return this.#next=void 0,step}async#caughtUp(){let{stage:stage2,lead:lead2}=this.#parts;for(let wait=stage2.ahead-lead2.seconds;wait>0;wait=stage2.ahead-lead2.seconds)await new Promise(resolve=>setTimeout(resolve,1e3*wait))}async#walkBack(){let{feed:feed2,walks:walks2}=this.#parts;await feed2.idle();let{snapshot:snapshot2}=feed2;return await this.#go(inverseMove(snapshot2,await walks2.of(snapshot2)),"Walked on")}async#go(camera,done,frames){let{client:client2,feed:feed2,turns:turns2,begin:begin2,scene,asked}=this.#parts;await begin2();let stops=this.#stops,job=await turns2.take(async()=>{let at2=performance.now(),accepted=await client2.startTransition({...scene(),camera,...frames&&{numFrames:frames}});return asked(accepted,at2),feed2.takeJob(accepted),accepted});stops!==this.#stops&&feed2.takeJob(await client2.cancel(job.jobId)),this.#running=job.jobId;let ended=await feed2.ended(job.jobId).finally(()=>this.#running=void 0);return this.#report(ended,done),ended.status==="completed"}#report({status,receipt,error},done){let{messages:messages2}=this.#parts;if(status==="failed")throw new Error(error?.message??"Cannot finish the move: the server gave no reason");if(status==="cancelled")return messages2.say("Move stopped; the walk is where it was.");messages2.say(receipt?.replayed?"Walked back.":\`\${done}, now at state \${receipt?.transitionIndex}.\`)}},LEAST=.35,MOST=2.5,RESERVE=1.4,MEMORY=.97,Lead=class{#asked;#slowest=0;asked(jobId,at2){this.#asked={id:jobId,at:at2}}loads(jobId){jobId===this.#asked?.id&&(this.#asked=void 0)}shown(jobId,at2){if(jobId!==this.#asked?.id)return;let taken=(at2-this.#asked.at)/1e3;this.#slowest=Math.max(taken,this.#slowest*MEMORY),this.#asked=void 0}get seconds(){return Math.min(MOST,Math.max(LEAST,this.#slowest*RESERVE))}};var WorldsView=class{#worlds;#list=byId("worlds",HTMLElement);#name=byId("world-name",HTMLInputElement);#key;constructor(worlds2,messages2){this.#worlds=worlds2,byId("worlds-form",HTMLFormElement).addEventListener("submit",event=>{event.preventDefault(),messages2.attempt(()=>this.#open())}),addEventListener("focus",()=>{this.show().catch(()=>{})}),byId("worlds-panel",HTMLElement).hidden=!1}async show(){let worlds2=await this.#worlds.fetch(),here=worlds2.find(world=>this.#worlds.shows(world));here&&(byId("world-link",HTMLTextAreaElement).value=this.#worlds.linkTo(here)),setText(byId("worlds-count",HTMLElement),\`\${worlds2.length}\`);let focused=document.activeElement?.getAttribute("href");this.#list.replaceChildren(...worlds2.map((world,index)=>this.#item(world,index))),focused&&this.#list.querySelector(\`a[href="\${CSS.escape(focused)}"]\`)?.focus()}#item(world,index){let isHere=this.#worlds.shows(world),state=isHere?"this world":world.parked?"parked":world.phase;return element("li",{},element("a",{href:this.#worlds.linkTo(world),...isHere&&{"aria-current":"page"}},world.name??(world.default?"First world":\`World \${index+1}\`)),element("span",{class:"hint"},state))}async#open(){this.#key??=crypto.getRandomValues(new Uint32Array(4)).join("-");let world=await this.#worlds.open(this.#name.value.trim(),this.#key);this.#key=void 0,location.assign(this.#worlds.linkTo(world))}};var FILES=["node","fs/promises"].join(":"),WORDS=OPPOSITE_KEYS.reduce((words,pair)=>words.flatMap(word=>[word,...pair.map(key=>word+key)]),[""]),SVC="npm start --silent --",MAX_WORDS=84;function walkScript(walk,path,server){let{sourcePath:source}=walk,moves=path.slice(1).map(id=>walk.states.find(({stateId})=>stateId===id)?.move?.request);if(source===void 0||moves.length===0||moves.includes(void 0))return{};let requests=moves,command=commandOf(requests,source,server);return{program:programOf2(requests,source,server),...command!==void 0&&{command}}}function commandOf(requests,source,server){let[first]=requests;if(!isTransition(first))return;let words=[];for(let[i,request]of requests.entries()){let before=requests[i-1];if(!isTransition(request)||before&&isTransition(before)&&undoes(before.camera,request.camera))return;let word=wordOf(request.camera);if(word===void 0||!sameBut(first,request))return;words.push(word===""?".":word)}if(["steps","guidanceScale","shift","modelSpaceActions"].some(name=>!isDefault(first,name)))return;let{prompt,seed,numFrames,fps,width=0,height=0}=first;if(!(words.length>MAX_WORDS||width%32!==0||height%32!==0||height>704))return[\`\${SVC} world walk \${words.join(" ")} --moves --frames \${numFrames}\`,\`--source \${quoted(source)}\`,\`--prompt\${prompt.startsWith("-")?"=":" "}\${quoted(prompt)}\`,\`--seed \${seed} --fps \${fps} --width \${width} --height \${height}\`,\`--url \${server}\`].join(\` \\\\
  \`)}function sameBut({camera:_a,...one},{camera:_b,...other}){return JSON.stringify(one)===JSON.stringify(other)}var DEFAULTS={guidanceScale:1,shift:3};function isDefault(request,name){let value=request[name];return value===void 0||value===DEFAULTS[name]}function undoes(before,camera){let inverse=inverseCamera(before);return inverse!==void 0&&isSame(inverse,camera)}function wordOf(camera){return WORDS.find(keys=>isSame(cameraOfKeys(keys,MOVE_SIZE),camera))}function isSame(one,other){let numbers=camera=>JSON.stringify([camera.motion,camera.translationMeters,camera.rotationDegrees]);return numbers(one)===numbers(other)}function programOf2(requests,source,server){let lines=requests.map(request=>\`await made(client.\${isTransition(request)?"startTransition":"startRollout"}(\${JSON.stringify(request)}));\`);return[\`import { readFile, writeFile } from "\${FILES}";\`,'import { type JobRecord, WorldClient } from "@svc/sdk/client";',"",\`const client = new WorldClient(\${JSON.stringify(server)}); // a second argument names the key: { apiKey }\`,"const made = async (job: Promise<JobRecord>) => await client.awaitJob((await job).jobId);",\`await client.uploadSource(await readFile(\${JSON.stringify(source)}));\`,...lines,'await writeFile("walk.mp4", await client.media("/v1/world/session/walk/media/output"));',""].join(\`
\`)}function isTransition(request){return"camera"in request}function quoted(text){return/^[\\w@%+=:,./-]+$/.test(text)?text:\`'\${text.replaceAll("'","'\\\\''")}'\`}function walkButtons({client:client2,feed:feed2,messages:messages2,snapshot:snapshot2}){let on=(id,action)=>byId(id,HTMLButtonElement).addEventListener("click",()=>{messages2.attempt(action)});on("save-walk",async()=>{let{videoMediaPath:path}=await feed2.fetch();if(path===void 0)throw new Error("Cannot save the walk: there is no move yet, walk first");messages2.say("Joining the video of the walk.");let bytes=await client2.media(path),url=URL.createObjectURL(new Blob([bytes],{type:"video/mp4"}));element("a",{href:url,download:"walk.mp4"}).click(),setTimeout(()=>URL.revokeObjectURL(url),6e4),messages2.say("Saved this walk as walk.mp4.")}),on("copy-walk",async()=>{let script=walkScript(await feed2.fetch(),snapshot2().stateIds,baseOf(location.href));if(script.program===void 0)throw new Error("Cannot say how to make this walk again: a part of it is no longer known, start over and walk");let copied=await copyText(script.command??script.program);show(script.command,script.program,copied);let what=script.command===void 0?"program":"command";copied&&messages2.say(\`Copied the \${what} that makes this walk again.\`)});for(let button2 of document.querySelectorAll("[data-copy]"))button2.addEventListener("click",()=>{messages2.attempt(()=>copy(button2))})}function showWalkButtons({stateIds:path}){for(let id of["save-walk","copy-walk"])byId(id,HTMLButtonElement).disabled=path.length<2}function show(command,program,copied){byId("repeat-line",HTMLElement).hidden=command===void 0,byId("repeat-note",HTMLElement).textContent=command===void 0?\`\${copied?"Copied: this":"This"} walk does not fit into one command, but into this program. It starts over in this world, and discards the walk that is there then.\`:\`\${copied?"The command is copied. It":"The command"} runs in a clone; where svc is installed, begin it with svc instead of \${SVC}. Both make the same pictures again: they start over in this world, and discard the walk that is there then.\`,fill("repeat-command",command??""),fill("repeat-code",program);let first=command===void 0?"repeat-code":"repeat-command";for(let button2 of document.querySelectorAll("#repeat [data-copy]"))button2.textContent=copied&&button2.dataset.copy===first?"Copied":"Copy";byId("repeat",HTMLDialogElement).showModal()}function fill(id,text){let field=byId(id,HTMLTextAreaElement);field.value=text,field.setSelectionRange(0,0)}async function copy(button2){let field=byId(button2.dataset.copy??"",HTMLTextAreaElement);if(field.select(),!await copyText(field.value))throw new Error("Cannot reach the clipboard: copy the selected text yourself");button2.textContent="Copied"}async function copyText(text){return await navigator.clipboard?.writeText(text).then(()=>!0,()=>!1)??!1}var CONNECTIONS={open:"Connected",polling:"Connected, polling every second",lost:"Connection lost, trying again",ended:"The world has stopped, load the page again"},messages=new Messages,isUnreachable=error=>error instanceof WorldApiError&&error.status===0,showConnection=connection=>{let shown=byId("connection",HTMLElement);shown.dataset.is!=="ended"&&(connection!=="lost"&&messages.over(isUnreachable,"Connected again."),shown.dataset.is=connection,setText(shown,CONNECTIONS[connection]))},{client,snapshot,worlds,warnings}=await openClient((error,connection)=>{showConnection(connection),messages.fail(error)}),startImage=await client.startImage().catch(()=>{}),stage=new Stage(client,messages,startImage),stats=new StatsView,lead=new Lead,fields=new SceneFields,walksAtOnce=location.hash==="#walk",walks=new WalkFeed(client,walk=>{walk.frame&&stage.frame(walk.frame),plan.take(walk),showStates(feed.snapshot)}),feed=new SessionFeed(client,snapshot,{snapshot:now=>{stage.snapshot(now),showBackend(now),showReadouts(now),showIdle(now),saved.snapshot(now),showWalkButtons(now),showStates(now),walks.snapshot(now),byId("welcome",HTMLElement).hidden=walksAtOnce||now.currentStateId!==void 0},job:job=>{showJob(job),stage.job(job),job.progress?.stage==="preparing"&&lead.loads(job.jobId)},chunk:(jobId,chunk)=>{stage.chunk(jobId,chunk).then(shown=>{shown&&(lead.shown(jobId,performance.now()),stats.chunk(jobId,chunk))})},connection:showConnection,refused:()=>{forgetKey(),location.reload()}}),turns=new Turns(feed),keyOf=move=>keyName(MOVES[move].key),startHere=async()=>{let image=new Blob([await client.startImage()],{type:"image/png"});feed.take(await turns.take(()=>client.uploadSource(image))),messages.say(\`Here you are. \${keyOf("forward")} walks forward, \${keyOf("yawLeft")} and \${keyOf("yawRight")} turn.\`),messages.attempt(async()=>{await turns.take(()=>client.prepare())})},start=await client.start().catch(()=>{}),hasStart=start!==void 0;start&&fields.fill(start.prompt);var begin=async()=>{if(feed.snapshot.currentStateId===void 0&&(await feed.refresh(),feed.snapshot.currentStateId===void 0)){if(!hasStart)throw new Error("Cannot walk: there is no picture to start from, choose one");await startHere()}},walker=new Walker({client,feed,turns,stage,lead,walks,messages,scene:()=>fields.read(),size:readMoveSize,asked:(job,at2)=>{lead.asked(job.jobId,at2),stats.asked(job,at2)},begin}),saved=new CheckpointsView(client,turns,messages,()=>showStates(feed.snapshot)),stateActions={restore:checkpoint=>{saved.restore(checkpoint)},reversible:now=>reversibleStates(walks.walk,now),backTo:id=>{messages.attempt(()=>walker.backTo(id))}},graph=new GraphView(stateActions),plan=new PlanView(stateActions);function showStates(now){graph.show(now,saved.checkpoints),plan.show(now,saved.checkpoints)}var fullScreen=new FullScreen,cancel=()=>{fullScreen.leave(),messages.attempt(()=>walker.cancel())},keysOn=byId("keys-on",HTMLInputElement);walkByButtons(walker);var held=new HeldKeys(walker);walkByKeyboard(held,walker,{cancel,fullScreen:()=>fullScreen.toggle(),lettersWalk:()=>keysOn.checked});walkBySticks(held);walkByGamepad(held,walker);byId("cancel",HTMLButtonElement).addEventListener("click",()=>{messages.attempt(()=>walker.cancel())});byId("custom-form",HTMLFormElement).addEventListener("submit",event=>{event.preventDefault();try{walker.once(readCustomMove()),byId("stage",HTMLElement).scrollIntoView({block:"nearest"})}catch(error){messages.fail(error)}});hasStart&&(byId("welcome-text",HTMLElement).textContent=\`Walk into this picture: press \${keyOf("forward")}, or click it.\`,byId("walk-in",HTMLButtonElement).hidden=!1);var stepIn=()=>walker.once(MOVES.forward),walkIn=()=>{hasStart&&feed.snapshot.currentStateId===void 0&&stepIn()};byId("walk-in",HTMLButtonElement).addEventListener("click",walkIn);for(let id of["still","video"])byId(id,HTMLElement).addEventListener("click",walkIn);var parts={client,turns,messages,snapshot:()=>feed.snapshot};takePictures(parts);var places=new PlacesView({...parts,walkIn:stepIn,warnings});start&&messages.attempt(()=>places.show(start.places));walkButtons({client,feed:walks,messages,snapshot:parts.snapshot});sessionButtons(parts);worlds&&messages.attempt(()=>new WorldsView(worlds,messages).show());await walks.fetch().catch(()=>{});var walked=lastPrompt(walks.walk);walked!==void 0&&fields.fill(walked,start?.prompt);feed.start();walksAtOnce&&walkIn();
`;

/** Its icon, an SVG. */
export const pageIcon: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#14171c" />
  <path d="M4 27 12 12h8l8 15zM12 12V6h8v6" fill="none" stroke="#f2b155" stroke-width="2" stroke-linejoin="round" />
  <circle cx="16" cy="17" r="2.5" fill="#f2b155" />
</svg>
`;
