/** The worker of rpc_test.ts. */
import { parentPort } from "../../lib/platform/workers/parent_port.ts";
import { serveTest } from "./rpc_test_service.ts";

serveTest(await parentPort(), () => {
  setTimeout(() => {
    throw new Error("out of luck");
  });
  return new Promise(() => {});
});
