import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What has an order: one of them comes after another, not behind it. */
const SEQUENCE =
  "prompts?|answers?|tokens?|texts?|end|messages?|prefix(?:es)?|numbers?|names?|values?|marks?|frames?|" +
  "headers?|sounds?|words?|pauses?|spaces?|bytes|zeros|images?|match|layers?|pooling|digits?|point|brackets|tags?|" +
  "start|template|steps?|window|speech|reasoning|quotes";

/** Programs and data, which are "which" and "that", not "who". */
const PROGRAMS = "processes|process|servers?|workers?|requests?|programs?|engines?|models?|chats|moves|jobs|worlds?";

/**
 * Expressions that are not idiomatic English, or that describe code as a person, and what to write instead. A pattern
 * here has hardly any right use: an exception is part of its expression.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\bthere )\b(?:is|are) none\b(?! (?:of|and|\}\})|\/)/, '"is not an X", "is invalid"'],
  [
    /(?<!\bthere )\b(?:that|which|what|it|they) (?:is|are) no (?!longer|more|better|smaller|larger|such)/i,
    '"is not an X"',
  ],
  [/\b(?:go|goes|going|went) on\b(?! forever)/i, '"continues", "resumes", "keeps running"'],
  [/\b(?:is|are|be) felt\b/i, '"is checked", "takes effect"'],
  [/\bhangs? on nothing\b/i, '"has no dependencies"'],
  [/\bof before\b/i, '"previous", "earlier"'],
  [/\bmaximum number of maximum\b/i, '"combined limit of"'],
  [/\b(?:told|tells?) (?:\w+ ){0,3}apart\b/i, '"distinguished", "identified"'],
  [
    /\b(?:is|are|was|were|been|being|unless|when) told\b|\btold (?:of|that|why|what|to)\b/i,
    '"is notified", "is set", "by default"',
  ],
  [/(?<![.#])\btells\b/i, '"reports", "lists", "shows"'],
  [/(?<![.#])\b(?:hears\b|heard? of\b|heard from\b)/i, '"is notified of", "receives", "is called on"'],
  [/(?<![.#])\bknows\b(?![("?:`}]|\\?\.\w)|\b(?:does|do|did) not know\b/i, '"has", "stores", "supports", "recognises"'],
  [/\bneeds? to know\b|\bhas to know\b/i, '"needs"'],
  [/\bwhom\b/i, '"which", or the name of the holder'],
  [new RegExp(String.raw`\b(?:${PROGRAMS}) who\b`, "i"), '"that" or "which"'],
  [
    new RegExp(String.raw`\bbehind (?:(?:an?|the|its|their|each|all|last|first|cached|kept) )*(?:${SEQUENCE})\b`, "i"),
    '"after"',
  ],
  [/\bso (?:many|much|long|large) as\b|\bas long as wide\b/i, '"as many as", "square"'],
  [/\bby all its\b/i, '"with all its"'],
  [
    /\b(?:beside (?:each other|one another)|one behind the other)\b/i,
    '"concurrently", "together", "one after another"',
  ],
  [/\bwithout (?:a )?trace\b/i, '"is rolled back"'],
  [/\bbut for\b/i, '"except for"'],
  [/\bfor ever\b/i, '"forever", "indefinitely"'],
  [/\bclients? (?:that )?(?:goes|leaves|has gone|have gone)\b(?! a)/i, '"disconnects", "is cancelled"'],
  [/\bthat (?:is|are) not there\b(?! yet)/i, '"that does not exist", "missing"'],
  [/\banew\b/i, '"again", "restarts", "rewritten"'],
  [/\btakes? up (?:the|its|a) (?:state|session|chain|world)/i, '"restores"'],
  [/\bserver wants\b|\broute wants\b|\bwho want\b/i, '"requires"'],
  [/\b(?:lies?|stands?) (?:beside|in the (?:file|folder|request|body)|on (?:the )?disk)\b/i, '"is next to", "is in"'],
  [/\bthe later the more\b/i, '"progressively"'],
  [/\bshall\b/, '"must", "should", "is to"'],
  [/\b(?:has|have|had) not (?:the|an?|its)\b/, '"does not have"'],
  [/\b(?:counts?|needed|written here) no more\b(?! than)/, '"no longer"'],
  [/\bbroken off\b/i, '"interrupted"'],
  [/\b(?:one|JSON object) an? (?:line|row|block|view|file|frame)\b/, '"one per line"'],
  [/\bin good order\b/, '"cleanly"'],
  [/\bcommas between\b/, '"comma-separated"'],
  [/\blook(?:s|ed)? whether\b/i, '"checks whether"'],
  [/\bwhere (?:that|it|one) is asked for\b/, '"on request", "if requested"'],
  [/\bfleet out\b|\bfleet (?:is|was|that was) laid out\b/, '"set up a fleet"'],
];

/** A space of a pattern is also the end of a line, with the start of the next line of a comment. */
const GAP = String.raw`(?: |\n[ \t]*(?:(?:\*|//|#) )?)`;

const patterns = PATTERNS.map(([{ source, flags }, instead]) =>
  [new RegExp(source.replaceAll(" ", GAP), `${flags}g`), instead] as const
);

/** Every hit in a text. */
function findWording(text: string): { readonly line: number; readonly found: string; readonly instead: string }[] {
  return patterns.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      line: text.slice(0, index).split("\n").length,
      found: found.replace(/\n\W*/g, " "),
      instead,
    }))
  );
}

const FOLDERS =
  ("cli deploy docs editors examples fleet kernels-wgsl lib models packages packaging scripts servers site tests " +
    "vision-page world-page api-page").split(" ");
const FILES = ["AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];

/** Prose of this repository, without copies: of generated files the source is read. */
const READ = /\.(?:ts|mjs|md|wgsl|css|html|py|yaml|yml|cfg)$|^tests\/conformance\/rows\/.*\.json$/;
const SKIPPED = new RegExp([
  "(?:^|/)(?:node_modules|dist)/",
  "generated",
  "^docs/errors\\.md$",
  "^tests/conformance/[^/]*\\.md$",
  "^tests/project/wording_test\\.ts$",
].join("|"));

function readable(): string[] {
  const nested = FOLDERS.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
  );
  return [...FILES, ...nested].filter((name) => READ.test(name) && !SKIPPED.test(name));
}

test("findWording() names the line, the words and what to write instead", () => {
  assert.deepEqual(findWording("a\n/**\n * The run goes\n * on.\n */"), [
    { line: 3, found: "goes on", instead: '"continues", "resumes", "keeps running"' },
  ]);
  const wrong = [
    "a host that is none",
    "bytes that are no image",
    "a cancel is felt",
    "what clients name of before",
    "maximum number of maximum number of tokens",
    "cannot be told apart",
    "the caller is told why",
    "It tells the rest",
    "the page hears of it",
    "the server knows the model",
    "says whom it waits for",
    "processes who hold it",
    "a token behind the last prompt",
    "so many as there are",
    "runs beside each other",
    "gone without trace",
    "a client that leaves",
    "a file that is not there",
    "all but for one",
    "pools that shall be apart",
    "false when it has not the session",
    "what is deleted counts no more",
    "a download that is broken off",
    "settings, one a line",
    "looks whether it is there",
    "lays a fleet out",
  ];
  for (const text of wrong) assert.equal(findWording(text).length > 0, true, text);
  const right = [
    "undefined when there is none",
    "is none of these formats",
    "there is no model, it is no longer loaded",
    "servers behind a proxy, and leaves nothing behind",
    "call.tell(event); knows(letter)",
    '"go on forever"',
    "In Python, x is None",
    "people who know it",
    "a queue takes no more, and has not changed",
    "frames laid out in rows",
  ];
  for (const text of right) assert.deepEqual(findWording(text), [], text);
});

test("docs, messages, comments and test titles are free of these expressions", () => {
  const files = readable();
  assert.ok(files.length > 1500, `${files.length}`);
  const hits = files.flatMap((name) =>
    findWording(readFileSync(`${root}${name}`, "utf8")).map(({ line, found, instead }) =>
      `${name}:${line}: "${found}", write ${instead}`
    )
  );
  assert.deepEqual(hits, []);
});
