/**
 * One text for one value: JSON with the keys of every object in code unit order, without white space; arrays keep their order, fields
 * that are undefined are left out (RFC 8785 for the values the contract knows). Server and gateway hash it to agree on a configuration.
 */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`
}
