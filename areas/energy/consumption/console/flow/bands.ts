// Turns rows of circuits into the bands of a flow: amounts, losses, and amounts that the reader may not see. Pure.
import type { FlowRow } from '../../contract.ts'

export type Band = {
  key: string
  /** `rest`: not accounted for below; `others`: circuits without access; `small`: several small ones together. */
  kind: 'circuit' | 'rest' | 'others' | 'small'
  value: number
  row?: FlowRow
  /** How many a band of small ones holds. */
  count?: number
  parts: Band[]
}

/** Circuits below one that have bands of their own; the smaller ones share one. */
const mostParts = 9
const levels = 2

type Tree = { byId: ReadonlyMap<number, FlowRow>; below: ReadonlyMap<number, FlowRow[]>; tops: FlowRow[] }

export const treeOf = (rows: readonly FlowRow[]): Tree => {
  const byId = new Map(rows.map((row) => [row.EnergyInfoId, row]))
  const isTop = ({ ParentId, EnergyInfoId }: FlowRow) => ParentId === null || ParentId === EnergyInfoId || !byId.has(ParentId)
  return {
    byId,
    below: Map.groupBy(
      rows.filter((row) => !isTop(row)),
      ({ ParentId }) => ParentId!,
    ),
    tops: rows.filter(isTop),
  }
}

/** The way from the top to a circuit. */
export const wayTo = ({ byId }: Tree, id: number | undefined): FlowRow[] => {
  const way: FlowRow[] = []
  for (
    let row = id === undefined ? undefined : byId.get(id);
    row && !way.includes(row);
    row = row.ParentId === null ? undefined : byId.get(row.ParentId)
  )
    way.unshift(row)
  return way
}

const sum = (bands: readonly Band[]) => bands.reduce((total, { value }) => total + value, 0)

/** What a circuit goes to. Only amounts above zero have a width. */
const partsOf = (tree: Tree, row: FlowRow, depth: number): Band[] => {
  const below = tree.below.get(row.EnergyInfoId) ?? []
  if (!below.length || depth <= 0) return []
  const shown = below
    .filter(({ Energy }) => (Energy ?? 0) > 0)
    .sort((a, b) => b.Energy! - a.Energy!)
    .map((of) => bandOf(tree, of, depth - 1))
  const [large, small] = shown.length > mostParts + 1 ? [shown.slice(0, mostParts), shown.slice(mostParts)] : [shown, []]
  const others = Math.max(0, row.Others ?? 0)
  const rest = Math.max(0, (row.Rest ?? 0) - others)
  const key = row.EnergyInfoId
  return [
    ...large,
    ...(small.length ? [{ key: `small ${key}`, kind: 'small' as const, value: sum(small), count: small.length, parts: [] }] : []),
    ...(others > 0 ? [{ key: `others ${key}`, kind: 'others' as const, value: others, parts: [] }] : []),
    ...(rest > 0 ? [{ key: `rest ${key}`, kind: 'rest' as const, value: rest, row, parts: [] }] : []),
  ]
}
const bandOf = (tree: Tree, row: FlowRow, depth: number): Band => ({
  ...{ key: String(row.EnergyInfoId), kind: 'circuit', value: row.Energy ?? 0, row, parts: partsOf(tree, row, depth) },
})

/** The flow from the given circuit on, or from all at the top, two levels down. */
export const bandsOf = (tree: Tree, from: number | undefined): Band[] => {
  const row = from === undefined ? undefined : tree.byId.get(from)
  return (row ? [row] : tree.tops).filter(({ Energy }) => (Energy ?? 0) > 0).map((top) => bandOf(tree, top, levels))
}

/** Circuits that a flow leaves out: without an amount, or with none above zero. */
export const withoutAmount = (tree: Tree, from: number | undefined): FlowRow[] => {
  const row = from === undefined ? undefined : tree.byId.get(from)
  const all = row ? [row, ...(tree.below.get(row.EnergyInfoId) ?? [])] : tree.tops
  return all.filter(({ Energy }) => !((Energy ?? 0) > 0))
}

/** Circuits in the flow whose parts come to more than they do: a meter or a multiplier is wrong. */
export const exceeded = (bands: readonly Band[]): FlowRow[] =>
  bands.flatMap(({ kind, row, parts }) => [
    ...(kind === 'circuit' && row && parts.length && (row.Rest ?? 0) < -0.005 * Math.abs(row.Energy ?? 0) ? [row] : []),
    ...exceeded(parts),
  ])
