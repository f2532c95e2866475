import assert from "node:assert/strict";
import { test } from "node:test";
import { disagreements, manifestCases } from "../manifest/manifest_cases.ts";
import { smallInput, smallManifest, smallNode } from "../manifest/small_manifest.ts";
import { manifestMachine } from "./manifest_machine.ts";

const good = JSON.stringify(smallManifest());
const bad = '{\n\t"provider_id": "Demo",\n  "contract_version": "svc/plugin-graph-provider.v1",\n' +
  '  "provider_version": "1.0.0",\n  "nodes": 7\n}';

test("svc manifest validate --format json agrees with every judged case", async () => {
  const cases = manifestCases();
  const files = Object.fromEntries(cases.map(({ text }, i) => [`${i}.json`, text]));
  const { out, run } = manifestMachine(files);
  assert.equal(await run("validate", ...Object.keys(files), "--format", "json"), 1);
  const report = JSON.parse(out[0]);
  assert.equal(report.valid, false);
  for (const [i, judged] of cases.entries()) {
    assert.deepEqual(disagreements(judged, report.files[i]), [], judged.name);
    assert.equal(report.files[i].file, `${i}.json`);
  }
});

test("svc manifest validate shows the lines and marks what is wrong", async () => {
  const { out, run } = manifestMachine({ "a.json": bad, "b.json": good });
  assert.equal(await run("validate", "a.json", "b.json"), 1);
  assert.deepEqual(out, [
    "a.json:2:17 error pattern at /provider_id",
    '  "provider_id" is "Demo", expected "svc-", then one or more lower-case letters, digits and hyphens',
    '  2 |  "provider_id": "Demo",',
    "    |                 ^^^^^^",
    "",
    "a.json:5:12 error type at /nodes",
    '  "nodes" is 7, expected an array',
    '  5 |   "nodes": 7',
    "    |            ^",
    "",
    "b.json: conforms",
    "1 of 2 files conforms, 2 findings",
  ]);
});

test("svc manifest validate shows the part of a long line that matters, and both of two equal items", async () => {
  const manifest = smallManifest(smallNode({ inputs: [smallInput({ values: ["a", "b", "a"] })] }));
  const { out, run } = manifestMachine({ "a.json": JSON.stringify(manifest) });
  assert.equal(await run("validate", "a.json"), 1);
  assert.match(out[2], /^ {2}1 \| \.\.\.ring","required":true,"values":\["a","b","a"\]/);
  assert.equal(out[2].slice(out[3].indexOf("^")).slice(0, 3), '"a"');
  assert.match(out[4], /^ {2}the other occurrence is at a\.json:1:\d+$/);
});

test("svc manifest validate marks the beginning of a finding that exceeds the shown part", async () => {
  const { out, run } = manifestMachine({ "a.json": `{"nodes": "${"x".repeat(200)}"}`, "b.json": "[ 1,\n2]" });
  await run("validate", "a.json", "b.json");
  const marks = out.filter((line) => line.includes("| ") && line.includes("^"));
  assert.deepEqual(marks.map((line) => line.slice(line.indexOf("| ") + 2)), ["^", "^", "^", "          ^", "^"]);
});

test("svc manifest validate --format json has exactly the fields that it promises", async () => {
  const { out, run } = manifestMachine({ "a.json": bad });
  assert.equal(await run("validate", "a.json", "--format", "json", "--max-findings", "1"), 1);
  assert.deepEqual(JSON.parse(out[0]), {
    files: [{
      file: "a.json",
      valid: false,
      findings: [{
        pointer: "/provider_id",
        rule: "pattern",
        severity: "error",
        message: '"provider_id" is "Demo", expected "svc-", then one or more lower-case letters, digits and hyphens',
        line: 2,
        column: 17,
        end_line: 2,
        end_column: 23,
      }],
      omitted: 1,
    }],
    valid: false,
  });
});

test("svc manifest validate --format github writes commands that no message can break", async () => {
  const { out, run } = manifestMachine({ "a,b.json": bad.replace("Demo", "100%\\n::error::") });
  assert.equal(await run("validate", "a,b.json", "--format", "github"), 1);
  assert.deepEqual(out[0].split("::").slice(0, 2), [
    "",
    "error file=a%2Cb.json,line=2,col=17,endLine=2,endColumn=34,title=pattern",
  ]);
  assert.ok(out[0].includes("100%25\\n::error::") && !out[0].includes("\n"));
});

test("svc manifest validate --format sarif gives places, rules and related places", async () => {
  const manifest = smallManifest(smallNode(), smallNode());
  const { out, run } = manifestMachine({ "my plugin/a#.json": JSON.stringify(manifest, null, 2) });
  assert.equal(await run("validate", "my plugin/a#.json", "--lint", "--format", "sarif"), 0);
  const { version, runs: [{ tool, results, columnKind }] } = JSON.parse(out[0]);
  assert.deepEqual([version, columnKind, tool.driver.rules[0].id], ["2.1.0", "utf16CodeUnits", "duplicate_kind"]);
  const [{ ruleId, ruleIndex, level, locations, relatedLocations }] = results;
  assert.deepEqual([ruleId, ruleIndex, level], ["duplicate_kind", 0, "error"]);
  assert.equal(locations[0].physicalLocation.artifactLocation.uri, "my%20plugin/a%23.json");
  assert.ok(relatedLocations[0].physicalLocation.region.startLine < locations[0].physicalLocation.region.startLine);
});

test("svc manifest validate --format sarif gives URI references for every kind of path", async () => {
  const uris: Record<string, string> = {
    "a:b.json": "./a:b.json",
    "a/b:c.json": "a/b:c.json",
    "C:\\plugins\\a.json": "file:///C:/plugins/a.json",
    "d:/a b.json": "file:///d:/a%20b.json",
    "\\\\server\\share\\a.json": "file://server/share/a.json",
    "/srv/50%.json": "file:///srv/50%25.json",
    "./a.json": "./a.json",
  };
  for (const [file, uri] of Object.entries(uris)) {
    const { out, run } = manifestMachine({ [file]: "{}" });
    await run("validate", file, "--format", "sarif");
    const { runs: [{ results: [{ locations }] }] } = JSON.parse(out[0]);
    assert.equal(locations[0].physicalLocation.artifactLocation.uri, uri);
  }
});

test("svc manifest validate --lint adds findings and leaves the exit status alone", async () => {
  const text = JSON.stringify(smallManifest(smallNode({ title: " " }), smallNode()));
  const { out, run } = manifestMachine({ "a.json": text });
  assert.equal(await run("validate", "a.json"), 0);
  assert.deepEqual(out.splice(0), ["a.json: conforms", "1 of 1 file conforms, 0 findings"]);
  assert.equal(await run("validate", "a.json", "--lint", "--rule", "blank_text=off", "--format", "json"), 0);
  const { files: [{ valid, findings }] } = JSON.parse(out[0]);
  assert.deepEqual([valid, findings.map(({ rule }: { rule: string }) => rule)], [true, ["duplicate_kind"]]);
});

test("svc manifest validate reads every file, whatever is wrong with one of them", async () => {
  const { out, err, run } = manifestMachine({ "a.json": "{", "c.json": good }, {
    "none": { problem: "there is no .json file in this folder, expected at least one" },
    "all": { files: ["a.json", "c.json"] },
  });
  assert.equal(await run("validate", "none", "missing.json", "all", "--format", "json"), 2);
  const { files, valid } = JSON.parse(out[0]);
  assert.equal(valid, false);
  assert.deepEqual(files.map(({ file, valid }: { file: string; valid: boolean }) => [file, valid]), [
    ["none", false],
    ["missing.json", false],
    ["a.json", false],
    ["c.json", true],
  ]);
  assert.deepEqual(err, [
    "Cannot validate none: there is no .json file in this folder, expected at least one",
    "Cannot validate missing.json: the file does not exist, expected a manifest or - for standard input",
  ]);
});

test("svc manifest validate counts the files that cannot be read", async () => {
  const { out, run } = manifestMachine({ "a.json": good });
  assert.equal(await run("validate", "missing.json", "a.json"), 2);
  assert.deepEqual(out, ["a.json: conforms", "1 of 2 files conforms, 0 findings, 1 could not be read"]);
});

test("svc manifest validate reads a file once, though it is named twice", async () => {
  const { out, run } = manifestMachine({ "a.json": good }, { "all": { files: ["a.json"] } }, good);
  assert.equal(await run("validate", "-", "a.json", "all", "-"), 0);
  assert.deepEqual(out, ["<stdin>: conforms", "a.json: conforms", "2 of 2 files conform, 0 findings"]);
});

test("svc manifest validate - reads the standard input", async () => {
  const { out, run } = manifestMachine({}, {}, bad);
  assert.equal(await run("validate", "-", "--format", "json"), 1);
  assert.equal(JSON.parse(out[0]).files[0].file, "-");
  assert.equal(await run("validate", "-"), 1);
  assert.match(out[1], /^<stdin>:2:17 error/);
});

test("svc manifest validate lets no file steer the terminal", async () => {
  const { out, run } = manifestMachine({ "a.json": '\ufeff{"\u001b[2J\u202e": "\u009b"' });
  assert.equal(await run("validate", "a.json"), 1);
  assert.ok(!/[^\P{C}\n]/u.test(out.join("\n")), out.join("\n"));
});

test("svc manifest validate ends with status 2 and a sentence when it is used wrongly", async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["validate"], /^Cannot run svc manifest validate: no file given, expected files, folders, patterns or -/],
    [["validate", "-", "--format", "xml"], /--format is "xml", expected one of human, json, github, sarif$/],
    [["validate", "-", "--rule", "blank_txt=off"], /the rule is unknown, did you mean "blank_text"\?$/],
    [
      ["validate", "-", "--rule", "blank_text"],
      /: --rule is "blank_text", expected ID=SEVERITY, such as blank_text=off$/,
    ],
    [["validate", "-", "--max-findings", "x"], /: --max-findings .*expected an integer from 0 to 1000000000$/],
    [["valdate"], /unknown command, did you mean svc manifest validate\?$/],
  ];
  for (const [args, reason] of cases) {
    const { err, run } = manifestMachine({});
    assert.equal(await run(...args), 2);
    assert.match(err[0], reason);
  }
});
