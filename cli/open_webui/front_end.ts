/**
 * The ways to start Open WebUI.
 *
 * @module
 */

/** Programs that can run it, in the order in which they are tried. */
export const FRONT_ENDS = ["open-webui", "docker", "uvx", "pipx"] as const;

/** One of {@linkcode FRONT_ENDS}. */
export type FrontEnd = typeof FRONT_ENDS[number];

/** Where the front end listens, and what it is called. */
export interface FrontEndPlace {
  readonly host: string;
  readonly port: number;
  /** Name of the container and of its volume. */
  readonly container: string;
  readonly image: string;
}

/** The port inside the container. */
const CONTAINER_PORT = 8080;

/** The name of this machine inside the container. */
export const CONTAINER_HOST = "host.docker.internal";

/**
 * The command line of a front end. The settings are in its environment, of which Docker gets the names alone: an argument
 * list can be read by everybody on the machine.
 */
export function frontEndCommand(
  frontEnd: FrontEnd,
  { host, port, container, image }: FrontEndPlace,
  environment: readonly string[],
): readonly string[] {
  const serve = ["serve", "--host", host, "--port", String(port)];
  switch (frontEnd) {
    case "open-webui":
      return ["open-webui", ...serve];
    case "uvx":
      return ["uvx", "--python", "3.11", "open-webui@latest", ...serve];
    case "pipx":
      return ["pipx", "run", "open-webui", ...serve];
    case "docker":
      return [
        ...["docker", "run", "--rm", "--name", container],
        ...["--add-host", `${CONTAINER_HOST}:host-gateway`],
        ...["-p", `${host.includes(":") ? `[${host}]` : host}:${port}:${CONTAINER_PORT}`],
        ...["-v", `${container}:/app/backend/data`],
        ...environment.flatMap((name) => ["-e", name]),
        image,
      ];
  }
}
