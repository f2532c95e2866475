/**
 * Whether nothing listens at an address of this machine.
 *
 * @module
 */
import process from "node:process";

/**
 * Whether a connection to an address is refused at once. Node loads its `fetch` for 50 ms when it is first used, and a
 * command that only asks whether a server is there need not wait for that; Deno's is there from the start.
 *
 * @returns False for another machine, for https and where this is not known: the request itself then finds out.
 */
export async function isRefused(url: string): Promise<boolean> {
  if (process.versions["deno"] !== undefined || !URL.canParse(url)) return false;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol !== "http:" || (host !== "::1" && !host.startsWith("127."))) return false;
  const { connect } = await import("node:net");
  return await new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 80), timeout: 500 });
    const settle = (refused: boolean): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.on("connect", () => settle(false));
    socket.on("timeout", () => settle(false));
    socket.on("error", (error: Error & { code?: string }) => settle(error.code === "ECONNREFUSED"));
  });
}
