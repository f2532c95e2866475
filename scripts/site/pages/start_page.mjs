/** The first page. */

/**
 * @param {object} parts
 * @param {string} parts.picture path of the picture that a walk begins with, below the site
 * @param {string} parts.walk path of the pictures of a walk
 * @param {number} parts.megabytes what a browser loads to walk
 * @returns {import("./layout.mjs").Page}
 */
export function startPage({ picture, walk, megabytes }) {
  return {
    path: "index.html",
    title: "svc: generated worlds and local models",
    description: "Generated worlds on whatever GPU you own, or on none; local models behind the OpenAI interface.",
    kind: "start",
    scripts: ["start.js"],
    body: `<section class="hero">
<div class="words">
<h1>Generated worlds on whatever GPU you own, or on none</h1>
<p class="lead">A camera move goes in, a video chunk comes out, and the place stays the same place. The one beside this
text is made in your browser: no server, no account, nothing to install.</p>
<p class="choices"><a class="button" href="walk/">Walk on a page of its own</a>
<a class="button" href="guides/index.html">Read the guides</a></p>
</div>
<div class="world" id="world">
<img src="${picture}" alt="A corridor with doors and lamps: where the walk begins">
<a class="button primary" id="enter" href="walk/">Walk in</a>
<p class="hint">Loads ${megabytes} MB, once. Keys: W A S D move, J L turn, I K look.</p>
</div>
</section>
<section aria-labelledby="parts">
<h2 id="parts">Three things in one package</h2>
<div class="parts">
<article><h3>World sessions</h3>
<p>A session is a graph of moves: the reverse key returns frame by frame to exactly the state it came from, saved places
continue bit for bit, failed jobs leave nothing behind.</p>
<pre tabindex="0"><code>npx @svc/sdk world serve</code></pre>
<p><a href="guides/world-session.html">Routes, fields, limits</a></p></article>
<article><h3>Local models</h3>
<p>Chats, embeddings, reranking, speech, transcription, images and geometry for OpenAI clients, each model in a process
of its own, within the memory that you allow.</p>
<pre tabindex="0"><code>npx @svc/sdk api serve</code></pre>
<p><a href="guides/model-api.html">Every rule</a></p></article>
<article><h3>Provider manifests</h3>
<p>A validator that finds everything at once and says where, a linter, a JSON Schema, types, and a diff that names the
version to release.</p>
<pre tabindex="0"><code>npx @svc/sdk manifest validate FILE</code></pre>
<p><a href="manifest/index.html">Try it here</a></p></article>
</div>
</section>
<section aria-labelledby="program" class="split">
<div><h2 id="program">From a program</h2>
<p>One TypeScript package for Deno, Node 20 and later, and browsers. A model is written once, as a graph; the same graph
runs as WGSL on any GPU and on ONNX Runtime where there is none.</p>
<p><a href="api/index.html">API reference</a></p></div>
<pre tabindex="0"><code>import { openWorld } from "@svc/sdk";

await using world = await openWorld();
for await (const block of world.walk(["w", "w", "l"])) {
  console.log(block.frames.count, "frames");
}
await world.move("w", { frames: 9 });
await world.back(); // frame by frame to where it came from</code></pre>
</section>
<section aria-labelledby="seen">
<h2 id="seen">A walk, block by block</h2>
<img class="walk" src="${walk}" alt="Pictures of a walk through a generated corridor: the source, then the end of each block" loading="lazy">
<p class="hint">The embedded world is small enough to be shipped; <a href="guides/benchmarks.html">benchmarks</a> and the
<a href="models/corridor-nano.html">model card</a> say how fast and how good it is.</p>
</section>`,
  };
}
