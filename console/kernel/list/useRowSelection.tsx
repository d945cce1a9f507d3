import { type Dispatch, type SetStateAction, useRef } from 'react'
import { useWords } from '../../words/words.ts'

/** Checkboxes that select rows. Shift selects the range from the row clicked before. Plain inputs, because a list has thousands. */
export const useRowSelection = <T extends { Id: number }>(
  rows: readonly T[],
  selected: readonly T[],
  setSelected: Dispatch<SetStateAction<T[]>>,
  titleOf: (row: T) => string,
) => {
  const t = useWords()
  const lastClicked = useRef<number>(undefined)
  const ids = new Set(selected.map((row) => row.Id))
  const select = (row: T, on: boolean, range: boolean) => {
    const at = rows.findIndex(({ Id }) => Id === row.Id)
    const from = range ? rows.findIndex(({ Id }) => Id === lastClicked.current) : -1
    const changed = from < 0 ? [row] : rows.slice(Math.min(from, at), Math.max(from, at) + 1)
    lastClicked.current = row.Id
    setSelected((previous) => {
      const changedIds = new Set(changed.map(({ Id }) => Id))
      const others = previous.filter(({ Id }) => !changedIds.has(Id))
      return on ? [...others, ...changed] : others
    })
  }
  const box = (row: T) => (
    <input
      type="checkbox"
      className="tick"
      aria-label={t('list.select', { title: titleOf(row) })}
      checked={ids.has(row.Id)}
      onChange={({ target, nativeEvent }) => select(row, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
  return { ids, box }
}
