// Values that calls accept, by the name of their field or by its schema.

export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  pattern?: string
  minLength?: number
  minItems?: number
  required?: string[]
}

const given: Record<string, unknown> = {
  Start: 0,
  End: 1000,
  Ip: '127.0.0.1',
  Items: [{ ParaName: 'New', Address: '1' }],
  SN: 'TWOTENANTS99',
  OldPwd: 'not his own',
  NewPwd: 'a long new one',
  Address: '7',
  Format: 'csv',
  Layout: 0,
}
export const sample = (name: string, s: Schema): unknown => {
  if (name in given) return given[name]
  const one = s.anyOf?.find((a) => a.type !== 'null') ?? s
  if (one.const !== undefined) return one.const
  if (one.enum) return one.enum[0]
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'string') return one.pattern?.startsWith('^\\d{4}') ? '2026-01-31 12:00:00' : 'x'.repeat(Math.max(1, one.minLength ?? 1))
  if (type === 'integer' || type === 'number') return Math.max(1, one.minimum ?? 1)
  if (type === 'boolean') return false
  return type === 'array' ? [] : {}
}
