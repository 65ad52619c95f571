import type { PlanItem } from '../../ipam/plan.ts';
import type { Look } from '../look.ts';
import type { ReportUse } from '../documents/plan-document.ts';
import type { HandleUnit } from './handle-units.ts';
import type { AddressUnit } from './release-plan.ts';

/** What a selector has chosen, in the look by which it is written. */
export interface ReleaseSelection {
  readonly look: Look;
  readonly units: readonly AddressUnit[];
  readonly handles: readonly HandleUnit[];
  /** Items of all addresses and handles, those that stay among them. */
  readonly items: readonly PlanItem[];
  readonly reports?: readonly ReportUse[] | undefined;
  readonly notes?: readonly string[] | undefined;
}
