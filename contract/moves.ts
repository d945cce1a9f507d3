import type { Field } from './field.ts'

type Choice = Field & { kind: 'choice' }
const first = (f: Choice) => f.default ?? f.of[0]

/** The values that a choice may have after `from`, which is undefined for a new record: all, unless the field names its moves. */
export const nextOf = (f: Choice, from: unknown): Choice['of'] => {
  if (!f.moves || from === null) return f.of
  const next = from === undefined ? [first(f)] : (f.moves[String(from)] ?? [])
  return f.of.filter((value) => value === from || next.includes(value))
}
export const isMove = (f: Field | undefined, from: unknown, to: unknown) =>
  f?.kind !== 'choice' || !f.moves || to === undefined || (nextOf(f, from) as readonly unknown[]).includes(to ?? null)
