import { endpointName } from '../accounting/carrier-label.ts';
import type { Labels } from '../selector/evaluate.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { type Mapper, isObject, list, shape, textOf } from './mappers.ts';
import { type KeptTexts, metadataMapper, typeOf } from './metadata.ts';
import { NODE_ANNOTATIONS, POD_ANNOTATIONS, SERVICE_ANNOTATIONS } from './read-members.ts';
import type { Vocabulary } from './vocabulary.ts';

const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Completed', 'Unknown'];
const KUBERNETES = 'k8s';

/** Redacts what shows addresses: nodes, pods, endpoints, Services, machines. Nothing of a pod's containers is left. */
export class EvidenceRedactor {
  readonly #vocabulary: Vocabulary;
  readonly #address: Mapper;
  readonly #addressList: Mapper;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#address = vocabulary.address;
    this.#addressList = vocabulary.words.text((text) => vocabulary.addresses.list(text));
  }

  /** @param labels Of the node as Calico reads them, its own and those in an annotation. */
  kubernetesNode(object: JsonObject, labels: Labels): JsonObject {
    const annotations = Object.fromEntries(
      NODE_ANNOTATIONS.map((name) => [name, this.#address] as const),
    );
    return this.#labelled(
      this.#object(object, { name: this.#node, members: {}, texts: { annotations } }),
      labels,
    );
  }

  /** A node as Calico keeps it in etcd. */
  calicoNode(object: JsonObject, labels: Labels): JsonObject {
    const { words } = this.#vocabulary;
    const address = this.#address;
    const wireguard = { interfaceIPv4Address: address, interfaceIPv6Address: address };
    const reference = { orchestrator: words.oneOf([KUBERNETES]), nodeName: words.name('node') };
    const spec = shape(
      {
        ipv4VXLANTunnelAddr: address,
        ipv6VXLANTunnelAddr: address,
        bgp: shape({ ipv4IPIPTunnelAddr: address }, words.scrub),
        wireguard: shape(wireguard, words.scrub),
        orchRefs: list(shape(reference, words.scrub), words.scrub),
      },
      words.scrub,
    );
    return this.#labelled(this.#object(object, { name: this.#node, members: { spec } }), labels);
  }

  pod(object: JsonObject): JsonObject {
    const { words, pods } = this.#vocabulary;
    const spec = shape({ nodeName: words.name('node'), hostNetwork: words.scalar }, words.scrub);
    const podIp = shape({ ip: this.#address }, words.scrub);
    const status = shape(
      {
        phase: words.oneOf(PHASES),
        podIP: this.#address,
        podIPs: list(podIp, words.scrub),
      },
      words.scrub,
    );
    const annotations = Object.fromEntries(
      POD_ANNOTATIONS.map((name) => [name, this.#addressList] as const),
    );
    const name = (text: string): string => pods.map(text);
    return this.#object(object, { name, members: { spec, status }, texts: { annotations } });
  }

  endpoint(object: JsonObject): JsonObject {
    const { words, pods } = this.#vocabulary;
    const spec = shape(
      {
        node: words.name('node'),
        orchestrator: words.oneOf([KUBERNETES]),
        pod: words.text((name) => pods.map(name)),
        ipNetworks: list(this.#address, words.scrub),
      },
      words.scrub,
    );
    const name = (text: string): string => this.endpointName(text, object['spec']);
    return this.#object(object, { name, members: { spec } });
  }

  /** The name of an endpoint, which mostly follows from node and pod. */
  endpointName(name: string, spec: JsonValue | undefined): string {
    const { names, pods } = this.#vocabulary;
    const [node, pod] = [textOf(spec, 'node'), textOf(spec, 'pod')];
    const isDerived = node !== undefined && pod !== undefined && endpointName(node, pod) === name;
    return isDerived
      ? endpointName(names.name('node', node), pods.map(pod))
      : names.name('endpoint', name);
  }

  service(object: JsonObject): JsonObject {
    const { words, names } = this.#vocabulary;
    // That somebody asked for addresses counts, and not for which.
    const request: Mapper = (value) => (value === '' || value === null ? value : '[]');
    const spec = shape(
      {
        type: words.oneOf(['LoadBalancer', 'ClusterIP', 'NodePort', 'ExternalName']),
        loadBalancerClass: words.oneOf(['calico'], 'class'),
        loadBalancerIP: words.text(() => 'requested'),
      },
      words.scrub,
    );
    const ingress = list(shape({ ip: this.#address }, words.scrub), words.scrub);
    const status = shape({ loadBalancer: shape({ ingress }, words.scrub) }, words.scrub);
    const annotations = Object.fromEntries(
      SERVICE_ANNOTATIONS.map((name) => [name, request] as const),
    );
    const name = (text: string): string => names.name('svc', text);
    return this.#object(object, { name, members: { spec, status }, texts: { annotations } });
  }

  machine(object: JsonObject): JsonObject {
    const name = (text: string): string => this.#vocabulary.names.name('vm', text);
    return this.#object(object, { name, members: {} });
  }

  get #node(): (name: string) => string {
    return (name) => this.#vocabulary.names.name('node', name);
  }

  #labelled(object: JsonObject, labels: Labels): JsonObject {
    const { metadata } = object;
    const terms = this.#vocabulary.terms.labels(labels);
    // Labels that cannot be read are damage, which stays.
    if (!isObject(metadata) || (metadata['labels'] !== undefined && !isObject(metadata['labels'])))
      return object;
    return { ...object, metadata: { ...metadata, labels: terms } };
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
