import { type Cidr, formatCidr, parseCidrOrAddress } from '../../net/cidr.ts';
import type { ResourceKind, UnreadableRow } from '../model/resource.ts';
import { isReadable, type ReadableRow, type Row } from '../model/row.ts';
import { MovedAddresses, SAME_ADDRESSES } from './address-map.ts';
import { cidrOfName } from './address-texts.ts';
import { cidrTextsOf, textsIn } from './entries.ts';
import type { MachineName } from './handle-ids.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { Redactor } from './redactor.ts';
import { Vocabulary } from './vocabulary.ts';

/** What is replaced: names alone, or addresses too. */
export type RedactionLevel = 'names' | 'all';

/** How to redact. */
export interface RedactionOptions {
  readonly level: RedactionLevel;
  /** Random bytes that nobody keeps. */
  readonly key: Uint8Array;
}

const NAME_KINDS: readonly ResourceKind[] = ['IPPool', 'VirtualMachine', 'VirtualMachineInstance'];
const RANGE_KINDS: readonly ResourceKind[] = [
  'IPReservation',
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
];

/**
 * Gathers what has to be known of the whole cluster before one object can be redacted: pools, because their order
 * counts; machines, because handles are made of their names; ranges, because addresses keep their places in them.
 */
export class RedactionSurvey {
  readonly kinds: readonly ResourceKind[];
  readonly #options: RedactionOptions;
  readonly #pools = new Set<string>();
  readonly #selectors = new Set<string>();
  readonly #machines = new Map<string, MachineName>();
  readonly #ranges = new Map<string, Cidr>();
  readonly #poolRanges: Cidr[] = [];

  constructor(options: RedactionOptions) {
    this.#options = options;
    this.kinds = options.level === 'all' ? [...NAME_KINDS, ...RANGE_KINDS] : NAME_KINDS;
  }

  /** Takes a row; of one that cannot be read its object is needed. */
  add(row: Row): void {
    if (row.kind === 'IPPool') this.#pools.add(row.key.name);
    if (isReadable(row)) this.#addReadable(row);
    else if (this.#options.level === 'all') this.#addUnreadable(row);
  }

  /** @throws {@link PreconditionError} when addresses cannot be moved, because there are too many. */
  build(): Redactor {
    const names = new Pseudonyms(this.#options.key);
    const addresses =
      this.#options.level === 'all' ? new MovedAddresses(this.#ranges.values()) : SAME_ADDRESSES;
    const surveyed = {
      pools: [...this.#pools].sort(),
      selectors: [...this.#selectors],
      machines: [...this.#machines.values()],
      ranges: this.#poolRanges,
    };
    return new Redactor(new Vocabulary(names, { addresses, surveyed }));
  }

  #addReadable(row: ReadableRow): void {
    switch (row.kind) {
      case 'IPPool':
        this.#selectors.add(row.nodeSelector).add(row.namespaceSelector);
        this.#poolRanges.push(row.cidr);
        this.#addRange(row.cidr);
        return;
      case 'VirtualMachine':
      case 'VirtualMachineInstance':
        this.#addMachine({ namespace: row.key.namespace ?? '', name: row.key.name });
        return;
      case 'IPReservation':
        for (const cidr of row.cidrs) this.#addRange(cidr);
        return;
      case 'IPAMHandle':
        for (const { cidr } of row.counts) if (cidr) this.#addRange(cidr);
        return;
      case 'IPAMBlock':
      case 'BlockAffinity':
        this.#addRange(row.cidr);
        return;
      default:
    }
  }

  #addUnreadable({ key, object, entry }: UnreadableRow): void {
    const texts = [
      ...(entry === undefined ? [] : cidrTextsOf(entry.path)),
      ...textsIn(entry?.value ?? object ?? null),
    ];
    for (const text of texts) {
      const cidr = parseCidrOrAddress(text.trim());
      if (cidr) this.#addRange(cidr);
    }
    // In front of the prefix in the name of a row there may be a host.
    for (let at = 0; at >= 0; at = key.name.indexOf('-', at + 1)) {
      const named = cidrOfName(key.name.slice(at === 0 ? 0 : at + 1));
      if (named) this.#addRange(named);
    }
  }

  #addMachine(machine: MachineName): void {
    this.#machines.set(`${machine.namespace}/${machine.name}`, machine);
  }

  #addRange(cidr: Cidr): void {
    this.#ranges.set(formatCidr(cidr), cidr);
  }
}
