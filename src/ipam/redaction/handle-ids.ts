import { isWindowsHandle } from '../accounting/kind.ts';
import { MACHINE_INFIX, machineHandle, networksOfHandle } from '../machine-handle.ts';
import { tunnelHandleOf } from '../migration/tunnel-handle.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Network that Calico puts into a handle when nothing else is configured. */
const DEFAULT_NETWORK = 'k8s-pod-network';
const SERVICE_PREFIX = 'lb-';
/** A hash takes the place of namespace and machine where both would be too long. */
const HASHED = '_';

/** A machine of KubeVirt by its names. */
export interface MachineName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Pseudonyms of handle ids, which say in their form what they are for: tunnels of a node, a machine, a Service, a
 * container. What follows from names (`machineHandle`, lower case, the cut at a control character) follows from their
 * pseudonyms too.
 */
export class HandleIds {
  readonly #names: Pseudonyms;
  readonly #machines: readonly MachineName[];
  readonly #ofNetworks = new Map<string, ReadonlyMap<string, string>>();

  /** @param machines Those that exist. */
  constructor(names: Pseudonyms, machines: readonly MachineName[]) {
    this.#names = names;
    this.#machines = machines;
  }

  map(id: string): string {
    const tunnel = tunnelHandleOf(id);
    if (tunnel) return tunnel.prefix + this.#names.name('node', tunnel.node);
    return this.#names.mapParts(id, (part) => this.#part(part));
  }

  #part(part: string): string {
    if (isWindowsHandle(part)) return part;
    if (networksOfHandle(part).length > 0) return this.#ofMachine(part);
    const lower = part.toLowerCase();
    if (lower !== part) return this.#names.recase(this.map(lower), part);
    if (part.startsWith(SERVICE_PREFIX))
      return this.#names.word('lb', part.slice(SERVICE_PREFIX.length));
    const dot = part.indexOf('.');
    if (dot < 0) return this.#names.word('id', part);
    return `${this.#network(part.slice(0, dot))}.${this.#names.word('ctr', part.slice(dot + 1))}`;
  }

  #ofMachine(part: string): string {
    const [first = '', ...others] = networksOfHandle(part);
    for (const network of [first, ...others]) {
      const known = this.#machinesOn(network).get(part);
      if (known !== undefined) return known;
    }
    // Of a machine that is not there the names can only be read off the id.
    const owner = part.slice(first.length + MACHINE_INFIX.length);
    const prefix = `${this.#network(first)}${MACHINE_INFIX}`;
    const dot = owner.indexOf('.');
    if (dot < 1 || owner.startsWith(HASHED)) return prefix + this.#names.word('id', owner);
    const [namespace, name] = [owner.slice(0, dot), owner.slice(dot + 1)];
    return `${prefix}${this.#names.word('ns', namespace)}.${this.#names.word('vm', name)}`;
  }

  /** Pseudonyms by the ids that Calico would give to the machines on that network. */
  #machinesOn(network: string): ReadonlyMap<string, string> {
    let ids = this.#ofNetworks.get(network);
    if (ids === undefined) {
      ids = new Map(
        this.#machines.map((machine) => [
          machineHandle(network, machine.namespace, machine.name),
          this.#handleOf(network, machine),
        ]),
      );
      this.#ofNetworks.set(network, ids);
    }
    return ids;
  }

  #handleOf(network: string, { namespace, name }: MachineName): string {
    return machineHandle(
      this.#network(network),
      this.#names.name('ns', namespace),
      this.#names.name('vm', name),
    );
  }

  #network(network: string): string {
    return network === DEFAULT_NETWORK ? network : this.#names.word('net', network);
  }
}
