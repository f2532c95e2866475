import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessPolicy } from "../../lib/http/access_policy.ts";
import { clientAddress, WrongKeys } from "../../lib/http/wrong_keys.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";

/** A clock whose waits end when the test says so. */
function stoppedClock() {
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = [];
  const clock = {
    time: 0,
    waits,
    now: () => clock.time,
    wait: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((end) => {
        waits.push({ milliseconds, end });
        signal.addEventListener("abort", () => end());
      }),
  };
  return clock;
}

const never = new AbortController().signal;

const withKey = (key: string, signal = never) =>
  new Request("http://127.0.0.1/v1/models", { headers: { authorization: `Bearer ${key}` }, signal });

test("clientAddress() counts IPv4 addresses singly and IPv6 addresses by their first 64 bits", () => {
  assert.equal(clientAddress("192.168.1.2"), "192.168.1.2");
  assert.equal(clientAddress("::FFFF:192.168.1.2"), "192.168.1.2");
  assert.equal(clientAddress("2001:DB8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  assert.equal(clientAddress("2001:db8:1:2::1"), clientAddress("2001:0db8:0001:0002:ffff::"));
  assert.equal(clientAddress("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.notEqual(clientAddress("2001:db8:1:2::1"), clientAddress("2001:db8:1:3::1"));
  assert.equal(clientAddress("::1"), "0:0:0:0::/64");
  assert.equal(clientAddress(""), "");
});

// @row world-session > Authentication > Wrong keys are slowed down, the right one never
// @row model-api > Authentication > Wrong keys are slowed down, the right one never
test("AccessPolicy.checkToken() answers wrong keys later and later, by client, and right ones at once", async () => {
  const clock = stoppedClock();
  const policy = new AccessPolicy({ apiKey: "right", wrongKeys: new WrongKeys(clock) });
  const guess = async (peer: string) => {
    const refused = policy.checkToken(withKey("wrong"), peer).then(() => "accepted", (error: SvcError) => error.code);
    while (clock.waits.length === 0) await new Promise((resolve) => setTimeout(resolve));
    const { milliseconds, end } = clock.waits.pop()!;
    await policy.checkToken(withKey("right"), peer);
    assert.equal(clock.waits.length, 0);
    end();
    assert.equal(await refused, "invalid_api_key");
    return milliseconds;
  };
  const delays: number[] = [];
  for (let i = 0; i < 7; i++) delays.push(await guess("10.0.0.1"));
  assert.deepEqual(delays, [100, 200, 400, 800, 1600, 2000, 2000]);
  assert.equal(await guess("10.0.0.2"), 100);
  assert.equal(await guess("::ffff:10.0.0.1"), 2000);
  clock.time = 60_000;
  assert.equal(await guess("10.0.0.1"), 100);
  await assert.rejects(policy.checkToken(new Request("http://127.0.0.1/"), "10.0.0.1"), { code: "missing_api_key" });
  assert.equal(clock.waits.length, 0);
});

test("WrongKeys keeps few answers waiting and few clients in mind, and forgets clients that disconnect", async () => {
  const clock = stoppedClock();
  const keys = new WrongKeys(clock);
  const first = Array.from({ length: 16 }, () => keys.delay("10.0.0.1", never));
  assert.equal(await keys.delay("10.0.0.1", never), 2);
  for (const { end } of clock.waits.splice(0)) end();
  assert.deepEqual(await Promise.all(first), Array(16).fill(0));
  const others = Array.from({ length: 256 }, (_, i) => keys.delay(`10.0.1.${i}`, never));
  assert.equal(clock.waits.length, 256);
  assert.equal(await keys.delay("10.0.2.1", never), 2);
  for (const { end } of clock.waits.splice(0)) end();
  await Promise.all(others);
  const gone = new AbortController();
  const left = keys.delay("10.0.3.1", gone.signal);
  gone.abort();
  assert.equal(await left, 0);
  for (let i = 0; i < 10_100; i++) {
    const waited = keys.delay(`10.1.${i >> 8}.${i & 255}`, never);
    clock.waits.pop()?.end();
    await waited;
  }
  assert.ok(keys.size <= 10_000);
  clock.time += 60_000;
  const last = keys.delay("10.2.0.1", never);
  clock.waits.pop()?.end();
  await last;
  assert.equal(keys.size, 1);
});
