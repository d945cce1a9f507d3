import { useCallback, useEffect, useMemo, useState } from 'react'
import { invoke } from '../../../../../console/session/request.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import { flowchartCalls, type Opened } from '../../contract.ts'
import { begin, type History, take as push, redo, sceneOf, undo } from './history.ts'
import type { Ids } from './layers.ts'
import { copyOf, draftOf, useSaving } from './useSaving.ts'

/** Intervals at which an editor renews the lease and a reader checks for changes, ms. */
const [leaseMs, lookMs] = [15_000, 3000]
const none: Ids = new Set()

type Lease = { Mine: boolean; UserName: string | null; Stamp: number }
/** The lease of the editor. Others can read, or take it over. */
const useLease = (id: number) => {
  const [lease, setLease] = useState<Lease>({ Mine: true, UserName: null, Stamp: 0 })
  const ask = useCallback(
    (more: { Take?: boolean; Release?: boolean } = {}) =>
      invoke(flowchartCalls.lease, { body: { Id: id, ...more } }).then(
        (answer) => !more.Release && setLease(answer),
        () => undefined,
      ),
    [id],
  )
  useEffect(() => {
    void ask()
    return () => {
      void ask({ Release: true })
    }
  }, [ask])
  useEffect(() => {
    const timer = setInterval(() => void ask(), lease.Mine ? leaseMs : lookMs)
    return () => clearInterval(timer)
  }, [ask, lease.Mine])
  return { lease, ask }
}

/** The state of an editor: the scene with undo and redo, the selection, and the state of saving. */
export const useEditor = (opened: Opened) => {
  const id = opened.Flowchart.Id
  const [history, setHistory] = useState<History>(() => begin(copyOf(id)?.Scene ?? (opened.Scene as Scene)))
  const [selected, setSelected] = useState<Ids>(none)
  const [chosenLayer, setLayer] = useState<string>()
  const scene = sceneOf(history)
  const { lease, ask } = useLease(id)
  const { state, save, isBehind, adopt } = useSaving(opened, scene, lease.Mine)
  const take = useCallback(
    (next: Scene, stamp: number) => {
      adopt(next, stamp)
      setHistory(begin(next))
    },
    [adopt],
  )
  // A reader, or a person who takes over, gets the other person's saved changes.
  useEffect(() => {
    if (isBehind(lease.Stamp))
      void draftOf(id).then(
        ({ Scene, Stamp }) => isBehind(Stamp) && take(Scene as Scene, Stamp),
        () => undefined,
      )
  }, [lease, id, isBehind, take])
  const isHeld = state.is === 'held'
  useEffect(() => {
    if (isHeld) void ask()
  }, [isHeld, ask])
  const change = useCallback(
    (did: string, make: (scene: Scene) => Scene, joins = false) => setHistory((now) => push(now, make(sceneOf(now)), did, joins)),
    [],
  )
  const here = useMemo(() => new Set(scene.items.map((item) => item.id)), [scene])
  // Undo may remove selected items.
  const shown = useMemo(
    () => ([...selected].every((one) => here.has(one)) ? selected : new Set([...selected].filter((one) => here.has(one)))) as Ids,
    [selected, here],
  )
  // Layer of new items. Undo may remove it.
  const layer = scene.layers?.some((one) => one.id === chosenLayer) ? chosenLayer : undefined
  return {
    ...{ layer, setLayer },
    ...{ scene, history, change, select: setSelected, selected: shown, lease, saving: state, save },
    takeOver: () => ask({ Take: true }),
    takeTheirs: () => draftOf(id).then(({ Scene, Stamp }) => take(Scene as Scene, Stamp)),
    /** Whether the scene has changes that are not in the stored draft. */
    isUnsaved: state.is !== 'saved',
    undo: useCallback(() => setHistory(undo), []),
    redo: useCallback(() => setHistory(redo), []),
  }
}
export type Editor = ReturnType<typeof useEditor>
