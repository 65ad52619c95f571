import type { EngineContext } from './engine-context.ts';
import { typeLabel } from './affinity-list.ts';
import { isLostRace, withRetries } from './lost-race.ts';

/**
 * Labels the affinities that an old release wrote for a host, so that they are found again. Once is enough, and in etcd
 * there is nothing to do.
 *
 * @throws {@link EngineError} `max-retries`
 * Source: Calico libcalico-go lib/ipam, UpgradeHost.
 */
export async function labelAffinitiesOf({ store }: EngineContext, host: string): Promise<void> {
  if (store.keys.form === 'entry') return;
  const rows = await store.affinities((row) => row.host === host);
  for (const row of rows) {
    if (typeLabel(row) !== undefined) continue;
    await withRetries(`labelling the affinities of ${host}`, async () => {
      // A row that went, or that somebody else labelled, needs nothing.
      const now = await store.affinity({ type: row.type, host }, row.cidr);
      if (now && typeLabel(now) === undefined) await store.labelAffinity(now);
    }).catch((error: unknown) => {
      if (!isLostRace(error)) throw error;
    });
  }
}
