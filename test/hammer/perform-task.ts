import type { IpamEngine } from '../../src/engine/ipam-engine.ts';
import { EngineError } from '../../src/errors/engine-error.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { formatAddress } from '../../src/net/address.ts';
import { ip as addressOf, net as cidrOf } from '../support/builders.ts';
import { ordinalIn } from '../../src/ipam/allocator/block-content.ts';
import {
  type HeldAddress,
  type JobError,
  type JobResult,
  NAMESPACE,
  TAG,
  type Task,
} from './job.ts';

type Outcome = Pick<JobResult, 'addresses' | 'error'>;
type TaskOf<Op extends Task['op']> = Extract<Task, { readonly op: Op }>;

/** Does a task through the engine; failures are part of the answer. */
export async function performTask(engine: IpamEngine, task: Task): Promise<Outcome> {
  try {
    return await perform(engine, task);
  } catch (error) {
    return { addresses: [], error: describeError(error) };
  }
}

async function perform(engine: IpamEngine, task: Task): Promise<Outcome> {
  switch (task.op) {
    case 'assign':
      return assign(engine, task);
    case 'assign-given':
      await engine.assignAddress({
        ...{ address: addressOf(task.address), host: task.host, handle: task.handle },
        ...{ attributes: ownerOf(task), use: task.use },
      });
      return { addresses: [task.address] };
    case 'release':
      return release(engine, task);
    case 'release-handle':
      await engine.releaseByHandle(task.handle);
      return { addresses: [] };
    case 'change-owner':
      await changeOwner(engine, task);
      return { addresses: [] };
    case 'claim': {
      const { error } = await engine.claimAffinity(
        { type: 'host', host: task.host },
        cidrOf(task.block),
      );
      return { addresses: [], error: error === undefined ? undefined : describeError(error) };
    }
    case 'give-up':
      await giveUp(engine, task);
      return { addresses: [] };
  }
}

async function assign(engine: IpamEngine, task: TaskOf<'assign'>): Promise<Outcome> {
  const wanted = { count: task.count };
  const { v4, v6, error } = await engine.autoAssign({
    ...{ host: task.host, use: task.use, handle: task.handle, attributes: ownerOf(task) },
    ...(task.family === 4 ? { v4: wanted } : { v6: wanted }),
  });
  const got = (v4 ?? v6)?.addresses ?? [];
  return {
    addresses: got.map(({ address }) => formatAddress(address)),
    error: error === undefined ? undefined : describeError(error),
  };
}

async function release(engine: IpamEngine, task: TaskOf<'release'>): Promise<Outcome> {
  const numbers = task.isNumbered ? await numbersOf(engine, task.held) : new Map<string, bigint>();
  const { released, error } = await engine.releaseAddresses(
    task.held.map(({ address, handle }) => ({
      address,
      handle,
      sequenceNumber: numbers.get(address),
    })),
  );
  return {
    addresses: released.map(({ address }) => address),
    error: error === undefined ? undefined : describeError(error),
  };
}

/** The numbers under which addresses were assigned, as a report would name them. */
async function numbersOf(
  engine: IpamEngine,
  held: readonly HeldAddress[],
): Promise<ReadonlyMap<string, bigint>> {
  const numbers = new Map<string, bigint>();
  for (const { address, block: text } of held) {
    const block = await engine.block(cidrOf(text));
    const number = block?.sequenceNumbers.get(ordinalIn(block, addressOf(address)));
    if (number !== undefined) numbers.set(address, number);
  }
  return numbers;
}

async function changeOwner(engine: IpamEngine, task: TaskOf<'change-owner'>): Promise<void> {
  const { held, from, to, isWrong } = task;
  await engine.setOwners({
    address: addressOf(held.address),
    handle: held.handle,
    updates: {
      active: attributesFor(task, to),
      alternate: attributesFor(task, from),
    },
    preconditions: { active: { namespace: NAMESPACE, name: isWrong ? `not-${from}` : from } },
  });
}

async function giveUp(engine: IpamEngine, task: TaskOf<'give-up'>): Promise<void> {
  const { host, block, mustBeEmpty } = task;
  if (block === undefined) await engine.releaseHostAffinities({ type: 'host', host }, mustBeEmpty);
  else await engine.releaseAffinity(host, cidrOf(block), mustBeEmpty);
}

/** Attributes of who asks for addresses. */
function ownerOf(task: TaskOf<'assign' | 'assign-given'>): Readonly<Record<string, string>> {
  if (task.use === 'Workload') return attributesFor(task, task.tag);
  return { [TAG]: task.tag, type: task.use, namespace: NAMESPACE, service: task.tag };
}

/** Attributes of an owner; the tag stays with the address whoever owns it. */
function attributesFor(
  { host, tag }: { readonly host: string; readonly tag: string },
  pod: string,
): Readonly<Record<string, string>> {
  return { [TAG]: tag, namespace: NAMESPACE, pod, node: host };
}

function describeError(error: unknown): JobError {
  if (error instanceof EngineError)
    return { code: error.category, message: error.message, isBug: false };
  if (error instanceof ToolError) {
    const isBug = error.code === 'INTERNAL' || error.code === 'DATA';
    return { code: error.code, message: error.message, isBug };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'THROWN', message, isBug: true };
}
