import { useRef, useState } from 'react'
import type { Action } from '../../../../contract/picture/scene.ts'

export type OpenFace = { key: number; item: string; action: Action; x: number; y: number; pinned: boolean }
export type Faces = {
  all: readonly OpenFace[]
  open: (item: string, action: Action, at: { x: number; y: number }) => void
  set: (faces: readonly OpenFace[]) => void
}

/** Open faceplates. Opening one replaces those that are not pinned. */
export const useFaces = (): Faces => {
  const [all, set] = useState<readonly OpenFace[]>([])
  const count = useRef(0)
  const open: Faces['open'] = (item, action, { x, y }) =>
    set((now) => {
      const same = now.find((one) => one.item === item && JSON.stringify(one.action) === JSON.stringify(action))
      const kept = now.filter((one) => one.pinned || one === same)
      return same ? kept : [...kept, { key: ++count.current, item, action, x, y, pinned: false }]
    })
  return { all, open, set }
}
