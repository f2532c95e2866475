import { type Attack, post, send } from "./attack.ts";

const MIB = 2 ** 20;
const EDGE = "edge";

/** Bodies of forms that cost more than they look, by what they are. */
const forms: Readonly<Record<string, string>> = {
  "100,000 empty parts": `--${EDGE}\r\n\r\n\r\n`.repeat(100_000) + `--${EDGE}--\r\n`,
  "100,000 fields of one name": part('name="model"', "tiny").repeat(100_000) + `--${EDGE}--\r\n`,
  "a head of 5 MiB": `--${EDGE}\r\nX: ${"a".repeat(5 * MIB)}\r\n\r\n\r\n--${EDGE}--\r\n`,
  "a head of 100,000 lines": `--${EDGE}\r\n${"X: a\r\n".repeat(100_000)}\r\n\r\n--${EDGE}--\r\n`,
  "a text of 5 MiB": part('name="prompt"', "a".repeat(5 * MIB)) + `--${EDGE}--\r\n`,
  "a file name of 60 KB": part(`name="file"; filename="${"../".repeat(20_000)}"`, "a") + `--${EDGE}--\r\n`,
  "5 MiB of beginnings of the boundary":
    part('name="file"; filename="a"', `\r\n--${EDGE.slice(0, 3)}`.repeat(MIB / 2)) +
    `--${EDGE}--\r\n`,
  "5 MiB of dashes before the form": "-".repeat(5 * MIB) + `\r\n--${EDGE}--\r\n`,
  "no end": part('name="file"; filename="a.wav"', "a".repeat(MIB)),
  "a form in a form": `--${EDGE}\r\nContent-Type: multipart/mixed; boundary=edge2\r\n\r\n--edge2\r\n\r\n\r\n`.repeat(
    10_000,
  ),
  "names of prototypes": ["__proto__", "constructor", "toString"].map((name) => part(`name="${name}"`, "1")).join("") +
    `--${EDGE}--\r\n`,
  "nothing": "",
};

function part(disposition: string, content: string): string {
  return `--${EDGE}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}

function form(path: string, body: string, type = `multipart/form-data; boundary=${EDGE}`): Attack["run"] {
  return send(path, { method: "POST", headers: { "content-type": type }, body }, /^(4|503)/);
}

/** Every hostile form at one route. */
function everyForm(path: string): Attack {
  return {
    name: `${path} with hostile forms`,
    run: async (url) => {
      const answers = new Map<string, number>();
      const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
      for (const [name, body] of Object.entries(forms)) {
        count(
          await form(path, body)(url).catch((error) => {
            // A client that is still sending may miss the answer of a server that reads no further.
            if (error instanceof TypeError && error.message === "fetch failed") return "closed";
            throw new Error(`${name}: ${error}`);
          }),
        );
      }
      for (const boundary of ["", "a".repeat(10_000), '"', "a b", "é"]) {
        count(await form(path, forms["nothing"], `multipart/form-data; boundary=${encodeURI(boundary)}`)(url));
      }
      return [...answers].map(([answer, count]) => `${count} x ${answer}`).join(", ");
    },
  };
}

/** What one request can do to the routes that take files, and to those that make them. */
export const formAttacks: readonly Attack[] = [
  ...["/v1/audio/transcriptions", "/v1/images/edits", "/v1/vision/geometry", "/v1/vision/image-to-3d"].map(everyForm),
  ...["/v1/audio/speech", "/v1/images/generations"].map((path) => ({
    name: `${path} with texts of 900 KB and numbers of 1e300`,
    run: async (url: string) => {
      const bodies = [
        { input: "word ".repeat(180_000), prompt: "word ".repeat(180_000), voice: "a" },
        { input: "a", prompt: "a", voice: "a", speed: 1e300, n: 1e300, steps: 1e300, size: "99999999x99999999" },
        { input: "é".repeat(400_000), prompt: "é".repeat(400_000), voice: "v".repeat(100_000) },
      ];
      const answers: string[] = [];
      for (const body of bodies) answers.push(await post(path, JSON.stringify(body), /^(4|503)/)(url));
      return answers.join(", ");
    },
  })),
];
