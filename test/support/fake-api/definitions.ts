import type { JsonObject } from '../../../src/support/json.ts';
import type { ObjectStore } from './object-store.ts';
import { collectionOf, DEFINITIONS } from './resources.ts';

/** What a server serves, and where it keeps its definitions. */
export interface Serving {
  readonly store: ObjectStore;
  readonly groups: Set<string>;
  readonly missing: Set<string>;
}

/** Makes a stored definition established and its kind served. */
export function establish({ store, groups, missing }: Serving, name: string): void {
  const collection = collectionOf(DEFINITIONS);
  const definition = store.get(collection, name);
  if (definition === undefined) return;
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
  store.put(collection, name, { ...definition, status: { conditions } });
  groups.add((definition['spec'] as JsonObject)['group'] as string);
  missing.delete(name);
}
