import { useMemo, useState } from 'react'
import type { Shown } from '../../../../../console/kernel/api.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import { filledBy } from '../../../../../contract/fills.ts'
import { standardRef } from '../../../../../contract/point-fields.ts'
import { type Resource, writable } from '../../../../../contract/resource.ts'
import { addressFaultOf } from '../columns.ts'
import type { Block, Edit } from './edits.ts'
import { type CellFault, type Cells, cellsOf, faultsOf, type Standard, type Values } from './values.ts'

export type Row = Shown<Resource>
/** Changed values by row. New rows have negative Ids. */
type Drafts = ReadonlyMap<number, Values>
type State = { drafts: Drafts; added: readonly number[] }
const untouched: State = { drafts: new Map(), added: [] }
/** Defaults of a new row, and its required fields. */
const defaultsOf = (r: Resource): Values => Object.fromEntries(writable(r, 'create').map(([name, f]) => [name, f.default ?? null]))
const neededOf = (r: Resource) =>
  writable(r, 'create').flatMap(([name, f]) => (f.required && f.default === undefined && name !== r.owner ? [name] : []))
/** Occurrences of each value of the unique fields. */
const countsOf = (r: Resource, rows: readonly Row[]) => {
  const counts = new Map<string, Map<string, number>>()
  for (const name of Object.keys(r.fields).filter((name) => r.fields[name]!.unique)) {
    const values = new Map<string, number>()
    for (const row of rows) values.set(String(row[name]), (values.get(String(row[name])) ?? 0) + 1)
    counts.set(name, values)
  }
  return counts
}
/** Maximum undo steps. */
const mostSteps = 200

type Given = {
  of: Resource
  stored: readonly Row[]
  fields: readonly string[]
  standards: readonly Standard[]
  mayAdd: boolean
  ownOnly: boolean
  /** The protocol for address checks. */
  protocol: number | undefined
}

type Context = Pick<Given, 'fields' | 'standards' | 'mayAdd'> & { rows: readonly Row[]; cells: Cells }
/** The state after a step of edits. Edits below the last row add rows. */
const edited = ({ drafts, added }: State, edits: readonly Edit[], { rows, fields, cells, standards, mayAdd }: Context): State => {
  const next = new Map(drafts)
  const more = new Set(added)
  const lowest = Math.min(0, ...added)
  for (const { row, column, text, name = fields[column] } of edits) {
    if (!name || (row >= rows.length && !mayAdd)) continue
    const Id = rows[row]?.Id ?? lowest - 1 - (row - rows.length)
    if (Id < 0) more.add(Id)
    const before = rows[row]
    const draft = next.get(Id) ?? (before ? { UpdateStamp: before.UpdateStamp } : {})
    const value = cells.read(name, text)
    if (before && value === (before[name] ?? null)) continue
    const chosen = name === 'StandardParaId' && standards.find((one) => one.Id === value)
    const filled = chosen ? filledBy(standardRef, chosen, { ...before, ...draft }, language()) : {}
    next.set(Id, { ...draft, ...filled, [name]: value })
  }
  return { drafts: next, added: [...more] }
}

/** Edited cells before saving: with undo, and checked against the rules. */
export const useSheet = ({ of, stored, fields, standards, mayAdd, ownOnly, protocol }: Given) => {
  const t = useWords()
  const cells = useMemo(() => cellsOf(of, t, standards), [of, t, standards])
  const [history, setHistory] = useState<{ past: readonly State[]; now: State; future: readonly State[] }>({
    past: [],
    now: untouched,
    future: [],
  })
  const [refused, setRefused] = useState<ReadonlyMap<number, Record<string, string>>>(new Map())
  const { drafts, added } = history.now

  const rows = useMemo<Row[]>(() => {
    const shown = ownOnly ? stored.filter((row) => Array.isArray(row.Overrides) && row.Overrides.length > 0) : stored
    const merged = shown.map((row) => (drafts.has(row.Id) ? { ...row, ...drafts.get(row.Id), UpdateStamp: row.UpdateStamp } : row))
    return [...merged, ...added.map((Id) => ({ ...defaultsOf(of), ...drafts.get(Id), Id }) as unknown as Row)]
  }, [of, stored, drafts, added, ownOnly])

  const faults = useMemo(() => {
    const counts = drafts.size ? countsOf(of, rows) : undefined
    const isTaken = (name: string, value: string) => (counts?.get(name)?.get(value) ?? 0) > 1
    const needed = neededOf(of)
    const found = new Map<number, Map<string, CellFault>>()
    for (const row of rows) {
      const draft = drafts.get(row.Id)
      if (!draft) continue
      const changed = Object.keys(draft).filter((name) => name in of.fields)
      const wrong = faultsOf(of, row, row.Id < 0 ? [...new Set([...changed, ...needed])] : changed, isTaken)
      const misread = 'Address' in draft && !wrong.has('Address') && addressFaultOf(protocol, 'Address', row.Address)
      if (misread) wrong.set('Address', misread)
      if (wrong.size) found.set(row.Id, wrong)
    }
    return found
  }, [of, rows, drafts, protocol])

  const take = (next: State) => {
    setRefused(new Map())
    setHistory(({ past, now }) => ({ past: [...past.slice(-mostSteps), now], now: next, future: [] }))
  }
  const textAt = (row: number, column: number) => cells.text(fields[column]!, rows[row]?.[fields[column]!])

  const edit = (edits: readonly Edit[]) => take(edited(history.now, edits, { rows, fields, cells, standards, mayAdd }))
  const step = (to: 'past' | 'future') =>
    setHistory((h) => {
      const other = to === 'past' ? 'future' : 'past'
      const next = h[to].at(-1)
      return next ? ({ ...h, [to]: h[to].slice(0, -1), now: next, [other]: [...h[other], h.now] } as typeof h) : h
    })
  return {
    of,
    rows,
    drafts,
    cells,
    textAt,
    edit,
    refused,
    faultAt: (Id: number, name: string): string | undefined => {
      const fault = faults.get(Id)?.get(name)
      return refused.get(Id)?.[name] ?? (fault && t(fault.key, fault.values))
    },
    /** The error of a text during input. */
    typedFault: (name: string, text: string): string | undefined => {
      const fault = addressFaultOf(protocol, name, text)
      return fault && t(fault.key, fault.values)
    },
    /** The errors of a row; the same object until they change. */
    faultsOf: (Id: number) => refused.get(Id) ?? faults.get(Id),
    faultCount: [...faults.values()].reduce((sum, row) => sum + row.size, 0),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => step('past'),
    redo: () => step('future'),
    addRow: () => take({ drafts: new Map(drafts).set(Math.min(0, ...added) - 1, {}), added: [...added, Math.min(0, ...added) - 1] }),
    /** The changes to save, in row order. */
    changes: () =>
      rows.flatMap((row) => {
        const draft = drafts.get(row.Id)
        if (!draft) return []
        return [row.Id < 0 ? draft : { Id: row.Id, ...draft }]
      }),
    refuse: setRefused,
    /** Overwrites changes that another person has made. */
    forgetStamps: () =>
      setHistory((h) => ({
        ...h,
        now: { ...h.now, drafts: new Map([...h.now.drafts].map(([Id, { UpdateStamp: _, ...values }]) => [Id, values])) },
      })),
    reset: () => setHistory({ past: [], now: untouched, future: [] }),
  }
}
export type Sheet = ReturnType<typeof useSheet>

export const blockOf = (a: { row: number; column: number }, b: { row: number; column: number }): Block => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
})
