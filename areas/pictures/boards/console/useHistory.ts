import { useReducer } from 'react'

type History<T> = { past: readonly T[]; now: T; future: readonly T[] }
type Step<T> = { set: T } | { undo: true } | { redo: true }
const most = 200

/** A step replaces the value; an equal value is not a step. */
const reduce = <T>(h: History<T>, step: Step<T>): History<T> => {
  if ('set' in step) {
    if (JSON.stringify(step.set) === JSON.stringify(h.now)) return h
    return { past: [...h.past, h.now].slice(-most), now: step.set, future: [] }
  }
  const from = 'undo' in step ? h.past.at(-1) : h.future[0]
  if (from === undefined) return h
  return 'undo' in step
    ? { past: h.past.slice(0, -1), now: from, future: [h.now, ...h.future] }
    : { past: [...h.past, h.now], now: from, future: h.future.slice(1) }
}

/** A value with its undo and redo. */
export const useHistory = <T>(start: T) => {
  const [h, step] = useReducer(reduce<T>, { past: [], now: start, future: [] })
  return {
    now: h.now,
    set: (set: T) => step({ set }),
    undo: h.past.length ? () => step({ undo: true }) : undefined,
    redo: h.future.length ? () => step({ redo: true }) : undefined,
  }
}
