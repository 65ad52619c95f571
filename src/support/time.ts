const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const GO_TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))? ([+-])(\d\d)(\d\d)(?: |$)/;

/** The form that Kubernetes writes; to read it so is several times as fast as the checks below. */
const SERVER_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** Where the day stands in it. */
const DAY = [8, 10] as const;
/** Every month has as many days. */
const SURE_DAYS = '28';

/** Milliseconds since 1970 of an RFC 3339 time; undefined for any other text. */
export function parseTime(text: string): number | undefined {
  if (SERVER_TIME.test(text)) {
    const time = Date.parse(text);
    const day = text.slice(...DAY);
    // A day that its month does not have is one of the next month by now.
    return day <= SURE_DAYS || new Date(time).getUTCDate() === Number(day) ? time : undefined;
  }
  const match = RFC3339.exec(text);
  return match ? millisecondsOf(match) : undefined;
}

/** Milliseconds since 1970 of a time as Go prints it (`2026-01-02 03:04:05.6 +0000 UTC`), the form of the `timestamp` attribute. */
export function parseGoTime(text: string): number | undefined {
  const match = GO_TIME.exec(text);
  return match ? millisecondsOf(match) : parseTime(text);
}

/** RFC 3339 in UTC; whole seconds unless there are milliseconds. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** A time in UTC as Go prints it, the form of the `timestamp` attribute; zeros at the end of the fraction are left out. */
export function formatGoTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().replace(/\.?0*Z$/, '');
  return `${text.replace('T', ' ')} +0000 UTC`;
}

function millisecondsOf(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour, zoneMinute] =
    match;
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, '0').slice(0, 3)),
  );
  if (!isCalendarTime([month, day, hour, minute, second].map(Number), utc)) return undefined;
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000;
  return sign === '-' ? utc + zone : utc - zone;
}

/** Refuses texts such as the 31st of February, which `Date.UTC` would roll over; a leap second is let through. */
function isCalendarTime(
  [month, day, hour, minute, second]: readonly number[],
  utc: number,
): boolean {
  if (second === 60) return true;
  const date = new Date(utc);
  return (
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  );
}
