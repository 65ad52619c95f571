import type { Ports } from './ports.ts';

/** Lets requests through at a steady rate, after a first burst; callers wait in the order in which they came. */
export class RateLimit {
  readonly #qps: number;
  readonly #burst: number;
  readonly #ports: Ports;
  /** When the next request would be due if all had come at the steady rate. */
  #due: number;

  /** @param qps Requests a second. @param burst Requests that may go at once, at least 1. */
  constructor(qps: number, burst: number, ports: Ports) {
    this.#qps = qps;
    this.#burst = Math.max(1, burst);
    this.#ports = ports;
    this.#due = ports.now();
  }

  /** Resolves when the caller may send. */
  async take(signal?: AbortSignal): Promise<void> {
    const now = this.#ports.now();
    const spacing = 1000 / this.#qps;
    const due = Math.max(this.#due, now);
    this.#due = due + spacing;
    const wait = due - now - (this.#burst - 1) * spacing;
    if (wait > 0) await this.#ports.sleep(wait, signal);
  }
}
