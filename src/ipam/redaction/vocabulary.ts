import { type Cidr, containsCidr } from '../../net/cidr.ts';
import { affinityName } from '../model/names.ts';
import type { JsonValue } from '../model/resource.ts';
import type { AddressMap } from './address-map.ts';
import { AddressTexts, cidrOfName } from './address-texts.ts';
import { HandleIds, type MachineName } from './handle-ids.ts';
import type { Mapper } from './mappers.ts';
import { PodNames } from './pod-names.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { SelectorTerms } from './selector-terms.ts';
import { Words } from './words.ts';

/** What has to be known of a cluster before its first object is redacted. */
export interface Surveyed {
  /** Names of all pools, in byte order. */
  readonly pools: readonly string[];
  /** Selectors of all pools. */
  readonly selectors: readonly string[];
  readonly machines: readonly MachineName[];
  /** Ranges of all pools. */
  readonly ranges: readonly Cidr[];
}

/** Everything that stands in the place of names and addresses, the same for all objects of a snapshot. */
export class Vocabulary {
  readonly names: Pseudonyms;
  readonly words: Words;
  readonly addresses: AddressTexts;
  readonly handles: HandleIds;
  readonly pods: PodNames;
  readonly terms: SelectorTerms;
  readonly #pools: ReadonlyMap<string, string>;
  readonly #ranges: readonly Cidr[];

  constructor(
    names: Pseudonyms,
    { addresses, surveyed }: { readonly addresses: AddressMap; readonly surveyed: Surveyed },
  ) {
    const { pools, selectors, machines, ranges } = surveyed;
    this.#ranges = ranges;
    this.names = names;
    this.words = new Words(names);
    this.addresses = new AddressTexts(addresses, this.words.scrubText);
    this.handles = new HandleIds(names, machines);
    this.pods = new PodNames(names, new Set(machines.map(({ name }) => name)));
    this.terms = new SelectorTerms(names, selectors);
    this.#pools = rankedNames(names, pools);
  }

  /** Texts that hold one address or prefix. */
  get address(): Mapper {
    return this.words.text((text) => this.addresses.text(text));
  }

  /** Pools keep their order by name, because it decides which of two equal ones owns a block. */
  pool(name: string): string {
    return this.#pools.get(name) ?? this.names.name('pool', name);
  }

  /** The owner of an affinity of whatever type. */
  host(host: string): string {
    return this.names.name('node', host);
  }

  /** The type of an affinity; a blank one counts as `host`. */
  ownerType(type: string): string {
    return ['host', 'virtual', ''].includes(type) ? type : this.names.word('type', type);
  }

  /** Affinity text of a block, such as `host:node-a`. */
  owner(text: string): string {
    const colon = text.indexOf(':');
    if (colon < 0) return this.host(text);
    return `${this.ownerType(text.slice(0, colon))}:${this.host(text.slice(colon + 1))}`;
  }

  /**
   * The name of an affinity's row of which the object does not say owner and block: other rows may tell it by its name. A
   * host may end like the beginning of a prefix; then the prefix is one of a pool.
   */
  affinityName(name: string): string {
    const readings = [...readingsOf(name)];
    const isPooled = ({ cidr }: AffinityReading): boolean =>
      this.#ranges.some((range) => containsCidr(range, cidr));
    const reading = readings.find(isPooled) ?? readings[0];
    if (reading === undefined) return this.names.name('affinity', name);
    return affinityName(this.host(reading.host), this.addresses.cidr(reading.cidr));
  }

  /** A name of one object that counts, which every cluster has; any other is somebody's choice. */
  singleton(name: string): string {
    return name === 'default' ? name : this.names.name('config', name);
  }
}

/** What the name of an affinity's row may be made of. */
interface AffinityReading {
  readonly host: string;
  readonly cidr: Cidr;
}

/** Longest prefixes first. */
function* readingsOf(name: string): Generator<AffinityReading> {
  for (let dash = name.indexOf('-', 1); dash > 0; dash = name.indexOf('-', dash + 1)) {
    const cidr = cidrOfName(name.slice(dash + 1));
    if (cidr) yield { host: name.slice(0, dash), cidr };
  }
}

function rankedNames(names: Pseudonyms, pools: readonly string[]): ReadonlyMap<string, string> {
  const width = String(pools.length).length;
  return new Map(
    pools.map((name, i) => {
      const rank = String(i + 1).padStart(width, '0');
      return [name, `pool-${rank}-${names.digits('pool', name, 6)}`];
    }),
  );
}

/** A member of a value as text, empty when it is none. */
export function textMember(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
