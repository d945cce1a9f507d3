import { type Dispatch, type SetStateAction, useRef } from 'react'
import { useWords } from '../../words/words.ts'

/** The boxes that select rows, plain ones, since there are so many. With Shift, all between this one and the last one. */
export const useTicks = <T extends { Id: number }>(
  rows: readonly T[],
  selected: readonly T[],
  setSelected: Dispatch<SetStateAction<T[]>>,
  titleOf: (row: T) => string,
) => {
  const t = useWords()
  const last = useRef<number>(undefined)
  const ids = new Set(selected.map((row) => row.Id))
  const tick = (row: T, on: boolean, through: boolean) => {
    const at = rows.findIndex(({ Id }) => Id === row.Id)
    const from = through ? rows.findIndex(({ Id }) => Id === last.current) : -1
    const meant = from < 0 ? [row] : rows.slice(Math.min(from, at), Math.max(from, at) + 1)
    last.current = row.Id
    setSelected((held) => {
      const those = new Set(meant.map(({ Id }) => Id))
      const others = held.filter(({ Id }) => !those.has(Id))
      return on ? [...others, ...meant] : others
    })
  }
  const box = (row: T) => (
    <input
      type="checkbox"
      className="tick"
      aria-label={t('list.select', { title: titleOf(row) })}
      checked={ids.has(row.Id)}
      onChange={({ target, nativeEvent }) => tick(row, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
  return { ids, box }
}
