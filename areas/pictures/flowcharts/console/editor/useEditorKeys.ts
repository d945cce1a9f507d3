import { useEffect, useRef } from 'react'
import { liftScene, type Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { copy, group, move, order, remove, ungroup } from './changes.ts'
import { type Ids, isFree } from './layers.ts'
import type { Editor } from './useEditor.ts'

const clip = 'penstock.picture.clipboard'
const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** Copies items for other pictures and windows of this browser. */
export const toClipboard = (scene: Scene, ids: Ids) =>
  localStorage.setItem(clip, JSON.stringify({ scene: { ...scene, layers: [] }, ids: [...ids] }))
const fromClipboard = (): { scene: Scene; ids: Ids } | undefined => {
  try {
    const found = JSON.parse(localStorage.getItem(clip) ?? 'null') as { scene: Scene; ids: string[] } | null
    return found ? { scene: liftScene(found.scene), ids: new Set(found.ids) } : undefined
  } catch {
    return undefined
  }
}

type Keys = Record<string, () => void>
/** Handles a key; returns whether it was one of the editor's. */
const press = (editor: Editor, symbols: ReadonlyMap<string, PictureSymbol>, event: KeyboardEvent, more: Keys): boolean => {
  const { scene, selected, change, select } = editor
  const key = event.key.toLowerCase()
  const withCtrl = event.ctrlKey || event.metaKey
  const arrow = arrows[event.key]
  if (arrow && selected.size) {
    const by = event.shiftKey ? 16 : 1
    change('nudge', (now) => move(now, selected, arrow[0] * by, arrow[1] * by), true)
    return true
  }
  const paste = (source: Scene, ids: Ids) => {
    const { scene: next, made } = copy(scene, source, ids, 16, 16)
    change('copy', () => next)
    select(made)
  }
  const plain: Keys = {
    ...more,
    delete: () => change('remove', (now) => remove(now, selected)),
    backspace: () => change('remove', (now) => remove(now, selected)),
    escape: () => select(new Set()),
    ']': () => change('order', (now) => order(now, selected, event.altKey ? 'forward' : 'front')),
    '[': () => change('order', (now) => order(now, selected, event.altKey ? 'backward' : 'back')),
  }
  const controlled: Keys = {
    z: event.shiftKey ? editor.redo : editor.undo,
    y: editor.redo,
    a: () => select(new Set(scene.items.filter(({ id, in: group }) => group === undefined && isFree(scene, id)).map(({ id }) => id))),
    c: () => toClipboard(scene, selected),
    x: () => {
      toClipboard(scene, selected)
      change('remove', (now) => remove(now, selected))
    },
    v: () => {
      const found = fromClipboard()
      if (found) paste(found.scene, found.ids)
    },
    d: () => paste(scene, selected),
    g: () => {
      if (event.shiftKey) return change('ungroup', (now) => ungroup(now, selected))
      const made = group(scene, selected, symbols)
      if (!made) return
      change('group', () => made.scene)
      select(new Set([made.id]))
    },
  }
  const act = (withCtrl ? controlled : plain)[key]
  act?.()
  return Boolean(act)
}

/** The editor's keys, active while no field has the focus. */
export const useEditorKeys = (editor: Editor, symbols: ReadonlyMap<string, PictureSymbol>, enabled: boolean, more: Keys = {}) => {
  const latest = useRef({ editor, symbols, more })
  latest.current = { editor, symbols, more }
  useEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as Element
      if (target.closest('input, textarea, [contenteditable], .ant-select, .ant-modal, .ant-dropdown')) return
      if (press(latest.current.editor, latest.current.symbols, event, latest.current.more)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [enabled])
}
