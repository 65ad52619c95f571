import type { Pseudonyms } from './pseudonyms.ts';

/** What the name of a pod that runs a machine begins with; the machine and a random part follow. */
const LAUNCHER = 'virt-launcher-';

/**
 * Pseudonyms of pods. A pod that runs a KubeVirt machine names it, and is known by that.
 * Source: KubeVirt names the pods of a machine `virt-launcher-<machine>-<suffix>`.
 */
export class PodNames {
  readonly #names: Pseudonyms;
  readonly #machines: ReadonlySet<string>;

  /** @param machines Names of the machines that exist, in any namespace. */
  constructor(names: Pseudonyms, machines: ReadonlySet<string>) {
    this.#names = names;
    this.#machines = machines;
  }

  map(name: string): string {
    const rest = name.startsWith(LAUNCHER) ? name.slice(LAUNCHER.length) : '';
    const end = this.#endOfMachine(rest);
    if (end < 1) return this.#names.name('pod', name);
    const [machine, suffix] = [rest.slice(0, end), rest.slice(end + 1)];
    return `${LAUNCHER}${this.#names.name('vm', machine)}-${this.#names.name('pod', suffix)}`;
  }

  /** Position of the dash behind the machine: the last one, unless a machine that exists ends at an earlier one. */
  #endOfMachine(rest: string): number {
    const last = rest.lastIndexOf('-');
    for (let dash = last; dash > 0; dash = rest.lastIndexOf('-', dash - 1)) {
      if (this.#machines.has(rest.slice(0, dash))) return dash;
    }
    return last;
  }
}
