import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import type { TraceForm } from './trace.ts';

/** Kinds of the plurals that scenarios use. */
const KINDS: Readonly<Record<string, ResourceKind>> = {
  ipamblocks: 'IPAMBlock',
  blockaffinities: 'BlockAffinity',
  ipamhandles: 'IPAMHandle',
  ipamconfigs: 'IPAMConfig',
  ipamconfigurations: 'IPAMConfig',
  ippools: 'IPPool',
  ipreservations: 'IPReservation',
  nodes: 'Node',
};

/** Kind of a plural. */
export function kindOfPlural(plural: string): ResourceKind {
  const kind = KINDS[plural];
  if (!kind) throw new Error(`no scenario knows ${plural}`);
  return kind;
}

/** Plurals of the rows that traces look at. */
export function rowPlurals(form: TraceForm): readonly string[] {
  return [
    'ipamblocks',
    'blockaffinities',
    'ipamhandles',
    form === 'v3' ? 'ipamconfigurations' : 'ipamconfigs',
  ];
}

/** Version of the objects of a plural. */
export function versionOf(plural: string, form: TraceForm): string {
  if (plural === 'nodes' && form !== 'etcd') return 'v1';
  return form === 'crd' ? 'crd.projectcalico.org/v1' : 'projectcalico.org/v3';
}

/** Whether a trace looks at an entry of etcd. */
export function isRowEntry(key: string): boolean {
  return (
    key.startsWith('/calico/ipam/') ||
    /^\/calico\/resources\/v3\/projectcalico\.org\/(ippools|ipamconfig)/.test(key)
  );
}

/** Key of a resource in etcd. */
export function entryOf(plural: string, name: string): string {
  return `/calico/resources/v3/projectcalico.org/${plural}/${name}`;
}
