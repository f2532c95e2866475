import assert from "node:assert/strict";
import { test } from "node:test";
import { formats, stringGrammar, StringRuleError } from "../../../lib/engines/output_grammar/string_grammar.ts";
import { parsePattern, PatternError, patternLength } from "../../../lib/engines/output_grammar/pattern.ts";
import { utf8Ranges } from "../../../lib/engines/output_grammar/write_grammar.ts";
import { expressionPattern } from "../../support/expression_pattern.ts";
import { seededRandom } from "../../support/random.ts";

const anyLength = { minLength: 0, maxLength: Infinity, pattern: undefined, format: undefined };

/** What JSON spells a text by, matched with what a pattern comes to. */
function matches(pattern: string, text: string): boolean {
  return expressionPattern(stringGrammar({ ...anyLength, pattern })).test(JSON.stringify(text));
}

test("stringGrammar() takes patterns for what they are elsewhere", () => {
  const patterns = [
    "^(?:a|bc)+$",
    "^[^a-c\\d]{2,3}$",
    "^a.c$",
    "^\\w+-\\W\\s?\\S$",
    "^[\\w.-]+@[\\w-]+$",
    "^x{2}y{0,1}z{1,}?$",
    "^(?<year>\\d{4})/\\x41\\u0042\\u{43}$",
    "^\\/\\.\\$$|^b$",
    "^[\\]\\-^]$",
    "^$",
    '^"\\\\\\n$',
  ];
  const texts = [
    "",
    "a",
    "b",
    "bca",
    "xxz",
    "xxyzz",
    "a\nc",
    "abc",
    "aéc",
    "de",
    "d1",
    "a_1-! b",
    "a.b@c-d",
    "2024/ABC",
  ];
  texts.push("/.$", "]", "-", "^", '"\\\n', "😀", "zz", "bc", "a😀c");
  for (const pattern of patterns) {
    for (const text of texts) {
      assert.equal(matches(pattern, text), new RegExp(pattern, "u").test(text), `${pattern} ${JSON.stringify(text)}`);
    }
  }
});

test("parsePattern() names what it cannot keep to", () => {
  for (const source of ["(?=a)", "(?!a)", "(?<=a)", "\\bword", "(a)\\1", "\\p{L}", "a^b", "a$b", "(a$)", "\\k<a>"]) {
    assert.throws(() => parsePattern(source), PatternError, source);
  }
  for (const source of ["(", ")", "[a", "*", "a{3,2}", "a{2000}", "a**", "[b-a]", "\\u{110000}", "\\ud800", "a\\"]) {
    assert.throws(() => parsePattern(source), PatternError, source);
  }
});

test("patternLength() returns how many letters a pattern has", () => {
  assert.deepEqual(patternLength(parsePattern("^a(bc|d){2,3}e?$")), { min: 3, max: 8 });
  assert.deepEqual(patternLength(parsePattern("^a*$")), { min: 0, max: Infinity });
  assert.deepEqual(patternLength(parsePattern("a")), { min: 1, max: Infinity });
});

test("stringGrammar() puts lengths and plain patterns together, and refuses others", () => {
  const grammar = (pattern: string, minLength: number, maxLength: number) =>
    expressionPattern(stringGrammar({ ...anyLength, pattern, minLength, maxLength }));
  assert.match('"ab"', grammar("^[a-z]+$", 2, 3));
  assert.doesNotMatch('"a"', grammar("^[a-z]+$", 2, 3));
  assert.doesNotMatch('"abcd"', grammar("^[a-z]+$", 2, 3));
  assert.match('"abc"', grammar("^(abc|de)$", 2, 3));
  assert.throws(() => grammar("^a*b*$", 0, 3), StringRuleError);
  assert.throws(() => stringGrammar({ ...anyLength, minLength: 1e9 }), { keyword: "minLength" });
  assert.throws(() => stringGrammar({ ...anyLength, format: "x" }), { keyword: "format" });
});

test("formats are what they are called", () => {
  const examples: Record<string, readonly [right: readonly string[], wrong: readonly string[]]> = {
    date: [["2000-02-29", "2023-12-31"], ["1900-02-29", "2023-04-31", "2023-1-1"]],
    time: [["23:59:59Z", "01:02:03.5+02:00"], ["24:00:00Z", "01:02:03"]],
    "date-time": [["2023-01-02T03:04:05Z"], ["2023-01-02 03:04:05Z"]],
    duration: [["P3D", "P1Y2M", "PT5M", "P1DT2H", "P4W"], ["P", "PT", "3D"]],
    email: [["a.b@example.com"], ["a@b", "a b@c.de", ".a@b.cd"]],
    hostname: [["example.com", "a"], ["-a.b", "a..b", ""]],
    ipv4: [["127.0.0.1", "255.255.255.255"], ["256.0.0.1", "1.2.3"]],
    ipv6: [["2001:db8:0:0:0:0:0:1"], ["1:2", "g:0:0:0:0:0:0:0"]],
    uri: [["https://example.com/a/b?c=d"], ["example.com", "https://"]],
    uuid4: [["00112233-4455-4677-8899-aabbccddeeff"], ["00112233-4455-6677-8899-aabbccddeeff"]],
    uuid: [["00112233-4455-6677-8899-aabbccddeeff"], ["00112233445566778899aabbccddeeff"]],
  };
  assert.deepEqual(Object.keys(examples).sort(), Object.keys(formats).sort());
  assert.match(
    '"a b"',
    expressionPattern(stringGrammar({ ...anyLength, format: "path", maxLength: 9, pattern: "^a b$" })),
  );
  assert.equal(stringGrammar({ ...anyLength, format: "password" }), stringGrammar(anyLength));
  for (const [format, [right, wrong]] of Object.entries(examples)) {
    for (const text of right) assert.ok(matches(formats[format], text), `${format} ${text}`);
    for (const text of wrong) assert.ok(!matches(formats[format], text), `${format} ${text}`);
  }
});

test("utf8Ranges() has the bytes of the letters of a range, and no others", () => {
  const random = seededRandom(3);
  const isIn = (ranges: ReturnType<typeof utf8Ranges>, code: number): boolean => {
    const bytes = new TextEncoder().encode(String.fromCodePoint(code));
    return ranges.some((range) =>
      range.length === bytes.length && range.every(([first, last], i) => first <= bytes[i] && bytes[i] <= last)
    );
  };
  const draw = () => 0x80 + Math.floor(random() * (random() < 0.5 ? 0x3000 : 0x10ff7f));
  for (let round = 0; round < 100; round++) {
    const [first, last] = [draw(), draw()].sort((a, b) => a - b);
    const ranges = utf8Ranges(first, last);
    for (const code of [first - 1, first, first + 1, last - 1, last, last + 1, draw(), draw()]) {
      if (code < 0x80 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) continue;
      assert.equal(isIn(ranges, code), first <= code && code <= last, `${code} in ${first}-${last}`);
    }
  }
  assert.deepEqual(utf8Ranges(0xd800, 0xdfff), []);
});
