import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { keyOf, numberIn, pasted } from './ledgerCells.ts'
import type { Column, useLedger } from './useLedger.ts'

type Props = { ledger: ReturnType<typeof useLedger>; columns: readonly Column[]; periods: readonly string[]; readOnly: boolean }

/** Periods down, circuits or chemicals across: typed by keyboard, or pasted from a sheet. */
export const LedgerGrid = ({ ledger, columns, periods, readOnly }: Props) => {
  const t = useWords()
  const table = useRef<HTMLTableElement>(null)
  const ids = columns.map(({ Id }) => Id)
  const focus = (row: number, column: number) => {
    const input = table.current?.querySelector<HTMLInputElement>(`input[data-at="${row} ${column}"]`)
    input?.focus()
    input?.select()
    return input
  }
  const commit = (cells: readonly { Id: number; Time: string; text: string }[]) => {
    const wrong = cells.filter(({ text }) => numberIn(text) === undefined)
    if (wrong.length) return ledger.refuse(wrong.map(keyOf), t('entry.notNumber'))
    ledger.write(cells.map(({ text, ...cell }) => ({ ...cell, Value: numberIn(text)! })))
  }
  const onKeyDown = (row: number, column: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget: input } = event
    const at = input.selectionStart
    const [start, end] = [at === 0, at === input.value.length]
    if ((event.ctrlKey || event.metaKey) && key === 'z' && input.value === input.defaultValue && ledger.undo) ledger.undo()
    else if (key === 'Enter' || key === 'ArrowDown') focus(row + (event.shiftKey ? -1 : 1), column) ?? input.blur()
    else if (key === 'ArrowUp') focus(row - 1, column)
    else if (key === 'ArrowLeft' && start) focus(row, column - 1)
    else if (key === 'ArrowRight' && end) focus(row, column + 1)
    else if (key === 'Escape') input.value = input.defaultValue
    else return
    event.preventDefault()
  }
  const onPaste = (row: number, column: number) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    commit(pasted(text, { row, column }, periods, ids))
  }
  return (
    <table ref={table} className="ledger">
      <thead>
        <tr>
          <th scope="col">{t('entry.period')}</th>
          {columns.map(({ Id, Name, Code, Unit }) => (
            <th key={Id} scope="col" title={Code}>
              {Name} <span className="unit">{Unit}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {periods.map((Time, row) => (
          <tr key={Time}>
            <th scope="row">{Time.length > 10 ? Time.slice(11) : Time}</th>
            {columns.map(({ Id, Name }, column) => {
              const key = keyOf({ Id, Time })
              const value = ledger.stored.get(key)
              const [fault, warning] = [ledger.faults.get(key), ledger.warnings.get(key)]
              const text = value === undefined ? '' : String(value)
              return (
                <td key={Id} title={fault ?? warning} className={fault ? 'ledger-wrong' : warning ? 'ledger-unusual' : undefined}>
                  <input
                    key={text}
                    data-at={`${row} ${column}`}
                    inputMode="decimal"
                    readOnly={readOnly}
                    defaultValue={text}
                    aria-label={`${Name} ${Time}`}
                    aria-invalid={Boolean(fault)}
                    onKeyDown={onKeyDown(row, column)}
                    onPaste={readOnly ? undefined : onPaste(row, column)}
                    onBlur={({ target }) => target.value !== text && commit([{ Id, Time, text: target.value }])}
                  />
                  {(fault || warning) && <Shape is={fault ? 'alarm' : 'warning'} label={fault ?? warning ?? ''} />}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
