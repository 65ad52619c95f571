import type { Address } from '../../net/address.ts';
import type { PodRow } from '../model/workload-endpoint.ts';
import type { Pod } from './cluster-state.ts';
import {
  AddressColumn,
  float64Column,
  int32Column,
  orNaN,
  orUndefined,
  uint8Column,
} from './columns.ts';
import { RepeatedTexts, type StringTable } from './string-table.ts';

const FINISHED = 1;
const HOST_NETWORK = 2;
const TERMINATING = 4;

/** Namespaces and names have numbers below this, so a pair of them is one exact double. */
const PAIR = 2 ** 26;

/** Pods in columns, found by namespace and name. */
export class PodTable {
  private readonly strings: StringTable;
  private readonly namespaces = int32Column();
  private readonly names = int32Column();
  private readonly nodes = int32Column();
  private readonly flags = uint8Column();
  private readonly createdAt = float64Column();
  private readonly addressStarts = int32Column();
  private readonly addresses = new AddressColumn();
  private readonly byKey = new Map<number, number>();

  /** Servers list by namespace. */
  private readonly namespaceTexts: RepeatedTexts;

  constructor(strings: StringTable) {
    this.strings = strings;
    this.namespaceTexts = new RepeatedTexts(strings);
  }

  /** Takes a pod and keeps nothing of the row. */
  add(row: PodRow): void {
    const namespace = this.namespaceTexts.intern(row.key.namespace ?? '');
    const name = this.strings.intern(row.key.name);
    this.byKey.set(namespace * PAIR + name, this.names.length);
    this.namespaces.push(namespace);
    this.names.push(name);
    this.nodes.push(row.node ? this.strings.intern(row.node) : -1);
    this.flags.push(
      (row.finished ? FINISHED : 0) |
        (row.hostNetwork ? HOST_NETWORK : 0) |
        (row.terminating ? TERMINATING : 0),
    );
    this.createdAt.push(orNaN(row.createdAt));
    this.addressStarts.push(this.addresses.length);
    for (const address of row.addresses) this.addresses.push(address);
  }

  get length(): number {
    return this.names.length;
  }

  /** Position of the pod, or -1. */
  find(namespace: string, name: string): number {
    const first = this.strings.find(namespace);
    const second = this.strings.find(name);
    return first < 0 || second < 0 ? -1 : (this.byKey.get(first * PAIR + second) ?? -1);
  }

  /** Whether the pod carries its addresses: not finished, not in the node's network, and placed on a node. */
  carries(position: number): boolean {
    return (
      (this.flags.at(position) & (FINISHED | HOST_NETWORK)) === 0 && this.nodes.at(position) >= 0
    );
  }

  addressesAt(position: number): Address[] {
    const end =
      position + 1 < this.length ? this.addressStarts.at(position + 1) : this.addresses.length;
    const addresses: Address[] = [];
    for (let at = this.addressStarts.at(position); at < end; at++)
      addresses.push(this.addresses.at(at));
    return addresses;
  }

  /** What is said of one pod where it carries an address; asked for each address, so it lists none of them. */
  placeAt(position: number): Pick<Pod, 'namespace' | 'name' | 'node' | 'terminating'> {
    return {
      namespace: this.strings.text(this.namespaces.at(position)),
      name: this.strings.text(this.names.at(position)),
      node: this.strings.optionalText(this.nodes.at(position)),
      terminating: (this.flags.at(position) & TERMINATING) !== 0,
    };
  }

  /** The view of one pod. */
  view(position: number): Pod {
    const flags = this.flags.at(position);
    return {
      ...this.placeAt(position),
      finished: (flags & FINISHED) !== 0,
      hostNetwork: (flags & HOST_NETWORK) !== 0,
      createdAt: orUndefined(this.createdAt.at(position)),
      addresses: this.addressesAt(position),
    };
  }
}
