import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Fault, invoke } from '../../../../../console/session/request.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import { patchOf } from '../../../../../contract/picture/scenePatch.ts'
import { flowchartCalls, type Opened } from '../../contract.ts'
import { begin, type History, redo, sceneOf, take, undo } from './history.ts'
import type { Ids } from './layers.ts'

/** Delay before a local copy, delay before autosave, and interval of lease renewal, ms. */
const [copyMs, saveMs, leaseMs] = [200, 2000, 20_000]
const none: Ids = new Set()
const copyKey = (id: number) => `penstock.picture.${id}`

export type Saving = 'saved' | 'changed' | 'saving' | 'failed' | 'conflict' | 'held'

/** Unsaved changes of this browser that are based on the stored draft. */
const ownCopy = (id: number, stamp: number): Scene | undefined => {
  try {
    const found = JSON.parse(localStorage.getItem(copyKey(id)) ?? 'null') as { Stamp: number; Scene: Scene } | null
    return found?.Stamp === stamp ? found.Scene : undefined
  } catch {
    return undefined
  }
}

const keepCopy = (id: number, Stamp: number, scene: Scene) => localStorage.setItem(copyKey(id), JSON.stringify({ Stamp, Scene: scene }))

/** What a save sends: what has changed, or the whole scene where that is not more. */
const changeOf = (before: Scene, after: Scene) => {
  const Patch = patchOf(before, after)
  const changed = (Patch.Items?.length ?? 0) + (Patch.Removed?.length ?? 0)
  return changed > after.items.length / 2 ? { Scene: after } : { Patch }
}

/** Keeps a copy in the browser, and saves the draft once nothing has changed for a moment. */
const useSaving = (opened: Opened, scene: Scene, isMine: boolean) => {
  const id = opened.Flowchart.Id
  const stamp = useRef(opened.Stamp)
  const saved = useRef(opened.Scene as Scene)
  const latest = useRef(scene)
  latest.current = scene
  const [state, setState] = useState<{ is: Saving; fault?: Fault }>({ is: 'saved' })
  const store = useCallback(
    async (given: Scene, force: boolean) => {
      setState({ is: 'saving' })
      try {
        const body = { Id: id, ...(force ? { Scene: given } : { ...changeOf(saved.current, given), Stamp: stamp.current }) }
        const { Stamp } = await invoke(flowchartCalls.save, { body })
        stamp.current = Stamp
        saved.current = given
        // What was drawn meanwhile is saved in its turn.
        if (given !== latest.current) return setState({ is: 'changed' })
        localStorage.removeItem(copyKey(id))
        setState({ is: 'saved' })
      } catch (error) {
        const fault = error as Fault
        const key = fault.details?.Fault
        setState({ is: key === 'changedMeanwhile' ? 'conflict' : key === 'editedByOther' ? 'held' : 'failed', fault })
      }
    },
    [id],
  )
  /** One after the other: a save that began before another had its answer would not know the draft that it changes. */
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const save = useCallback(
    (given: Scene, force = false) => {
      const next = before.current.then(() => store(given, force))
      before.current = next
      return next
    },
    [store],
  )
  useEffect(() => {
    if (scene === saved.current || !isMine) return
    setState({ is: 'changed' })
    const timers = [setTimeout(() => keepCopy(id, stamp.current, scene), copyMs), setTimeout(() => void save(scene), saveMs)]
    return () => timers.forEach(clearTimeout)
  }, [scene, save, id, isMine])
  // The screen is left: what has changed since is saved now.
  useEffect(
    () => () => {
      if (latest.current === saved.current) return
      keepCopy(id, stamp.current, latest.current)
      void save(latest.current)
    },
    [id, save],
  )
  return { state, save }
}

/** Says who edits. Others look on, or take over. */
const useLease = (id: number) => {
  const [lease, setLease] = useState<{ Mine: boolean; UserName: string | null }>({ Mine: true, UserName: null })
  const ask = useCallback(
    (more: { Take?: boolean; Release?: boolean } = {}) =>
      invoke(flowchartCalls.lease, { body: { Id: id, ...more } }).then(
        ({ Mine, UserName }) => !more.Release && setLease({ Mine, UserName }),
        () => undefined,
      ),
    [id],
  )
  useEffect(() => {
    void ask()
    const timer = setInterval(() => void ask(), leaseMs)
    return () => {
      clearInterval(timer)
      void ask({ Release: true })
    }
  }, [ask])
  return { lease, takeOver: () => ask({ Take: true }) }
}

/** The state of an editor: the scene with its past and future, what is selected, and how saving goes. */
export const useEditor = (opened: Opened) => {
  const id = opened.Flowchart.Id
  const [history, setHistory] = useState<History>(() => begin(ownCopy(id, opened.Stamp) ?? (opened.Scene as Scene)))
  const [selected, setSelected] = useState<Ids>(none)
  const [chosenLayer, setLayer] = useState<string>()
  const scene = sceneOf(history)
  const { lease, takeOver } = useLease(id)
  const { state, save } = useSaving(opened, scene, lease.Mine)
  const change = useCallback(
    (did: string, make: (scene: Scene) => Scene, joins = false) => setHistory((now) => take(now, make(sceneOf(now)), did, joins)),
    [],
  )
  const here = useMemo(() => new Set(scene.items.map((item) => item.id)), [scene])
  // Undo may take away what is selected.
  const shown = useMemo(
    () => ([...selected].every((one) => here.has(one)) ? selected : new Set([...selected].filter((one) => here.has(one)))) as Ids,
    [selected, here],
  )
  // New items go here. Undo may take it away.
  const layer = scene.layers?.some((one) => one.id === chosenLayer) ? chosenLayer : undefined
  return {
    ...{ layer, setLayer },
    ...{ scene, history, change, select: setSelected, selected: shown, lease, takeOver, saving: state, save },
    undo: useCallback(() => setHistory(undo), []),
    redo: useCallback(() => setHistory(redo), []),
  }
}
export type Editor = ReturnType<typeof useEditor>
