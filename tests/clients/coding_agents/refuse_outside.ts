import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A proxy that leads nowhere but to this machine. */
export interface OutsideRefused {
  /** The variables by which programs find it. */
  readonly env: Readonly<Record<string, string>>;
  /** What was asked for and refused. */
  readonly hosts: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts a proxy for programs that must not reach any network. Some ask it for this machine too, whatever `NO_PROXY` says. */
export async function refuseOutside(): Promise<OutsideRefused> {
  const hosts = new Set<string>();
  const sockets = new Set<Socket>();
  const proxy = createServer(({ url, headers }, response) => {
    hosts.add(headers.host ?? String(url));
    response.writeHead(502).end();
  });
  proxy.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  });
  proxy.on("connect", ({ url }, socket) => {
    const port = /^127\.0\.0\.1:(\d+)$/.exec(url!)?.[1];
    if (port === undefined) {
      hosts.add(url!);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    const target = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket);
      socket.pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const own = "127.0.0.1,localhost";
  const upper = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: own };
  const lower = Object.fromEntries(Object.entries(upper).map(([name, value]) => [name.toLowerCase(), value]));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  };
  return { env: { ...upper, ...lower }, hosts, close };
}
