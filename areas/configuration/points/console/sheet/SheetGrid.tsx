import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { type GridProps, rowHeight, useHands, useWindow } from './useHands.ts'
import { blockOf, type Row, type Sheet } from './useSheet.ts'

/** Additional columns on the right, such as the live value. */
type Beside = readonly { key: string; title: string; cell: (row: Row) => ReactNode }[]

type LineProps = {
  at: number
  row: Row
  sheet: Sheet
  fields: readonly string[]
  /** The selected columns, and the focused one. */
  left: number
  right: number
  active: number
  editor: ReactNode
  beside: Beside
}
/** Delay before a row subscribes to its live value, ms: rows that scroll past never subscribe. */
const settleMs = 150

/** One row. It renders again only if its values or its selection change. */
const Line = memo(
  ({ at, row, sheet, fields, left, right, active, editor, beside }: LineProps) => {
    const t = useWords()
    const draft = sheet.drafts.get(row.Id)
    const [settled, settle] = useState(0)
    useEffect(() => {
      const timer = setTimeout(() => settle(row.Id), settleMs)
      return () => clearTimeout(timer)
    }, [row.Id])
    const live = beside.map(({ key, cell }) => (
      <td key={key} className="sheet-cell sheet-beside">
        {row.Id > 0 && settled === row.Id && cell(row)}
      </td>
    ))
    return (
      <tr aria-rowindex={at + 2} className="sheet-row" style={{ top: at * rowHeight }} data-row={at}>
        <th scope="row" className="sheet-number">
          {at + 1}
        </th>
        {fields.map((name, column) => {
          const fault = draft && sheet.faultAt(row.Id, name)
          const isOwn = Array.isArray(row.Overrides) && row.Overrides.includes(name)
          const isActive = column === active
          const shown = (
            <td
              key={name}
              // An id on every cell would force a style recalculation for each row while scrolling.
              id={isActive ? activeCell : undefined}
              data-column={column}
              {...{ 'aria-selected': column >= left && column <= right }}
              {...(fault ? { 'aria-invalid': true, title: fault } : {})}
              className={`sheet-cell ${isActive ? 'sheet-active' : ''} ${draft && name in draft ? 'sheet-changed' : ''} ${isOwn ? 'sheet-own' : ''}`}
            >
              {isActive && editor ? editor : sheet.cells.text(name, row[name])}
              {isOwn && <span className="sr-only"> {t('point.override')}</span>}
            </td>
          )
          return column ? shown : [shown, ...live]
        })}
      </tr>
    )
  },
  (a, b) =>
    a.at === b.at &&
    a.row === b.row &&
    a.left === b.left &&
    a.right === b.right &&
    a.active === b.active &&
    a.editor === b.editor &&
    a.fields === b.fields &&
    a.beside === b.beside &&
    a.sheet.drafts.get(a.row.Id) === b.sheet.drafts.get(b.row.Id) &&
    a.sheet.faultsOf(a.row.Id) === b.sheet.faultsOf(b.row.Id),
)

/** Element id of the active cell. */
const activeCell = 'active-cell'

const focus = (input: HTMLInputElement | null) => input?.focus()

type EditorProps = {
  value: string
  options: readonly string[]
  label: string
  /** The error of the text so far. */
  judge: (text: string) => string | undefined
  done: (text: string | undefined, move?: 'down' | 'right') => void
}
/** The input in the active cell. Blur accepts the text, Escape discards it. */
const Editor = ({ value, options, label, judge, done }: EditorProps) => {
  const text = useRef(value)
  const isDone = useRef(false)
  const [fault, setFault] = useState(judge(value))
  const end = (taken: string | undefined, move?: 'down' | 'right') => {
    if (isDone.current) return
    isDone.current = true
    done(taken, move)
  }
  return (
    <>
      <input
        ref={focus}
        aria-label={label}
        defaultValue={value}
        className={fault ? 'sheet-input sheet-fault' : 'sheet-input'}
        {...(fault ? { 'aria-invalid': true, title: fault } : {})}
        list={options.length ? 'sheet-options' : undefined}
        onChange={(event) => {
          text.current = event.target.value
          setFault(judge(event.target.value))
        }}
        onBlur={() => end(text.current)}
        onKeyDown={(event) => {
          event.stopPropagation()
          const move = { Enter: 'down', Tab: 'right' }[event.key] as 'down' | 'right' | undefined
          if (move) {
            event.preventDefault()
            end(text.current, move)
          } else if (event.key === 'Escape') end(undefined)
        }}
      />
      {options.length > 0 && (
        <datalist id="sheet-options">
          {options.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  )
}

const Head = memo(({ of, fields, beside }: { of: string; fields: readonly string[]; beside: Beside }) => {
  const t = useWords()
  const live = beside.map(({ key, title }) => (
    <th key={key} scope="col" className="sheet-cell">
      {title}
    </th>
  ))
  return (
    <thead>
      <tr aria-rowindex={1} className="sheet-row sheet-head">
        <th scope="col" className="sheet-number">
          <span className="sr-only">{t('sheet.row')}</span>
        </th>
        {fields.flatMap((name, column) => [
          <th key={name} scope="col" className="sheet-cell">
            {t(`${of}.${name}`)}
          </th>,
          ...(column ? [] : live),
        ])}
      </tr>
    </thead>
  )
})

/** Attributes of a grid with selectable, editable cells. The table has the focus and names its active cell. */
const gridOf = (rows: number, active: string | undefined) => ({
  ...{ role: 'grid', tabIndex: 0, 'aria-multiselectable': true },
  ...{ 'aria-rowcount': rows + 1, 'aria-activedescendant': active },
})

/** Cells with keyboard, clipboard and selection, as in a spreadsheet. Draws only the rows in view. */
export const SheetGrid = ({ beside, ...props }: GridProps & { beside: Beside }) => {
  const { sheet, fields, selection } = props
  const t = useWords()
  const { box, look, show, slots } = useWindow(sheet.rows.length)
  const table = useRef<HTMLTableElement>(null)
  const { handlers, editing, done } = useHands(props, show, () => table.current?.focus())
  // Keys and the clipboard work immediately.
  useEffect(() => table.current?.focus({ preventScroll: true }), [])
  const block = blockOf(selection.from, selection.to)
  const active = selection.from
  const editor = (row: Row) => (
    <Editor
      value={editing ?? ''}
      options={sheet.cells.options(fields[active.column]!).map(([, text]) => text)}
      label={`${t(`${sheet.of.name}.${fields[active.column]}`)}: ${row.ParaName ?? ''}`}
      judge={(text) => sheet.typedFault(fields[active.column]!, text)}
      done={done}
    />
  )
  const style = {
    '--columns': `44px 200px ${'130px 110px '.repeat(beside.length / 2)} repeat(${fields.length - 1}, 132px)`,
  } as React.CSSProperties
  return (
    <div ref={box} className="sheet" style={style} onScroll={look}>
      <table
        ref={table}
        {...gridOf(sheet.rows.length, sheet.rows.length ? activeCell : undefined)}
        aria-label={t(`many.${sheet.of.name}`, { count: sheet.rows.length })}
        {...handlers}
      >
        <Head of={sheet.of.name} fields={fields} beside={beside} />
        <tbody style={{ height: sheet.rows.length * rowHeight }}>
          {slots.map((at) => {
            const row = sheet.rows[at]!
            const isIn = at >= block.top && at <= block.bottom
            const isHere = at === active.row
            return (
              <Line
                key={at % slots.length}
                {...{ at, row, sheet, fields, beside }}
                left={isIn ? block.left : -1}
                right={isIn ? block.right : -2}
                active={isHere ? active.column : -1}
                editor={isHere && editing !== undefined && editor(row)}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
