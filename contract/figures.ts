// Figures: how many rows of a list the caller sees, by the values of a field or by day.
import { Type } from 'typebox'
import type { Call } from './call.ts'
import { joined, type Resource } from './resource.ts'

export type Figure = {
  of: Resource
  path: string
  /** Counts by the codes of a choice, or by the records that a ref points to. */
  by?: string
  /** Counts by the day of a moment: the newest, today in the zone of the call, is the last. */
  at?: string
  /** What the answer calls the value; the field by default. */
  key?: string
  /** What the answer calls the title of a ref. */
  title?: string
  /** Further counts, each of the rows with these values. */
  sums?: Readonly<Record<string, Readonly<Record<string, readonly (number | string)[]>>>>
}
type Name<R extends Resource> = keyof R['fields'] & string

export const counts = <R extends Resource>(of: R, f: Omit<Figure, 'of' | 'at'> & { by: Name<R> }): Figure => {
  const [title = ''] = joined(of).find(([, field]) => field === f.by) ?? []
  return { of, key: f.by, title, ...f }
}
export const byDay = <R extends Resource>(of: R, f: { path: string; at: Name<R> }): Figure => ({ of, ...f })

const Count = Type.Integer()
const Days = Type.Array(Type.Object({ Date: Type.String(), Count }))
export const figureCall = ({ of, path, at, key = '', title, sums = {} }: Figure): Call => {
  const ofRef = title ? { [title]: Type.Union([Type.String(), Type.Null()]) } : {}
  const item = Type.Object({ [key]: Type.Union([Count, Type.String(), Type.Null()]), ...ofRef, Count })
  const more = Object.fromEntries(Object.keys(sums).map((name) => [name, Count]))
  const ofDays = { query: Type.Object({ Days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })) }), answer: Days }
  const ofValues = { answer: Type.Object({ TotalCount: Count, Items: Type.Array(item), ...more }) }
  return { method: 'GET', path, permission: of.readBy ?? of.permission, ...(at ? ofDays : ofValues) }
}
