import { type Attack, exchange, raw, send, slowClients } from "./attack.ts";

const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers }, /^[2345]/);
const line = "Host: HOST\r\nContent-Type: application/json\r\n";

/** What the parser of HTTP refuses, by the code that the JSON body has to have. */
const refused: readonly (readonly [status: number, code: string, text: string])[] = [
  [400, "malformed_request", "hello\r\n\r\n"],
  [400, "malformed_request", `POST /health HTTP/1.1\r\n${line}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  [400, "malformed_request", "GET /health HTTP/9.9\r\nHost: HOST\r\n\r\n"],
  [417, "expectation_failed", "GET /health HTTP/1.1\r\nHost: HOST\r\nExpect: a miracle\r\n\r\n"],
  [431, "headers_too_large", `GET /health HTTP/1.1\r\nHost: HOST\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
  [408, "request_timeout", "GET /health HTTP/1.1\r\nHost: HOST\r\n"],
];

/** Each refusal, 20 at a time. */
async function refusals(url: string): Promise<string> {
  for (const [status, code, text] of refused) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(url, text)));
    for (const answer of answers) {
      const error = JSON.parse(/\{"error".*\}/s.exec(answer)?.[0] ?? "{}").error;
      if (answer.startsWith(`HTTP/1.1 ${status} `) && error?.code === code) continue;
      throw new Error(`${JSON.stringify(text.slice(0, 60))} was answered ${answer.slice(0, 200)}`);
    }
  }
  return refused.map(([status, code]) => `${status} ${code}`).join(", ");
}

/** What clients can do to any server with their connections, whatever path they ask for. */
export function connectionAttacks(path: string): readonly Attack[] {
  const begin = `POST ${path} HTTP/1.1\r\n${line}`;
  return [
    {
      name: "400 clients that send headers slowly",
      run: slowClients(400, `GET /health HTTP/1.1\r\nHost: a\r\nX: `, "a", 5000),
    },
    {
      name: "400 clients that send bodies slowly",
      run: slowClients(400, `${begin}Content-Length: 100000\r\n\r\n`, "a", 5000),
    },
    { name: "400 clients that say nothing", run: slowClients(400, "", "", 5000) },
    { name: "3000 connections", run: slowClients(3000, "", "", 3000) },
    { name: "1000 pipelined requests", run: raw(`GET /health HTTP/1.1\r\nHost: HOST\r\n\r\n`.repeat(1000)) },
    { name: "200 pipelined bodies", run: raw(`${begin}Content-Length: 2\r\n\r\n{}`.repeat(200)) },
    { name: "headers of 64 KB", run: raw(`GET /health HTTP/1.1\r\nHost: HOST\r\nX: ${"a".repeat(65_536)}\r\n\r\n`) },
    { name: "2000 headers", run: raw(`GET /health HTTP/1.1\r\nHost: HOST\r\n${"X: a\r\n".repeat(2000)}\r\n`) },
    { name: "a target of 60 KB", run: raw(`GET /${"a/".repeat(30_000)} HTTP/1.1\r\nHost: HOST\r\n\r\n`) },
    { name: "a query of 15 KB", run: get(`/health?${"a=%41&".repeat(2500)}`) },
    { name: "a chunk of 2^60 bytes", run: raw(`${begin}Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\n{`) },
    {
      name: "a chunk extension of 1 MiB",
      run: raw(`${begin}Transfer-Encoding: chunked\r\n\r\n2;${"a".repeat(2 ** 20)}\r\n{}\r\n0\r\n\r\n`),
    },
    {
      name: "1 MiB in chunks of one byte",
      run: raw(`${begin}Transfer-Encoding: chunked\r\n\r\n${"1\r\n1\r\n".repeat(2 ** 20)}0\r\n\r\n`),
    },
    {
      name: "a length and chunks",
      run: raw(`${begin}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    },
    { name: "two lengths", run: raw(`${begin}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`) },
    { name: "a negative length", run: raw(`${begin}Content-Length: -1\r\n\r\n{}`) },
    { name: "bytes that are not request", run: raw("\x16\x03\x01\x02\x00\x01".repeat(1000)) },
    {
      name: "an upgrade",
      run: raw(`GET /health HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`),
    },
    { name: "requests that the parser refuses", run: refusals },
    { name: "CONNECT", run: raw("CONNECT example.com:443 HTTP/1.1\r\nHost: HOST\r\n\r\n") },
    { name: "an odd method", run: raw(`${"A".repeat(5000)} / HTTP/1.1\r\nHost: HOST\r\n\r\n`) },
    {
      name: "ranges and tags of 15 KB",
      run: get("/openapi.json", { range: `bytes=${"0-1,".repeat(3500)}0-1`, "if-none-match": '"a",'.repeat(200) }),
    },
    { name: "an Authorization of 15 KB", run: get("/health", { authorization: `Bearer ${" ".repeat(15_000)}x` }) },
    { name: "an expectation", run: raw(`${begin}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`) },
    {
      name: "3000 requests one after another on 50 connections",
      run: async (url) => {
        let done = 0;
        await Promise.all(Array.from({ length: 50 }, async () => {
          for (let i = 0; i < 60; i++) {
            const answer = await fetch(`${url}/${i % 2 ? "health" : "%E0%A4%A"}`);
            await answer.text();
            done++;
          }
        }));
        return `${done} answers`;
      },
    },
  ];
}
