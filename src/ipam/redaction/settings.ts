import { LOCK_MARK } from '../marks.ts';
import { POOL_USES } from '../model/pool.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { type Mapper, isObject, list, shape } from './mappers.ts';
import { type KeptTexts, metadataMapper, typeOf } from './metadata.ts';
import { type Vocabulary, textMember } from './vocabulary.ts';

/** Versions are no names; what a vendor puts behind one may be. */
const VERSION = /^v?\d+(?:\.\d+){0,3}(?:-(?:0\.dev|rc\d*|alpha|beta)[-.\w]*)?$/;
/** Words of a cluster type, joined by commas. */
const CLUSTER_TYPE =
  /^(?:(?:k8s|kdd|bgp|typha|operator|kubeadm|openshift|canal|win|ecs|gke|aks|eks|helm|manifest)(?:,|$))*$/;
const MODES = ['Always', 'CrossSubnet', 'Never'];
const CONDITION_REASONS = ['CIDROverlap', 'PoolDisabled', 'Terminating', 'OK'];
const ASSIGN_MODES = ['AllServices', 'RequestedServicesOnly', 'Disabled'];

/** Redacts what administrators configure: pools, reservations, settings, and what Calico says about the cluster. */
export class SettingsRedactor {
  readonly #vocabulary: Vocabulary;
  readonly #pool: Mapper;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#pool = poolMapper(vocabulary);
  }

  pool(object: JsonObject): JsonObject {
    const { words } = this.#vocabulary;
    const condition = shape(
      {
        type: words.oneOf(['Allocatable']),
        status: words.oneOf(['True', 'False', 'Unknown']),
        reason: words.oneOf(CONDITION_REASONS),
      },
      words.scrub,
    );
    const status = shape({ conditions: list(condition, words.scrub) }, words.scrub);
    return this.#object(object, {
      name: (name) => this.#vocabulary.pool(name),
      members: { spec: this.#pool, status },
    });
  }

  reservation(object: JsonObject): JsonObject {
    const { words, names, address } = this.#vocabulary;
    const spec = shape({ reservedCIDRs: list(address, words.scrub) }, words.scrub);
    const name = (text: string): string => names.name('reservation', text);
    return this.#object(object, { name, members: { spec } });
  }

  clusterInformation(object: JsonObject): JsonObject {
    const { words } = this.#vocabulary;
    const spec = shape(
      {
        clusterGUID: words.guid,
        clusterType: words.matching(CLUSTER_TYPE, 'type'),
        calicoVersion: words.matching(VERSION, 'version'),
        datastoreReady: words.scalar,
      },
      words.scrub,
    );
    const annotations = { [LOCK_MARK]: words.text((mark) => this.#lockMark(mark)) };
    return this.#object(object, { ...this.#singleton, members: { spec }, texts: { annotations } });
  }

  controllersConfiguration(object: JsonObject): JsonObject {
    const { words } = this.#vocabulary;
    const loadBalancer = shape({ assignIPs: words.oneOf(ASSIGN_MODES) }, words.scrub);
    const controllers = shape({ loadBalancer }, words.scrub);
    const spec = shape({ controllers }, words.scrub);
    return this.#object(object, { ...this.#singleton, members: { spec } });
  }

  config(object: JsonObject): JsonObject {
    return this.#object(object, {
      ...this.#singleton,
      members: { spec: (value) => this.configValue(value) },
    });
  }

  /** The value of the key of the configuration, or its spec: both have the same kinds of members. */
  configValue(value: JsonValue): JsonValue {
    const { words } = this.#vocabulary;
    return shape(
      {
        strictAffinity: words.scalar,
        strict_affinity: words.scalar,
        autoAllocateBlocks: words.scalar,
        auto_allocate_blocks: words.scalar,
        maxBlocksPerHost: words.scalar,
        kubeVirtVMAddressPersistence: words.oneOf(['Enabled', 'Disabled']),
        ipCooldownSeconds: words.scalar,
      },
      words.scrub,
    )(value);
  }

  get #singleton() {
    return { name: (name: string): string => this.#vocabulary.singleton(name) };
  }

  /** Who locked it is a name, why may be anything. */
  #lockMark(text: string): string {
    const { words } = this.#vocabulary;
    const mark = parsed(text);
    const { by, at } = isObject(mark) ? mark : {};
    return JSON.stringify({
      by: this.#vocabulary.names.word('user', textMember(by)),
      at: words.time(textMember(at)),
    });
  }

  #object(
    object: JsonObject,
    parts: {
      readonly name: (name: string) => string;
      readonly members: Readonly<Record<string, Mapper>>;
      readonly texts?: KeptTexts | undefined;
    },
  ): JsonObject {
    const { words } = this.#vocabulary;
    const metadata = metadataMapper(this.#vocabulary, parts.name, parts.texts);
    const mapped = shape({ metadata, ...parts.members }, words.scrub)(object);
    return { ...typeOf(object), ...(mapped as JsonObject) };
  }
}

function poolMapper(vocabulary: Vocabulary): Mapper {
  const { words, terms } = vocabulary;
  const selector = words.text((text) => terms.selector(text));
  return shape(
    {
      cidr: vocabulary.address,
      blockSize: words.scalar,
      disabled: words.scalar,
      natOutgoing: words.scalar,
      disableBGPExport: words.scalar,
      ipipMode: words.oneOf(MODES),
      vxlanMode: words.oneOf(MODES),
      nodeSelector: selector,
      namespaceSelector: selector,
      allowedUses: list(words.oneOf(POOL_USES, 'type'), words.scrub),
      assignmentMode: words.oneOf(['Automatic', 'Manual']),
    },
    words.scrub,
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
