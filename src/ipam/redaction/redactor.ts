import type { NodeRow } from '../model/node.ts';
import type { JsonObject, JsonValue, ResourceKind, StoredEntry } from '../model/resource.ts';
import { isReadable, type Row } from '../model/row.ts';
import { ClaimRedactor } from './claims.ts';
import { redactPath } from './entries.ts';
import { EvidenceRedactor } from './evidence.ts';
import { isObject, memberOf } from './mappers.ts';
import { SettingsRedactor } from './settings.ts';
import type { Vocabulary } from './vocabulary.ts';

const NO_LABELS = {};

/**
 * Replaces every name, and addresses where the vocabulary has others for them, in the same way in all objects. Only
 * members that IPAM reads are left, so nothing that is not known here gets through; what is damaged stays damaged.
 */
export class Redactor {
  readonly #vocabulary: Vocabulary;
  readonly #claims: ClaimRedactor;
  readonly #settings: SettingsRedactor;
  readonly #evidence: EvidenceRedactor;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#claims = new ClaimRedactor(vocabulary);
    this.#settings = new SettingsRedactor(vocabulary);
    this.#evidence = new EvidenceRedactor(vocabulary);
  }

  /** An object of Kubernetes; its row says what its labels are. */
  object(row: Row, object: JsonObject): JsonObject {
    switch (row.kind) {
      case 'IPAMBlock':
        return this.#claims.block(object);
      case 'IPAMHandle':
        return this.#claims.handle(object);
      case 'BlockAffinity':
        return this.#claims.affinity(object);
      case 'IPPool':
        return this.#settings.pool(object);
      case 'IPReservation':
        return this.#settings.reservation(object);
      case 'IPAMConfig':
        return this.#settings.config(object);
      case 'ClusterInformation':
        return this.#settings.clusterInformation(object);
      case 'KubeControllersConfiguration':
        return this.#settings.controllersConfiguration(object);
      default:
        return this.#evidenceObject(row, object);
    }
  }

  /** A key of etcd with its value. */
  entry(row: Row, { path, value }: StoredEntry): StoredEntry {
    const name = (_folder: string, text: string): string => this.#resourceName(row, text, value);
    return {
      path: redactPath(path, this.#vocabulary, name),
      value: this.#entryValue(row, value),
    };
  }

  /** Identity of the cluster. */
  clusterGUID(guid: string): string {
    return this.#vocabulary.words.guid(guid) as string;
  }

  #evidenceObject(row: Row, object: JsonObject): JsonObject {
    switch (row.kind) {
      case 'Node':
        return isCalicoNode(row, object)
          ? this.#evidence.calicoNode(object, labelsOf(row))
          : this.#evidence.kubernetesNode(object, labelsOf(row));
      case 'Pod':
        return this.#evidence.pod(object);
      case 'WorkloadEndpoint':
        return this.#evidence.endpoint(object);
      case 'Service':
        return this.#evidence.service(object);
      default:
        return this.#evidence.machine(object);
    }
  }

  #entryValue(row: Row, value: JsonValue): JsonValue {
    switch (row.kind) {
      case 'IPAMBlock':
        return this.#claims.blockValue(value);
      case 'IPAMHandle':
        return this.#claims.handleValue(value);
      case 'BlockAffinity':
        return this.#claims.affinityValue(value);
      case 'IPAMConfig':
        return this.#settings.configValue(value);
      default:
        return isObject(value) ? this.object(row, value) : this.#vocabulary.words.scrub(value);
    }
  }

  #resourceName(row: Row, name: string, value: JsonValue): string {
    const { names } = this.#vocabulary;
    const byKind: Partial<Record<ResourceKind, () => string>> = {
      IPPool: () => this.#vocabulary.pool(name),
      IPReservation: () => names.name('reservation', name),
      Node: () => names.name('node', name),
      WorkloadEndpoint: () => this.#evidence.endpointName(name, memberOf(value, 'spec')),
    };
    return byKind[row.kind]?.() ?? this.#vocabulary.singleton(name);
  }
}

function isCalicoNode(row: Row, object: JsonObject): boolean {
  if (isReadable(row) && row.kind === 'Node') return row.origin === 'calico';
  const { apiVersion } = object;
  return typeof apiVersion === 'string' && apiVersion.startsWith('projectcalico.org/');
}

function labelsOf(row: Row): NodeRow['labels'] {
  return isReadable(row) && row.kind === 'Node' ? row.labels : NO_LABELS;
}
