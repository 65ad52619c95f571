const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const LONGEST_NAME = 253;

/**
 * Whether an object of Kubernetes can have this name, which then is one of a domain in lower case.
 * Source: Kubernetes apimachinery, DNS-1123 subdomains.
 */
export function isObjectName(name: string): boolean {
  return name.length <= LONGEST_NAME && SUBDOMAIN.test(name);
}
