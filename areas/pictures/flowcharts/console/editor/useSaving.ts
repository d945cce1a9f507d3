import { useCallback, useEffect, useRef, useState } from 'react'
import { type Fault, invoke } from '../../../../../console/session/request.ts'
import { isEqual } from '../../../../../contract/picture/look.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import { patchOf } from '../../../../../contract/picture/scenePatch.ts'
import { flowchartCalls, type Opened } from '../../contract.ts'

/** Delays before a local copy, before autosave, and before a retry without an answer, ms. */
const [copyMs, saveMs, retryMs] = [200, 2000, 5000]
const copyKey = (id: number) => `penstock.picture.${id}`

export type Saving = 'saved' | 'changed' | 'saving' | 'failed' | 'conflict' | 'held'
/** `theirs`: the saved scene in a conflict. `isKept`: the conflict comes from an older local copy. */
type State = { is: Saving; fault?: Fault; theirs?: Scene; isKept?: boolean }

/** Unsaved changes in this browser, and the stamp of the draft they are based on. */
type Copy = { Stamp: number; Scene: Scene }
export const copyOf = (id: number): Copy | undefined => {
  try {
    return (JSON.parse(localStorage.getItem(copyKey(id)) ?? 'null') as Copy | null) ?? undefined
  } catch {
    return undefined
  }
}
const keepCopy = (id: number, copy: Copy) => {
  try {
    localStorage.setItem(copyKey(id), JSON.stringify(copy))
  } catch {
    // A drawing may exceed the browser's storage limit.
  }
}
export const dropCopy = (id: number) => localStorage.removeItem(copyKey(id))
export const draftOf = (Id: number) => invoke(flowchartCalls.open, { body: { Id, Draft: true } })
const isSameScene = (stored: unknown, own: Scene) => isEqual(stored, JSON.parse(JSON.stringify(own)))

/** The body of a save: a patch, or the whole scene if that is not larger. */
const changeOf = (before: Scene, after: Scene) => {
  const Patch = patchOf(before, after)
  const changed = (Patch.Items?.length ?? 0) + (Patch.Removed?.length ?? 0)
  return changed > after.items.length / 2 ? { Scene: after } : { Patch }
}

/** Stores a local copy, and saves the draft after a pause in editing. `isMine`: whether this editor has the lease. */
export const useSaving = (opened: Opened, scene: Scene, isMine: boolean) => {
  const id = opened.Flowchart.Id
  const [first] = useState(() => copyOf(id))
  const stamp = useRef(first?.Stamp ?? opened.Stamp)
  const saved = useRef(opened.Scene as Scene)
  const latest = useRef(scene)
  latest.current = scene
  /** The local copy is based on an older draft than the one just opened. */
  const isOld = first !== undefined && first.Stamp !== opened.Stamp
  const [state, setState] = useState<State>({ is: 'saved' })
  const isStuck = state.is === 'conflict'
  const settle = useCallback(
    (next: Scene, Stamp: number) => {
      stamp.current = Stamp
      saved.current = next
      // A second save sends changes made during the first.
      if (next !== latest.current) return setState({ is: 'changed' })
      dropCopy(id)
      setState({ is: 'saved' })
    },
    [id],
  )
  const store = useCallback(
    async (given: Scene, force: boolean) => {
      setState({ is: 'saving' })
      try {
        const body = { Id: id, ...(force ? { Scene: given } : { ...changeOf(saved.current, given), Stamp: stamp.current }) }
        const { Stamp } = await invoke(flowchartCalls.save, { body })
        settle(given, Stamp)
      } catch (error) {
        const fault = error as Fault
        const key = fault.details?.Fault
        if (key === 'editedByOther') return setState({ is: 'held', fault })
        if (key !== 'changedMeanwhile') return setState({ is: 'failed', fault })
        const theirs = await draftOf(id).catch(() => undefined)
        if (!theirs) return setState({ is: 'failed', fault })
        // The conflict is this editor's own save, whose answer was lost.
        if (isSameScene(theirs.Scene, given)) return settle(given, theirs.Stamp)
        setState({ is: 'conflict', theirs: theirs.Scene as Scene, isKept: isOld && stamp.current === first.Stamp })
      }
    },
    [id, settle, first, isOld],
  )
  /** Saves run one after the other: a save must know the draft that the previous one returned. */
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
    if (scene === saved.current) return
    const timers = [setTimeout(() => keepCopy(id, { Stamp: stamp.current, Scene: scene }), copyMs)]
    if (isMine && !isStuck) {
      setState({ is: 'changed' })
      timers.push(setTimeout(() => void save(scene), saveMs))
    }
    return () => timers.forEach(clearTimeout)
  }, [scene, save, id, isMine, isStuck])
  const { fault } = state
  useEffect(() => {
    if (state.is !== 'failed' || !fault || (fault.status && fault.status < 500)) return
    const timer = setTimeout(() => void save(latest.current), retryMs)
    return () => clearTimeout(timer)
  }, [state, fault, save])
  // Saves pending changes when the screen closes.
  useEffect(
    () => () => {
      if (latest.current === saved.current) return
      keepCopy(id, { Stamp: stamp.current, Scene: latest.current })
      void save(latest.current)
    },
    [id, save],
  )
  /** Whether the stored draft is newer and this editor has no unsaved changes. */
  const isBehind = useCallback((Stamp: number) => Stamp > stamp.current && latest.current === saved.current, [])
  /** Replaces the scene by the stored draft. */
  const adopt = useCallback(
    (next: Scene, Stamp: number) => {
      latest.current = next
      settle(next, Stamp)
    },
    [settle],
  )
  return { state, save, isBehind, adopt }
}
