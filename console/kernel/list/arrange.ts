import type { Answer } from '../../../contract/call.ts'
import type { preferenceCalls } from '../../../contract/preferences.ts'
import type { Resource } from '../../../contract/resource.ts'

export type Preference = Answer<typeof preferenceCalls.menuTable>
export type View = Preference['Views'][number]
export type Arranged = { Field: string; Width: number | null; Fixed: 'left' | 'right' | null; Visible: 0 | 1 }

/**
 * The columns of a list in the person's order. Columns that are new since then come last.
 * By default the screen's columns show, with the first one frozen. People may add other fields, and one column always shows.
 */
export const arrange = (r: Resource, own: readonly string[], kept: Preference['Columns']): Arranged[] => {
  const fields = Object.entries(r.fields).flatMap(([name, f]) => (f.kind === 'json' || own.includes(name) ? [] : [name]))
  const standard = [...own, ...fields].map(
    (Field): Arranged => ({ Field, Width: null, Fixed: Field === own[0] ? 'left' : null, Visible: own.includes(Field) ? 1 : 0 }),
  )
  const placed = [...kept]
    .sort((a, b) => a.Sort - b.Sort)
    .flatMap((k): Arranged[] =>
      standard.some((s) => s.Field === k.Field)
        ? [{ Field: k.Field, Width: k.Width ?? null, Fixed: k.Fixed ?? null, Visible: k.Visible ? 1 : 0 }]
        : [],
    )
  const all = [...placed, ...standard.filter((s) => !placed.some((p) => p.Field === s.Field))]
  return all.some((c) => c.Visible) ? all : all.map((c, i) => (i ? c : { ...c, Visible: 1 }))
}

/** Moves frozen columns to their edge. */
export const shown = (all: readonly Arranged[]): Arranged[] => {
  const visible = all.filter((c) => c.Visible)
  const at = (edge: Arranged['Fixed']) => visible.filter((c) => c.Fixed === edge)
  return [...at('left'), ...at(null), ...at('right')]
}

export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(Math.min(next.length, Math.max(0, to)), 0, one)
  return next
}

export const toColumns = (all: readonly Arranged[]): Preference['Columns'] => all.map((c, Sort) => ({ ...c, Sort }))

/** Above this number of rows, a table is virtual. */
const drawnWhole = 100
/** Default column width in virtual tables, px. */
export const virtualWidth = 160
export const isVirtual = (rows: number) => rows > drawnWhole
