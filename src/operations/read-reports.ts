import { type ReadReport, readReport } from '../check/read-report.ts';

/**
 * Reads the reports that the user names, in their order.
 * @throws {@link DataError} when one is absent, damaged or of a newer form.
 */
export async function readReports(
  paths: readonly string[] | undefined,
  read: (path: string) => Promise<string>,
): Promise<readonly ReadReport[]> {
  const reports: ReadReport[] = [];
  for (const path of paths ?? []) reports.push(readReport(await read(path), path));
  return reports;
}
