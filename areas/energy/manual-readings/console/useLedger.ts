import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { entryCalls } from '../contract.ts'
import { type Cell, keyOf } from './ledgerCells.ts'

type Notes = ReadonlyMap<string, string>
const quiet = { meta: { quiet: true } }
const of = ['energyInfoData', 'energyInfo']

/** The entries of a ledger, what was said about them, and what to take back. */
export const useLedger = (ProjectId: number, Of: string, IsReading: 0 | 1) => {
  const { data, error, refetch } = useCall(entryCalls.ledger, { query: { ProjectId, Of, IsReading }, of })
  const save = useCommand(entryCalls.save, ['energyInfoData'], quiet)
  const [warnings, warn] = useState<Notes>(new Map())
  const [faults, fail] = useState<Notes>(new Map())
  const [past, setPast] = useState<readonly (readonly Cell[])[]>([])
  const stored = new Map((data?.Cells ?? []).map((cell) => [keyOf(cell), cell.Value]))
  const without = (notes: Notes, cells: readonly Cell[]) => {
    const gone = new Set(cells.map(keyOf))
    return [...notes].filter(([key]) => !gone.has(key))
  }
  const send = (Cells: readonly Cell[], undo: (before: readonly Cell[]) => void) => {
    const before = Cells.map((cell) => ({ ...cell, Value: stored.get(keyOf(cell)) ?? null }))
    save.mutate(
      { body: { IsReading, Cells: [...Cells] } },
      {
        onSuccess: ({ Warnings }) => {
          warn((old) => new Map([...without(old, Cells), ...Warnings.map((one): [string, string] => [keyOf(one), one.Message])]))
          fail((old) => new Map(without(old, Cells)))
          undo(before)
        },
        onError: ({ details, message }) => {
          const fields = Object.entries(details.Fields ?? {})
          const named = fields.flatMap(([field, texts]): [string, string][] => {
            const cell = Cells[Number(/^Cells\.(\d+)/.exec(field)?.[1] ?? -1)]
            return cell ? [[keyOf(cell), texts[0] ?? message]] : []
          })
          fail((old) => new Map([...old, ...(named.length ? named : Cells.map((cell): [string, string] => [keyOf(cell), message]))]))
        },
      },
    )
  }
  return {
    ...{ data, error, refetch, stored, warnings, faults, isSaving: save.isPending },
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
