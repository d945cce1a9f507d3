import type { Field } from './field.ts'
import type { Resource } from './resource.ts'

type Choice = Field & { kind: 'choice' }
const first = (f: Choice) => f.default ?? f.of[0]

/** The values that a choice may have after `from`, which is undefined for a new record: all, unless the field names its moves. */
export const nextOf = (f: Choice, from: unknown): Choice['of'] => {
  if (!f.moves || from === null) return f.of
  const next = from === undefined ? [first(f)] : (f.moves[String(from)] ?? [])
  return f.of.filter((value) => value === from || next.includes(value))
}
const isMove = (f: Field | undefined, from: unknown, to: unknown) =>
  f?.kind !== 'choice' || !f.moves || to === undefined || (nextOf(f, from) as readonly unknown[]).includes(to ?? null)

type Values = Readonly<Record<string, unknown>>
/** Fields whose values may not follow those that a record has; `before` is missing for a new record. */
export const wrongMoves = ({ fields }: Pick<Resource, 'fields'>, values: Values, before?: Values) =>
  Object.keys(values).filter((name) => !isMove(fields[name], before?.[name], values[name]))
