/** A line to the server that reconnects on its own: its new hello says what it knows already. */

import type { Ask, Tell } from './wire';
import { PROTOCOL } from './wire';

type Distribute<T> = T extends { n: number } ? Omit<T, 'n'> : never;
/** A request that gets a reply, without the number that the line gives it. */
export type Request = Distribute<Ask>;
export type Reply = Extract<Tell, { re: number }> | Extract<Tell, { re?: number }>;

export interface Listener {
  told(message: Tell): void;
  /** `isFinal`: the line will not come back. */
  connected(is: boolean, isFinal?: boolean): void;
  seen(): number;
  /** Whether other people look at this screen, too. */
  isVeiled(): boolean;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
/** The codes with which the server closes a line for good: no seat here, no such battle. */
const FINAL = [4003, 4004];

export class Line {
  private socket: WebSocket | null = null;
  private n = 0;
  private readonly waiting = new Map<number, (reply: Reply | null) => void>();
  private pause = FIRST_WAIT;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly language: () => string,
    private readonly listener: Listener,
  ) {
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_WAIT;
      const hello: Ask = {
        do: 'hello',
        protocol: PROTOCOL,
        token: this.token,
        language: this.language(),
        seen: this.listener.seen(),
        ...(this.listener.isVeiled() ? { veiled: true } : {}),
      };
      socket.send(JSON.stringify(hello));
      this.listener.connected(true);
    };
    socket.onmessage = (event) => this.received(JSON.parse(String(event.data)) as Tell);
    socket.onclose = ({ code }) => {
      this.isClosed ||= FINAL.includes(code);
      this.listener.connected(false, FINAL.includes(code));
      for (const done of this.waiting.values()) done(null);
      this.waiting.clear();
      if (this.isClosed) return;
      setTimeout(() => this.open(), this.pause * (0.5 + Math.random() / 2));
      this.pause = Math.min(this.pause * 2, LONGEST_WAIT);
    };
  }

  private received(message: Tell): void {
    const re = 're' in message ? message.re : undefined;
    if (re) {
      this.waiting.get(re)?.(message as Reply);
      this.waiting.delete(re);
    }
    this.listener.told(message);
  }

  /** Sends a request and waits for the reply; null if the line broke before it came. */
  ask(request: Request): Promise<Reply | null> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const n = ++this.n;
    return new Promise((resolve) => {
      this.waiting.set(n, resolve);
      this.send({ ...request, n } as Ask);
    });
  }

  send(message: Ask): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }
}
