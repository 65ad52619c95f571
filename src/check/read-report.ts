import { DataError } from '../errors/data-error.ts';
import { type Address, parseAddress } from '../net/address.ts';
import { type Cidr, parseCidr } from '../net/cidr.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../support/json.ts';
import { parseTime } from '../support/time.ts';
import type { FindingSubject } from './finding.ts';

/** Newest form of our reports that this version reads; calicoctl's have no form number. */
const REPORT_SCHEMA = 1;

/** An address that a report offers for release. */
export interface ReportedAddress {
  readonly address: Address;
  /** Absent in calicoctl's reports. */
  readonly block: Cidr | undefined;
  /** Raw id; undefined for an allocation without handle. */
  readonly handle: string | undefined;
  readonly sequenceNumber: bigint;
}

/** A handle row that a report offers for deletion. */
export interface ReportedHandle {
  readonly id: string;
  /** Undefined where the datastore has no uids. */
  readonly uid: string | undefined;
  readonly revision: string;
}

/** A finding of one of our reports, as far as it says what it is about. */
export interface ReportedFinding {
  readonly code: string;
  readonly subject: FindingSubject;
}

/** What a report says, ours or calicoctl's. */
export interface ReadReport {
  /** What the file is called in texts. */
  readonly name: string;
  readonly clusterGUID: string;
  /** Milliseconds since 1970; undefined in calicoctl's reports. */
  readonly checkedAt: number | undefined;
  readonly addresses: readonly ReportedAddress[];
  readonly handles: readonly ReportedHandle[];
  /** Undefined in calicoctl's reports. */
  readonly findings: readonly ReportedFinding[] | undefined;
}

/**
 * Reads a report of `ipam check -o`, or of calicoctl in any version.
 * @throws {@link DataError} when it is no report, or one of a newer form.
 */
export function readReport(text: string, name: string): ReadReport {
  const report = parseReport(text, name);
  const { allocations, leakedHandles, findings, checkedAt } = report;
  return {
    name,
    clusterGUID: textOf(report['clusterGUID']) ?? '',
    checkedAt: parseTime(textOf(checkedAt) ?? ''),
    addresses: entriesOf(allocations, name).flatMap((entry) => addressOf(entry, name)),
    handles: listOf(leakedHandles).map((handle) => handleOf(handle, name)),
    findings: findings === undefined ? undefined : listOf(findings).flatMap(findingOf),
  };
}

function parseReport(text: string, name: string): JsonObject {
  const report = parsed(text, name);
  if (
    !isObject(report) ||
    !isObject(report['allocations']) ||
    typeof report['clusterGUID'] !== 'string'
  ) {
    throw new DataError(`${name} is no report of ipam check`, {
      hint: 'write one with `ipamctl ipam check --output FILE`',
    });
  }
  const schema = report['schemaVersion'];
  if (schema !== undefined && (typeof schema !== 'number' || schema > REPORT_SCHEMA)) {
    throw new DataError(
      `${name} was written by a newer version of ipamctl (schema ${stringifyJson(schema)})`,
      {
        hint: 'use that version, or write a new report',
      },
    );
  }
  return report;
}

function parsed(text: string, name: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError(`${name} is no JSON: ${reason}`, { cause: error });
  }
}

/** Allocations that nothing uses; what is cooling was released already. */
function entriesOf(allocations: JsonValue | undefined, name: string): readonly JsonObject[] {
  if (!isObject(allocations)) return [];
  return Object.values(allocations).flatMap((entries) => {
    if (!Array.isArray(entries)) throw damaged(name, 'allocations');
    return entries.filter(
      (entry) => isObject(entry) && entry['inUse'] === false && entry['coolingDown'] !== true,
    );
  }) as readonly JsonObject[];
}

function addressOf(entry: JsonObject, name: string): ReportedAddress {
  const address = parseAddress(textOf(entry['ip']) ?? '');
  if (address === undefined) throw damaged(name, 'the address of an allocation');
  const block = textOf(entry['block']);
  return {
    address,
    block: block === undefined ? undefined : parseCidr(block),
    handle: textOf(entry['handle']) || undefined,
    sequenceNumber: numberOf(entry['sequenceNumber'], name),
  };
}

function handleOf(handle: JsonValue, name: string): ReportedHandle {
  const id = isObject(handle) ? textOf(handle['ID']) : undefined;
  if (!isObject(handle) || id === undefined) throw damaged(name, 'leakedHandles');
  return { id, uid: textOf(handle['UID']), revision: textOf(handle['Revision']) ?? '' };
}

function findingOf(finding: JsonValue): readonly ReportedFinding[] {
  if (!isObject(finding) || !isObject(finding['subject'])) return [];
  const code = textOf(finding['code']);
  return code === undefined
    ? []
    : [{ code, subject: finding['subject'] as unknown as FindingSubject }];
}

function numberOf(value: JsonValue | undefined, name: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw damaged(name, 'a sequence number');
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(name: string, what: string): DataError {
  return new DataError(`${name} is damaged: ${what} cannot be read`);
}
