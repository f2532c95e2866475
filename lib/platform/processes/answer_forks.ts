/**
 * Answers in place of child processes that a library forks to find out what is known already.
 *
 * @module
 */
import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";

/** What a library sends to its child, and gets from it. */
type Message = Readonly<Record<string, unknown>>;

/** A child that is answered for. */
export interface AnsweredFork {
  /** End of the path of the module that the child runs, such as `/test.js`. */
  readonly module: string;
  /** What the child says when it has started. */
  readonly ready: Message;
  /** What it says to each message that it gets, by its `type`. */
  readonly answers: Readonly<Record<string, Message>>;
  /** The `type` of the message after which it exits. */
  readonly exit: string;
  /** Whether the first message, which says what to do, has a known answer; otherwise the child is started. */
  readonly isKnown: (first: Message) => Promise<boolean>;
  /** Called when a child that was started has given all answers and exited with 0. */
  readonly onDone: (first: Message) => void;
}

/**
 * Runs work, in which forks of a module are answered for. Other forks are untouched, also those of other callers
 * meanwhile. Where the runtime's modules cannot be replaced for others that have imported them (Deno), nothing changes.
 */
export async function answerForks<T>(answered: AnsweredFork, work: () => Promise<T>): Promise<T> {
  const { fork } = childProcess;
  const replaced = (...call: Parameters<typeof fork>): ChildProcess =>
    String(call[0]).endsWith(answered.module)
      ? new ChildInPlace(answered, () => fork(...call)) as unknown as ChildProcess
      : fork(...call);
  childProcess.fork = replaced as typeof fork;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    if (childProcess.fork === replaced) {
      childProcess.fork = fork;
      syncBuiltinESMExports();
    }
  }
}

/** As much of a child process as a library uses that sends messages to it and waits for its exit. */
class ChildInPlace extends EventEmitter {
  exitCode: number | null = null;
  killed = false;
  readonly #answered: AnsweredFork;
  readonly #start: () => ChildProcess;
  #first: Promise<ChildProcess | undefined> | undefined;

  constructor(answered: AnsweredFork, start: () => ChildProcess) {
    super();
    this.#answered = answered;
    this.#start = start;
    setImmediate(() => this.emit("message", answered.ready));
  }

  send(message: Message): boolean {
    const isFirst = this.#first === undefined;
    this.#first ??= this.#begin(message);
    this.#first.then((child) => {
      if (child !== undefined) return isFirst || child.send(message);
      const { answers, exit } = this.#answered;
      const type = String(message["type"]);
      if (Object.hasOwn(answers, type)) this.emit("message", answers[type]);
      else if (type === exit) this.#exit(0);
    }).catch(() => this.#exit(-1));
    return true;
  }

  kill(): boolean {
    this.killed = true;
    this.#first?.then((child) => child?.kill("SIGKILL"), () => {});
    return true;
  }

  /** The child, which has got the first message; undefined where it is answered for. */
  async #begin(message: Message): Promise<ChildProcess | undefined> {
    const { isKnown, onDone, ready, answers } = this.#answered;
    if (await isKnown(message)) return undefined;
    const child = this.#start();
    const left = new Set(Object.values(answers).map((answer) => answer["type"]));
    child.on("message", (said: Message) => {
      if (said["type"] === ready["type"]) return void child.send(message);
      left.delete(said["type"]);
      this.emit("message", said);
    });
    child.on("error", () => this.#exit(-1));
    child.on("exit", (code) => {
      if (code === 0 && left.size === 0) onDone(message);
      this.#exit(code ?? -1);
    });
    if (this.killed) child.kill("SIGKILL");
    return child;
  }

  #exit(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.emit("exit", code);
  }
}
