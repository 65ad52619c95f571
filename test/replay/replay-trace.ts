import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { IpamEngine } from '../../src/engine/ipam-engine.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { BlockIncarnations } from './block-incarnations.ts';
import { type Departure, DEPARTURES } from './departures.ts';
import { ExpectedRows } from './expected-rows.ts';
import { memberOf, textOf } from './json-values.ts';
import { normalRows, sortedText } from './normal-rows.ts';
import { OPERATIONS } from './operations.ts';
import { readNamed, SET_UP } from './set-up.ts';
import type { Stage } from './stage.ts';
import type { Trace, TraceStep } from './trace.ts';

/** Something that is not as it was recorded. */
export interface Difference {
  readonly trace: string;
  /** Position of the step, from 0. */
  readonly step: number;
  readonly op: string;
  /** `answer`, or the place of a row. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

/** Replays a trace on a stage until something differs; no differences mean that answers and rows are equal. */
export async function replayTrace(trace: Trace, stage: Stage): Promise<readonly Difference[]> {
  const replay = new Replay(trace, stage);
  for (const [position, step] of trace.steps.entries()) {
    const differences = await replay.run(step, position);
    if (differences.length > 0) return differences;
  }
  return [];
}

class Replay {
  readonly #trace: Trace;
  readonly #stage: Stage;
  readonly #incarnations = new BlockIncarnations();
  readonly #expected: ExpectedRows;
  readonly #engine: IpamEngine;
  readonly #ignored = new Set<string>();

  constructor(trace: Trace, stage: Stage) {
    this.#trace = trace;
    this.#stage = stage;
    this.#expected = new ExpectedRows(trace.form);
    const datastore = observed(stage.datastore, this.#incarnations);
    this.#engine = new IpamEngine({ datastore, clock: stage.clock });
  }

  async run(step: TraceStep, position: number): Promise<readonly Difference[]> {
    const departure = departureAt(this.#trace, position);
    const expected = departure?.result ?? this.#expectedAnswer(step);
    const actual = await this.#answer(step);
    this.#expected.apply(step.changes);
    for (const at of departure?.rows ?? []) this.#ignored.add(at);
    const found: (readonly [string, string, string])[] = [];
    const [wanted, got] = [sortedText(expected), this.#incarnations.named(sortedText(actual))];
    if (wanted !== got) found.push(['answer', wanted, got]);
    found.push(...(await this.#differentRows()));
    return found.map(([what, wantedText, gotText]) => ({
      trace: this.#trace.name,
      step: position,
      op: `${step.op} ${sortedText(step.args)}`,
      ...{ what, expected: wantedText, actual: gotText },
    }));
  }

  /** With true counts a handle may be gone that the original still has, empty. */
  #expectedAnswer({ op, args, result }: TraceStep): JsonValue | undefined {
    const handle = args['handle'];
    const isByHandle =
      (op === 'ipsByHandle' || op === 'releaseByHandle') && typeof handle === 'string';
    if (!isByHandle || !isEmptySuccess(result) || this.#expected.hasHandle(handle)) return result;
    const error = { category: 'not-found' };
    return op === 'ipsByHandle' ? { error, ips: [] } : { error };
  }

  async #answer({ op, args }: TraceStep): Promise<JsonValue | undefined> {
    const setUp = SET_UP[op];
    if (setUp) return setUp(this.#stage, args);
    if (op === 'deletePool') return this.#deletePool(args);
    const operation = OPERATIONS[op];
    if (!operation) throw new Error(`no operation is called ${op}`);
    return operation({ engine: this.#engine, incarnations: this.#incarnations }, args);
  }

  /** As Calico's client does it: no new addresses, no owners, no row. */
  async #deletePool({ name }: JsonObject): Promise<undefined> {
    const pool = textOf(name);
    await SET_UP['updatePool']?.(this.#stage, { name: pool, disabled: true });
    const { cidr } = memberOf(await readNamed(this.#stage, 'ippools', pool), 'spec');
    await OPERATIONS['releasePoolAffinities']?.(
      { engine: this.#engine, incarnations: this.#incarnations },
      { cidr },
    );
    await SET_UP['removePoolRow']?.(this.#stage, { name: pool });
  }

  async #differentRows(): Promise<(readonly [string, string, string])[]> {
    const actual = normalRows(await this.#stage.rows(), this.#incarnations);
    const expected = this.#expected.corrected();
    const places = [...new Set([...expected.keys(), ...actual.keys()])].sort();
    return places
      .filter((at) => !this.#ignored.has(at) && expected.get(at) !== actual.get(at))
      .map((at) => [at, expected.get(at) ?? 'no row', actual.get(at) ?? 'no row'] as const);
  }
}

function isEmptySuccess(result: JsonValue | undefined): boolean {
  return result === undefined || sortedText(result) === '{"ips":[]}';
}

function departureAt(trace: Trace, step: number): Departure | undefined {
  const name = trace.name.replace(/ \(v3\)$/, '');
  return DEPARTURES.find((one) => one.trace === name && one.step === step);
}

/** The datastore with the numbers of new blocks noted. */
function observed(
  datastore: WritableDatastore,
  incarnations: BlockIncarnations,
): WritableDatastore {
  const create = incarnations.observe((row, options) => datastore.create(row, options));
  return new Proxy(datastore, {
    get(target, name): unknown {
      if (name === 'create') return create;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
