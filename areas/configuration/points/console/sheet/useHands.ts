import { useEffect, useRef, useState } from 'react'
import { numberText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import { clear, fillDown, mostPasted, paste, pasteTitled, readBlock, writeBlock } from './edits.ts'
import { blockOf, type Sheet } from './useSheet.ts'

export const rowHeight = 28
/** Rows rendered above and below the visible ones. */
const spare = 12
export type Place = { row: number; column: number }
/** From the active cell to the opposite corner. */
export type Selection = { from: Place; to: Place }
export type GridProps = {
  sheet: Sheet
  fields: readonly string[]
  selection: Selection
  select: (selection: Selection) => void
  readOnly: boolean
  warn: (text: string) => void
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-20, 0],
  PageDown: [20, 0],
}

/** Visible rows in slot order: row n has slot n modulo the number of slots. */
export const useWindow = (count: number) => {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ first: 0, rows: 40 })
  const look = () => {
    const { scrollTop, clientHeight } = box.current!
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare)
    const rows = Math.ceil(clientHeight / rowHeight) + 2 * spare
    if (first !== seen.first || rows !== seen.rows) setSeen({ first, rows })
  }
  useEffect(look, [count])
  const show = ({ row, column }: Place) => {
    const { current } = box
    if (!current) return
    const [top, bottom] = [row * rowHeight, (row + 2) * rowHeight]
    if (top < current.scrollTop) current.scrollTop = top
    else if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight
    requestAnimationFrame(() =>
      current.querySelector(`[data-row='${row}'] [data-column='${column}']`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
  }
  // Recycle row elements while scrolling: creating or moving DOM nodes costs several times as much.
  const drawn = Math.min(seen.rows, count)
  const first = Math.min(seen.first, count - drawn)
  const slots = Array.from({ length: drawn }, (_, slot) => first + ((((slot - first) % drawn) + drawn) % drawn))
  return { box, look, show, slots }
}

/** Moves the selection within the cells. */
const useMoves = ({ sheet, fields, selection, select }: GridProps, show: (place: Place) => void) => {
  const lastRow = sheet.rows.length - 1
  const go = (place: Place, isExtended = false) => {
    const to = {
      row: Math.max(0, Math.min(lastRow, place.row)),
      column: Math.max(0, Math.min(fields.length - 1, place.column)),
    }
    select(isExtended ? { from: selection.from, to } : { from: to, to })
    show(to)
  }
  /** Whether the key moves the selection. */
  const move = ({ key, shiftKey, ctrlKey, metaKey }: React.KeyboardEvent): boolean => {
    const isFar = ctrlKey || metaKey
    const { row, column } = selection.to
    const by = arrows[key]
    if (by) {
      const [down, across] = isFar ? [by[0] * sheet.rows.length, by[1] * fields.length] : by
      go({ row: row + down, column: column + across }, shiftKey)
    } else if (key === 'Home') go({ row: isFar ? 0 : row, column: 0 }, shiftKey)
    else if (key === 'End') go({ row: isFar ? lastRow : row, column: fields.length - 1 }, shiftKey)
    else return false
    return true
  }
  return { go, move }
}

/** Selects with the pointer: press, drag, or shift and press. */
const usePointer = ({ selection, select }: GridProps) => {
  const isDragging = useRef(false)
  const placeOf = (event: React.PointerEvent): Place | undefined => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]')
    const row = cell?.closest<HTMLElement>('[data-row]')
    return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : undefined
  }
  return {
    onPointerDown: (event: React.PointerEvent) => {
      const place = placeOf(event)
      if (!place || event.target instanceof HTMLInputElement) return
      isDragging.current = event.pointerType === 'mouse'
      select({ from: event.shiftKey ? selection.from : place, to: place })
    },
    onPointerMove: (event: React.PointerEvent) => {
      const place = isDragging.current && event.buttons === 1 ? placeOf(event) : undefined
      if (place && (place.row !== selection.to.row || place.column !== selection.to.column)) select({ from: selection.from, to: place })
    },
    onPointerUp: () => {
      isDragging.current = false
    },
  }
}

/** Keyboard, clipboard and pointer of the cells. `editing` is the initial text of the active cell's input. */
export const useHands = (props: GridProps, show: (place: Place) => void, focus: () => void) => {
  const { sheet, fields, selection, select, readOnly, warn } = props
  const t = useWords()
  const [editing, setEditing] = useState<string>()
  const { go, move } = useMoves(props, show)
  const pointer = usePointer(props)
  const block = blockOf(selection.from, selection.to)
  const { row, column } = selection.from
  const before = () => sheet.textAt(row, column)
  const begin = (text = before()) => {
    if (!readOnly && sheet.rows.length) setEditing(text)
  }
  const done = (text: string | undefined, to?: 'down' | 'right') => {
    setEditing(undefined)
    if (text !== undefined && text !== before()) sheet.edit([{ row, column, text }])
    focus()
    if (to) go({ row: row + Number(to === 'down'), column: column + Number(to === 'right') })
  }
  const tooMany = t('sheet.tooMany', { max: numberText(mostPasted, 0, language()) })
  const commands: Record<string, () => void> = {
    z: sheet.undo,
    y: sheet.redo,
    Z: sheet.redo,
    d: () => sheet.edit(fillDown(block, sheet.textAt)),
  }
  /** Whether the key was handled. */
  const press = (event: React.KeyboardEvent): boolean => {
    const { key } = event
    if (move(event)) return true
    if (event.ctrlKey || event.metaKey) {
      if (key === 'a') select({ from: { row: 0, column: 0 }, to: { row: sheet.rows.length - 1, column: fields.length - 1 } })
      else if (commands[key] && !readOnly) commands[key]()
      else return false
    } else if (key === 'Enter' || key === 'F2') begin()
    else if ((key === 'Delete' || key === 'Backspace') && !readOnly) sheet.edit(clear(block))
    else if (key.length === 1) begin(key)
    else return false
    return true
  }
  const handlers = {
    ...pointer,
    onDoubleClick: () => begin(),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (editing === undefined && !event.altKey && press(event)) event.preventDefault()
    },
    onCopy: (event: React.ClipboardEvent) => {
      if (editing !== undefined) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', writeBlock(block, sheet.textAt))
    },
    onPaste: (event: React.ClipboardEvent) => {
      if (editing !== undefined || readOnly) return
      event.preventDefault()
      const copied = readBlock(event.clipboardData.getData('text/plain'))
      const cells = copied.reduce((sum, line) => sum + line.length, 0)
      if (cells > mostPasted) return warn(tooMany)
      const titled = pasteTitled(copied, block.top, sheet.cells.fieldOf)
      if (titled) {
        sheet.edit(titled.edits)
        if (titled.skipped.length) warn(t('sheet.skipped', { names: titled.skipped.join(', ') }))
        return select({ from: { row: block.top, column: 0 }, to: { row: block.top + copied.length - 2, column: fields.length - 1 } })
      }
      const edits = paste(copied, block, fields.length)
      // One cell fills a selection of any size.
      if (edits.length > mostPasted) return warn(tooMany)
      sheet.edit(edits)
      const { row, column } = edits.at(-1)!
      select({ from: { row: block.top, column: block.left }, to: { row, column } })
    },
  }
  return { handlers, editing, done }
}
