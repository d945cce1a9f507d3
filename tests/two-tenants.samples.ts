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
  UserNO: 'somebody',
  TimeZoneKey: 'UTC',
  TimeZone: 'UTC',
  SNs: ['TWOTENANTS98'],
  Code: 'SEEDED22',
  Url: 'https://incidents.example/hook',
  Phone: '600000000',
  AreaCode: '110000',
  Drawing: { width: 9, height: 9, parts: [{ role: 'body', d: 'M0 0H9V9Z' }], ports: [] },
  File: {
    ...{ Format: 'penstock-picture', Version: 1, FlowchartName: 'x', PlatformType: 1, Devices: {}, Left: 0 },
    Scene: { v: 1, width: 100, height: 100, items: [] },
  },
  // The seeded picture opens no faceplate.
  Face: undefined,
}
const plain = (name: string, s: Schema): Schema => (name in given ? {} : (s.anyOf?.find((a) => a.type !== 'null') ?? s))
const isUnknownPattern = ({ pattern }: Schema) => pattern !== undefined && !pattern.startsWith('^\\d{4}') && !new RegExp(pattern).test('x')
/** Optional values that a pattern or another number may refuse: with them, a call would end before it looks at its ids. */
export const isRisky = (name: string, s: Schema, required: readonly string[] = []) => {
  const one = plain(name, s)
  return (
    !(name in given) &&
    !required.includes(name) &&
    (isUnknownPattern(one) || (one.type === 'number' && !one.enum && one.const === undefined))
  )
}

/** A moment, a day or a month, whichever a pattern takes. */
const momentLike = (pattern: string) => ['2026-01-31 12:00:00', '2026-01-31', '2026-01'].find((text) => new RegExp(pattern).test(text))
export const sample = (name: string, s: Schema): unknown => {
  if (name in given) return given[name]
  const one = plain(name, s)
  if (one.const !== undefined) return one.const
  if (one.enum) return one.enum[0]
  if (one.anyOf) return sample(name, one.anyOf[0]!)
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'string') return one.pattern?.startsWith('^\\d{4}') ? momentLike(one.pattern) : 'x'.repeat(Math.max(1, one.minLength ?? 1))
  if (type === 'integer' || type === 'number') return Math.max(1, one.minimum ?? 1)
  if (type === 'boolean') return false
  if (type === 'array') return one.minItems ? [sample('', one.items!)] : []
  return Object.fromEntries((one.required ?? []).map((key) => [key, sample(key, one.properties![key]!)]))
}
