import { keyText } from '../../ipam/model/resource.ts';
import { formatAddress } from '../../net/address.ts';
import { rule } from '../rule.ts';
import { listed } from '../wording.ts';

type StaleFacts = {
  readonly endpoint: string;
  readonly namespace?: string | undefined;
  readonly node: string;
  readonly pod?: string | undefined;
  readonly addresses: readonly string[];
};

/** An endpoint row of etcd that outlived its pod. */
export const staleEndpoint = rule<StaleFacts>({
  code: 'stale-endpoint',
  severity: 'error',
  needs: [],
  title: 'A workload endpoint whose pod does not exist',
  why: 'Where endpoints are rows of their own (etcd), one may stay behind when its pod goes. It hides the leak of its address, and Calico goes on programming policy and routes for it.',
  remedy:
    'Delete the endpoint with `calicoctl delete workloadendpoint`, then check again: its address may be leaked.',
  missingFor: (state) =>
    state.isLoaded('WorkloadEndpoint') &&
    state.isInstalled('WorkloadEndpoint') &&
    !state.isLoaded('Pod')
      ? ['Pod']
      : [],
  *evaluate(state) {
    for (const { key, node, pod, addresses } of state.staleEndpoints) {
      const texts = addresses.map(formatAddress);
      yield {
        subject: {
          kind: 'WorkloadEndpoint',
          name: key.name,
          namespace: key.namespace,
          address: texts[0],
          node,
        },
        facts: { endpoint: keyText(key), namespace: key.namespace, node, pod, addresses: texts },
      };
    }
  },
  reason: ({ endpoint, namespace, node, pod, addresses }) => {
    const of =
      pod === undefined ? '' : ` of pod ${namespace === undefined ? pod : `${namespace}/${pod}`}`;
    const shown = addresses.length > 0 ? ` and shows ${listed(addresses)}` : '';
    return `Endpoint ${endpoint}${of} is still recorded on node ${node}${shown}, but there is no such pod.`;
  },
  remedyFor: ({ endpoint, namespace }) =>
    `Delete it with \`calicoctl delete workloadendpoint ${endpoint.slice(endpoint.indexOf('/') + 1)}${
      namespace === undefined ? '' : ` --namespace=${namespace}`
    }\`, then run \`ipamctl ipam check\` again.`,
  restsOn: ({ subject: { namespace, name }, facts: { pod } }) => [
    { kind: 'WorkloadEndpoint', key: { namespace, name } },
    ...(pod === undefined ? [] : [{ kind: 'Pod' as const, key: { namespace, name: pod } }]),
  ],
});
