import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import type { EnglishPhonemes } from "../../../lib/engines/speech/english_phonemes/english_phonemes.ts";
import { openEnglish } from "../../../lib/engines/speech/open_english.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";

const files = await speechModelFiles();
const skip = files === undefined ? `not run: ${NO_VOICE}` : false;
const english = files && await openEnglish(files, false, {});
const british = files && await openEnglish(files, true, {});
after(async () => {
  await english?.close();
  await british?.close();
});
const { signal } = new AbortController();

async function read(text: string, phonemes: EnglishPhonemes | undefined = english?.phonemes): Promise<string> {
  if (phonemes === undefined) throw new Error(NO_VOICE);
  const said: string[] = [];
  for (const sentence of phonemes.sentences(text)) said.push(await phonemes.read(sentence, signal));
  return said.join(" | ");
}

/** Both are said alike. */
const alike: readonly (readonly [string, string])[] = [
  // Numbers
  ["-5 degrees", "minus five degrees"],
  ["1,234,567", "one million two hundred thirty four thousand five hundred sixty seven"],
  ["in 1066", "in ten sixty six"],
  ["the 1980s", "the nineteen eighties"],
  ["21st", "twenty first"],
  ["0.5", "zero point five"],
  ["in 2005", "in two thousand five"],
  ["1/3 of it", "1 third of it"],
  ["٤٢ men", "42 men"],
  ["４２ men", "42 men"],
  // Money and units
  ["$1", "one dollar"],
  ["$1.50", "one dollar and fifty cents"],
  ["£20", "twenty pounds"],
  ["€0.99", "ninety nine cents"],
  ["5 kg of it", "five kilograms of it"],
  ["20 °C", "twenty degrees Celsius"],
  ["50%", "fifty percent"],
  // Times and dates
  ["at 10:00", "at ten o'clock"],
  ["on Jan 2", "on January second"],
  ["on 3/4/2021", "on March fourth, 2021"],
  // Words
  ["Dr. Smith", "doctor Smith"],
  ["Mr. Smith", "mister Smith"],
  ["Henry VIII", "Henry the eighth"],
  ["St. Paul", "saint Paul"],
  ["cats & dogs", "cats and dogs"],
  ["don’t", "don't"],
  ["nai\u0308ve", "na\u00efve"],
  ["so\u00adft", "soft"],
  ["a\u200bbout", "about"],
  ["now\u0007 then", "now then"],
  ["hello 🙂 there", "hello there"],
];

for (const [written, said] of alike) {
  test(`${JSON.stringify(written)} is said as ${JSON.stringify(said)}`, { skip }, async () => {
    const plain = (phonemes: string) => phonemes.replace(/[ˈˌ,]/g, "").replace(/\s+/g, " ").replace(/T/g, "t");
    assert.equal(plain(await read(written)), plain(await read(said)));
  });
}

test("readings depend on the sentence", { skip }, async () => {
  assert.notEqual((await read("I will read it")).split(" ")[2], (await read("I have read it")).split(" ")[2]);
  assert.match(await read("the apple"), /^ði /);
  assert.match(await read("the pear"), /^ðə /);
  assert.match(await read("to eat"), /^tʊ /);
  assert.match(await read("to go"), /^tə /);
});

test("acronyms are spelt, with their endings too", { skip }, async () => {
  assert.equal(await read("FBI"), "ˌɛfbˌiˈI");
  assert.match(await read("DVDs"), /ˈiz$/);
  assert.match(await read("the CEO's car"), /Oz /);
  assert.match(await read("U.S."), /jˌuˈɛs/);
});

test("American and British English differ", { skip }, async () => {
  assert.equal(await read("water", british?.phonemes), "wˈɔːtə");
  assert.notEqual(await read("water"), await read("water", british?.phonemes));
});

test("long unknown words are read to their end", { skip }, async () => {
  const short = await read("blorvikzat");
  const long = await read("blorvikzat".repeat(8));
  assert.ok(long.length > 5 * short.length, long);
});

test("numbers too long for names are read digit by digit", { skip }, async () => {
  assert.equal((await read("7".repeat(100))).split(" ").length, 100);
});

test("any text is read, in any script", { skip }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (text) => {
      assert.equal(typeof await read(text), "string");
    }),
    { seed: 5, numRuns: 150 },
  );
  for (
    const text of [
      "你好",
      "привет",
      "שלום",
      "🙂",
      "\u0000",
      "constructor __proto__ toString",
      "[a](/b",
      "[](//)",
      "[x](/ˈɛks/)",
    ]
  ) {
    assert.equal(typeof await read(text), "string", text);
  }
});

// A rule whose steps grew with the square of the text would take longer than the limit.
test("16 KiB of the worst text are read to their end", { skip, timeout: 120_000 }, async () => {
  for (const piece of ["a1", "a-", "(", "'", "[", "a.", "a/b", "1,", "$1 ", "Ab", "é", "x ", "the ", "http://"]) {
    assert.equal(typeof await read(piece.repeat(Math.ceil(16_384 / piece.length))), "string", piece);
  }
});

test("reading stops when it is cancelled", { skip }, async () => {
  const abort = AbortSignal.abort(new Error("left"));
  await assert.rejects(english!.phonemes.read("qwertzuiopx asdfghjklyx", abort), /left/);
});
