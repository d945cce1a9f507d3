import { useState } from 'react'
import type { Fault } from '../../../../console/session/request.ts'
import { type Cell, keyOf } from './ledgerCells.ts'

export type Column = { Id: number; Name: string; Code: string; Unit: string }
type Warning = { Id: number; Time: string; Message: string }
/** What a ledger shows, and how its cells are saved. */
export type Book = {
  columns: readonly Column[] | undefined
  /** Whether there are more columns than these. */
  more: boolean
  cells: readonly (Omit<Cell, 'Value'> & { Value: number })[]
  error: Fault | null
  refetch: () => unknown
  isSaving: boolean
  save: (cells: Cell[], then: { onSuccess: (warnings: readonly Warning[]) => void; onError: (fault: Fault) => void }) => void
}

type Notes = ReadonlyMap<string, string>

/** The entries of a ledger, what was said about them, and what to take back. */
export const useLedger = ({ cells: shown, save, ...book }: Book) => {
  const [warnings, warn] = useState<Notes>(new Map())
  const [faults, fail] = useState<Notes>(new Map())
  const [past, setPast] = useState<readonly (readonly Cell[])[]>([])
  const stored = new Map(shown.map((cell) => [keyOf(cell), cell.Value]))
  const without = (notes: Notes, cells: readonly Cell[]) => {
    const gone = new Set(cells.map(keyOf))
    return [...notes].filter(([key]) => !gone.has(key))
  }
  const send = (cells: readonly Cell[], undo: (before: readonly Cell[]) => void) => {
    const before = cells.map((cell) => ({ ...cell, Value: stored.get(keyOf(cell)) ?? null }))
    save([...cells], {
      onSuccess: (all) => {
        warn((old) => new Map([...without(old, cells), ...all.map((one): [string, string] => [keyOf(one), one.Message])]))
        fail((old) => new Map(without(old, cells)))
        undo(before)
      },
      onError: ({ details, message }) => {
        const fields = Object.entries(details.Fields ?? {})
        const named = fields.flatMap(([field, texts]): [string, string][] => {
          const cell = cells[Number(/^Cells\.(\d+)/.exec(field)?.[1] ?? -1)]
          return cell ? [[keyOf(cell), texts[0] ?? message]] : []
        })
        fail((old) => new Map([...old, ...(named.length ? named : cells.map((cell): [string, string] => [keyOf(cell), message]))]))
      },
    })
  }
  return {
    ...{ ...book, stored, warnings, faults },
    write: (cells: readonly Cell[]) => {
      const changed = cells.filter((cell) => (stored.get(keyOf(cell)) ?? null) !== cell.Value)
      if (changed.length) send(changed, (before) => setPast((old) => [...old.slice(-49), before]))
    },
    refuse: (keys: readonly string[], text: string) =>
      fail((old) => new Map([...old, ...keys.map((key): [string, string] => [key, text])])),
    undo: past.length
      ? () => {
          send(past.at(-1)!, () => undefined)
          setPast((old) => old.slice(0, -1))
        }
      : undefined,
  }
}
