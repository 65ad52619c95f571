import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { InternalError } from '../../errors/internal-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { mapLimit } from '../../support/map-limit.ts';
import { stringifyJson } from '../../support/json.ts';
import { objectMember } from '../codec/encode-fields.ts';
import { isObject } from '../codec/fields.ts';
import type { WriteOptions } from '../datastore.ts';
import type { Definition, DefinitionStore, InstalledDefinitions } from '../definitions.ts';
import type { StoredKind } from '../object-store.ts';
import { assertMayInstall } from './access-review.ts';
import { CALICO_GROUPS, type CalicoGroup, collectionPath, kindPath } from './paths.ts';
import { parseObject, readJson } from './read-json.ts';
import { sendRetrying } from './retry.ts';
import type { ApiRequest, Transport } from './transport.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const APPLY_TYPE = 'application/apply-patch+yaml';
/** Name under which the server notes who applied a definition. */
const MANAGER = 'ipamctl';
/** Requests in flight. */
const CONCURRENCY = 4;
const POLL_MS = 200;
/** Longest time until a definition is served; servers need about a second. */
const DEADLINE_MS = 60_000;

/** What definitions are installed through. */
export interface InstallerParts {
  readonly transport: Transport;
  readonly group: CalicoGroup;
  readonly signalOf: (options: WriteOptions) => AbortSignal | undefined;
}

type Signal = AbortSignal | undefined;

/**
 * Custom resource definitions of one API server.
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export class DefinitionInstaller implements DefinitionStore {
  readonly #parts: InstallerParts;

  constructor(parts: InstallerParts) {
    this.#parts = parts;
  }

  async missing(
    kinds: readonly StoredKind[],
    options: WriteOptions = {},
  ): Promise<readonly StoredKind[]> {
    const signal = this.#parts.signalOf(options);
    const answers = await mapLimit(kinds, { limit: CONCURRENCY, signal }, async (kind) => {
      const path = kindPath(kind, { calico: this.#parts.group });
      if (path === undefined) throw new InternalError(`Kubernetes does not keep ${kind}`);
      return (await this.#isServed(collectionPath(path), signal)) ? undefined : kind;
    });
    return answers.filter((kind) => kind !== undefined);
  }

  async absent(
    definitions: readonly Definition[],
    options: WriteOptions = {},
  ): Promise<readonly Definition[]> {
    const signal = this.#parts.signalOf(options);
    this.#assertGroup(definitions);
    const limits = { limit: CONCURRENCY, signal };
    const stored = await mapLimit(definitions, limits, (one) => this.#readFirst(one, signal));
    return definitions.filter((_, i) => stored[i] === undefined);
  }

  async install(
    definitions: readonly Definition[],
    options: WriteOptions = {},
  ): Promise<InstalledDefinitions> {
    const signal = this.#parts.signalOf(options);
    const limits = { limit: CONCURRENCY, signal };
    const absent = await this.absent(definitions, options);
    if (absent[0]) await assertMayInstall(this.#parts.transport, absent[0].name, signal);
    await mapLimit(absent, limits, (definition) => this.#apply(definition, signal));
    await mapLimit(definitions, limits, (definition) => this.#settle(definition, signal));
    return {
      installed: absent.map(({ name }) => name),
      present: definitions.filter((one) => !absent.includes(one)).map(({ name }) => name),
    };
  }

  /** Definitions of the other group would be of no use, and would make the choice of the group doubtful. */
  #assertGroup(definitions: readonly Definition[]): void {
    const { group: used } = this.#parts;
    const others = CALICO_GROUPS.filter((group) => group !== used);
    const wrong = definitions.find(({ group }) =>
      others.some((other) => other.startsWith(`${group}/`)),
    );
    if (wrong === undefined) return;
    throw new UsageError(
      `the definition ${wrong.name} is of another API group than ${used}, which is used here`,
      {
        hint: `give the definitions of ${used}, or set CALICO_API_GROUP for a cluster without Calico`,
      },
    );
  }

  async #apply({ name, object }: Definition, signal: Signal): Promise<void> {
    const { status: _status, ...body } = object;
    const request: ApiRequest = {
      method: 'PATCH',
      path: `${DEFINITIONS}/${encodeURIComponent(name)}?fieldManager=${MANAGER}`,
      body: { type: APPLY_TYPE, text: stringifyJson(body) },
      signal,
    };
    const { transport } = this.#parts;
    // To apply the same twice is to apply it once, so it may be sent again.
    const response = await sendRetrying(transport, request);
    parseObject(await response.body.bytes(), { response, request, transport });
  }

  /** Waits until a definition is established and its objects can be listed. */
  async #settle(definition: Definition, signal: Signal): Promise<void> {
    const { ports, access } = this.#parts.transport;
    const { name, group, version, resource } = definition;
    const path = `/apis/${group}/${version}/${resource}`;
    const deadline = ports.now() + DEADLINE_MS;
    for (;;) {
      const conditions = conditionsOf(await this.#read(name, signal));
      const refusal = conditions.get('NamesAccepted');
      if (refusal?.['status'] === 'False') throw notAccepted(name, refusal);
      const isEstablished = conditions.get('Established')?.['status'] === 'True';
      if (isEstablished && (await this.#isServed(path, signal))) return;
      if (ports.now() >= deadline) {
        throw new UnavailableError(`${access.displayServer} does not serve ${name} yet`, {
          hint: 'run the command again; what is installed stays',
        });
      }
      await ports.sleep(POLL_MS, signal);
    }
  }

  /** Reads a definition; when that is not allowed, all that installing it would need is asked for. */
  async #readFirst({ name }: Definition, signal: Signal): Promise<JsonObject | undefined> {
    try {
      return await this.#read(name, signal);
    } catch (error) {
      if (error instanceof AccessDeniedError)
        await assertMayInstall(this.#parts.transport, name, signal);
      throw error;
    }
  }

  #read(name: string, signal: Signal): Promise<JsonObject | undefined> {
    const path = `${DEFINITIONS}/${encodeURIComponent(name)}`;
    return readJson(this.#parts.transport, { path, signal });
  }

  async #isServed(path: string, signal: Signal): Promise<boolean> {
    const answer = { status: 200 };
    // Whoever reads the kind will be told that it may not; here that says nothing.
    const accepts = (status: number): boolean => (answer.status = status) === 403;
    const request = { path: `${path}?limit=1`, signal };
    const list = await readJson(this.#parts.transport, request, { accepts });
    return list !== undefined || answer.status === 403;
  }
}

function conditionsOf(definition: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const { conditions } = objectMember(definition, 'status');
  const listed = Array.isArray(conditions) ? conditions.filter(isObject) : [];
  return new Map(
    listed.map((condition) => {
      const { type } = condition;
      return [typeof type === 'string' ? type : '', condition];
    }),
  );
}

function notAccepted(name: string, { message }: JsonObject): UnavailableError {
  const said = typeof message === 'string' ? `: ${message}` : '';
  return new UnavailableError(`the server does not accept the names of ${name}${said}`);
}
