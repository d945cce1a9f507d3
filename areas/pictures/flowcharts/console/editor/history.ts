// Undo and redo. Scenes share unchanged parts, so 500 of them stay small.
import type { Scene } from '../../../../../contract/picture/scene.ts'

export const mostSteps = 500
/** A step: the resulting scene and its action. Words at `edit.<did>`. */
export type Step = { scene: Scene; did: string }
export type History = { steps: readonly Step[]; at: number }

export const begin = (scene: Scene): History => ({ steps: [{ scene, did: 'open' }], at: 0 })
export const sceneOf = ({ steps, at }: History) => steps[at]!.scene

/** Pushes an undo step and clears the redo stack. A step with the `key` of the previous one is merged into it, such as during key repeat. */
export const take = (history: History, scene: Scene, did: string, joins = false): History => {
  if (scene === sceneOf(history)) return history
  const kept = history.steps.slice(0, history.at + 1)
  const isSame = joins && kept.length > 1 && kept.at(-1)!.did === did
  const steps = [...(isSame ? kept.slice(0, -1) : kept), { scene, did }].slice(-mostSteps)
  return { steps, at: steps.length - 1 }
}
export const undo = (history: History): History => ({ ...history, at: Math.max(0, history.at - 1) })
export const redo = (history: History): History => ({ ...history, at: Math.min(history.steps.length - 1, history.at + 1) })
