/** Values that cost more than they look, each the text of JSON and about as long as asked, by what they are. */
export function hostileValues(bytes: number): Readonly<Record<string, string>> {
  return {
    "a long string": `"${"x".repeat(bytes)}"`,
    "a string of escapes": `"${"\\u0001".repeat(bytes / 6)}"`,
    "a string of separators": `"${"/;,".repeat(bytes / 3)}"`,
    "a data URL without an end": `"data:image/png${";".repeat(bytes)}"`,
    "many numbers": list("1", bytes),
    "many strings": list('""', bytes),
    "many empty objects": list("{}", bytes),
    "many empty arrays": list("[]", bytes),
    "many nulls": list("null", bytes),
    "many wrong messages": list('{"role":"user","content":[1]}', bytes),
    "many wrong parts": list('{"type":"text","text":1}', bytes),
    "many calls": list('{"id":"","type":"function","function":{"name":"","arguments":"{}"}}', bytes),
    "many tools": list('{"type":"function","function":{"name":"f"}}', bytes),
    "many names": `{${fill((i) => `"${i}":${i}`, bytes)}}`,
    "many long names": `{${fill((i) => `"${"k".repeat(1000)}${i}":""`, bytes)}}`,
    "many levels": `${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}`,
    "many named levels": `${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`,
    "many chains of 400 levels": list(`${"[".repeat(400)}${"]".repeat(400)}`, bytes),
    "one item of a long string": `["${"w".repeat(bytes)}"]`,
  };
}

/** A body that is fine except for one field. */
export function withField(body: object, field: string, value: string): string {
  const others = Object.entries(body).filter(([name]) => name !== field);
  return `{${[...others.map(([name, one]) => `"${name}":${JSON.stringify(one)}`), `"${field}":${value}`].join(",")}}`;
}

function list(item: string, bytes: number): string {
  return `[${Array(Math.floor(bytes / (item.length + 1))).fill(item).join(",")}]`;
}

function fill(item: (i: number) => string, bytes: number): string {
  const items: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    items.push(item(i));
    size += items[i].length + 1;
  }
  return items.join(",");
}

/**
 * Milliseconds that an ordinary reading of 4 MiB of JSON takes on this machine as busy as it is now: what a bound of time is
 * measured by.
 */
export function ordinaryReading(): number {
  const text = list('{"role":"user","content":"Hello"}', 4 * 2 ** 20);
  const begin = performance.now();
  JSON.parse(text);
  return performance.now() - begin;
}
