import { resourceKindOf } from '../../src/datastore/codec/decode.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { ContractSeed } from './contract-seed.ts';
import { describeDatastoreContract } from './datastore-contract.ts';
import { describeWritingContract } from './writing-contract.ts';

async function open({ objects, emptyKinds }: ContractSeed): Promise<MemoryDatastore> {
  const datastore = new MemoryDatastore();
  for (const kind of emptyKinds) datastore.declare(kind);
  for (const object of objects) {
    const kind = resourceKindOf(object.apiVersion as string, object.kind as string);
    if (kind === undefined) throw new Error(`a seed of unknown kind ${object.kind as string}`);
    datastore.put(kind, object);
  }
  return datastore;
}

describeDatastoreContract('memory', { unseeded: 'not-loaded', knowsEmptyKinds: true, open });
describeWritingContract('memory', { open });
