/** The child process of rpc_test.ts. */
import process from "node:process";
import { parentChannel } from "../../lib/platform/processes/parent_channel.ts";
import { serveTest } from "./rpc_test_service.ts";

serveTest(parentChannel("svc test service"), () => process.exit(3));
