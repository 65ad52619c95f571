import { ALLOCATION_TYPES } from '../accounting/kind.ts';
import { comparableHandleId } from '../handle-id.ts';
import { affinityName, handleName, hostnameHash } from '../model/names.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { parseCidr } from '../../net/cidr.ts';
import { type Mapper, entries, isObject, list, memberOf, shape, text, textOf } from './mappers.ts';
import { metadataMapper, typeOf } from './metadata.ts';
import type { Vocabulary } from './vocabulary.ts';

const ORDINAL = /^\d{1,10}$/;
const STATES = ['pending', 'confirmed', 'pendingDeletion'];
const LABELS = {
  type: 'projectcalico.org/affinity-type',
  version: 'projectcalico.org/ip-version',
  hash: 'projectcalico.org/hostname-hash',
} as const;

/** Redacts blocks, handles and affinities: objects of Kubernetes, and the values of etcd, which have no metadata. */
export class ClaimRedactor {
  readonly #vocabulary: Vocabulary;
  readonly #block: Mapper;
  readonly #handleCounts: Mapper;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#block = blockMapper(vocabulary);
    const { words, addresses } = vocabulary;
    this.#handleCounts = entries((cidr) => addresses.text(cidr), words.scalar, words.scrub);
  }

  block(object: JsonObject): JsonObject {
    const { addresses, names } = this.#vocabulary;
    const name = (name: string): string => addresses.blockName(name) ?? names.name('block', name);
    return this.#object(object, { name, spec: this.#block });
  }

  /** The value of a block's key. */
  blockValue(value: JsonValue): JsonValue {
    return this.#block(value);
  }

  handle(object: JsonObject): JsonObject {
    const id = textOf(memberOf(object, 'spec') ?? null, 'handleID');
    const { handles, words } = this.#vocabulary;
    const spec = shape(
      {
        handleID: words.text((id) => handles.map(id)),
        block: this.#handleCounts,
        deleted: words.flag,
      },
      words.scrub,
    );
    return this.#object(object, { name: (name) => this.#handleName(name, id), spec });
  }

  /** The value of a handle's key. */
  handleValue(value: JsonValue): JsonValue {
    const { words } = this.#vocabulary;
    return shape({ block: this.#handleCounts, deleted: words.flag }, words.scrub)(value);
  }

  affinity(object: JsonObject): JsonObject {
    const { words } = this.#vocabulary;
    const host = textOf(object['spec'], 'node');
    const spec = shape(
      {
        node: words.text((name) => this.#vocabulary.host(name)),
        type: words.text((name) => this.#vocabulary.ownerType(name)),
        cidr: this.#vocabulary.address,
        state: words.oneOf(STATES),
        deleted: words.flag,
      },
      words.scrub,
    );
    const name = (name: string): string => this.#affinityName(name, object);
    return this.#object(object, { name, spec, labels: this.#affinityLabels(host) });
  }

  /** The value of an affinity's key. */
  affinityValue(value: JsonValue): JsonValue {
    const { words } = this.#vocabulary;
    return shape({ state: words.oneOf(STATES), deleted: words.flag }, words.scrub)(value);
  }

  /** A handle's row is found by the name that follows from its id, or it is not. */
  #handleName(name: string, id: string | undefined): string {
    const { handles } = this.#vocabulary;
    if (id === undefined || name === id) return handles.map(name);
    if (name === handleName(id)) return handleName(handles.map(id));
    const cut = comparableHandleId(id);
    return name === handleName(cut) ? handleName(handles.map(cut)) : handles.map(name);
  }

  #affinityName(name: string, object: JsonObject): string {
    const host = textOf(object['spec'], 'node') ?? '';
    const cidr = parseCidr(textOf(object['spec'], 'cidr') ?? '');
    const isDerived = host !== '' && cidr !== undefined && affinityName(host, cidr) === name;
    if (!isDerived) return this.#vocabulary.affinityName(name);
    return affinityName(this.#vocabulary.host(host), this.#vocabulary.addresses.cidr(cidr));
  }

  #affinityLabels(host: string | undefined): Record<string, Mapper> {
    const { words } = this.#vocabulary;
    const hash = host === undefined ? undefined : hostnameHash(host);
    const mapped = host === undefined ? '' : hostnameHash(this.#vocabulary.host(host));
    return {
      [LABELS.type]: words.oneOf(['host', 'virtual']),
      [LABELS.version]: words.oneOf(['4', '6']),
      [LABELS.hash]: words.text((label) => (label === hash ? mapped : words.scrubText(label))),
    };
  }

  #object(
    object: JsonObject,
    parts: {
      readonly name: (name: string) => string;
      readonly spec: Mapper;
      readonly labels?: Record<string, Mapper> | undefined;
    },
  ): JsonObject {
    const { words } = this.#vocabulary;
    const metadata = metadataMapper(this.#vocabulary, parts.name, { labels: parts.labels });
    return {
      ...typeOf(object),
      ...(shape({ metadata, spec: parts.spec }, words.scrub)(object) as JsonObject),
    };
  }
}

function blockMapper(vocabulary: Vocabulary): Mapper {
  const { words, handles } = vocabulary;
  const { scalar, scrub } = words;
  const owner = ownerMapper(vocabulary);
  const attribute = shape(
    {
      handle_id: words.text((id) => handles.map(id)),
      secondary: owner,
      alternateOwnerAttrs: owner,
      releasedAt: words.time,
    },
    scrub,
  );
  const ordinal = (name: string): string => (ORDINAL.test(name) ? name : words.scrubText(name));
  return shape(
    {
      cidr: vocabulary.address,
      affinity: words.text((text) => vocabulary.owner(text)),
      affinityClaimTime: words.time,
      affinity_claim_time: words.time,
      strictAffinity: scalar,
      allocations: list(scalar, scrub),
      unallocated: list(scalar, scrub),
      attributes: list(attribute, scrub),
      sequenceNumber: scalar,
      sequenceNumberForAllocation: entries(ordinal, scalar, scrub),
      deleted: words.flag,
    },
    scrub,
  );
}

/** Attributes of an owner. Those that nobody reads stay as what they are: something that is there. */
function ownerMapper(vocabulary: Vocabulary): Mapper {
  const { words, names, pods } = vocabulary;
  const known: Readonly<Record<string, Mapper>> = {
    node: words.name('node'),
    pod: words.text((name) => pods.map(name)),
    namespace: words.name('ns'),
    service: words.name('svc'),
    'vmi-name': words.name('vm'),
    'vmi-uid': words.uid,
    'vm-uid': words.uid,
    'vmim-uid': words.uid,
    type: words.oneOf(ALLOCATION_TYPES, 'type'),
    timestamp: text((time) => words.goTime(time), words.scrub),
  };
  const isKnown = (name: string): boolean => Object.hasOwn(known, name);
  return (value) => {
    if (!isObject(value)) return value === null ? null : words.scrub(value);
    return entries(
      (name) => (isKnown(name) ? name : names.word('attr', name)),
      (member, name) => (isKnown(name) ? known[name] : words.scrub)?.(member) ?? null,
      words.scrub,
    )(value);
  };
}
