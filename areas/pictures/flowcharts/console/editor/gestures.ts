// Pointer gestures on the canvas. Plain functions: pointer events in, editor changes out.
import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { routesFor } from '../../brush.ts'
import { type Bend, pulled } from './bends.ts'
import { type Bounds, boundsOf, boundsOfAll, connect, copy, move, outermost, portAt, resize, set } from './changes.ts'
import { type Ids, isFree } from './layers.ts'
import { type Guide, snap } from './snap.ts'
import type { Editor } from './useEditor.ts'

export type Place = readonly [x: number, y: number]
export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'
/** Overlay on the picture during a gesture. */
export type Hint = { guides?: readonly Guide[]; marquee?: Bounds; line?: readonly [Place, Place]; moved?: Scene }

type Needs = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  placeOf: (event: PointerEvent) => Place
  unit: number
  hint: (hint: Hint | undefined) => void
}
type Gesture = { move: (at: Place, event: PointerEvent) => void; up: (at: Place) => void }

const between = ([ax, ay]: Place, [bx, by]: Place): Bounds => ({
  x: Math.min(ax, bx),
  y: Math.min(ay, by),
  w: Math.abs(ax - bx),
  h: Math.abs(ay - by),
})
const meets = (a: Bounds, b: Bounds) => a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h

const marquee = ({ editor, symbols, hint }: Needs, from: Place, kept: Ids): Gesture => ({
  move: (at) => hint({ marquee: between(from, at) }),
  up: (at) => {
    hint(undefined)
    const box = between(from, at)
    const hit = [...boundsOfAll(editor.scene, symbols)].flatMap(([id, own]) => (meets(box, own) ? [id] : []))
    editor.select(box.w < 3 && box.h < 3 ? kept : new Set([...kept, ...hit]))
  },
})

/** Moves the selection; with Alt, a copy of it. */
const drag = ({ editor, symbols, unit, hint }: Needs, from: Place, ids: Ids, copies: boolean): Gesture => {
  const { scene } = editor
  const start = copies ? copy(scene, scene, ids, 0, 0) : { scene, made: ids }
  const box = boundsOf(start.scene, start.made, symbols)
  const others = [...boundsOfAll(scene, symbols)].flatMap(([id, own]) => (start.made.has(id) ? [] : [own]))
  let next = start.scene
  return {
    move: ([x, y], event) => {
      if (!box) return
      const moved = { ...box, x: box.x + x - from[0], y: box.y + y - from[1] }
      const snapped = event.ctrlKey ? { dx: 0, dy: 0, guides: [] } : snap(moved, others, 5 * unit)
      next = move(start.scene, start.made, moved.x + snapped.dx - box.x, moved.y + snapped.dy - box.y)
      hint({ guides: snapped.guides, moved: next })
    },
    up: () => {
      hint(undefined)
      editor.change(copies ? 'copy' : 'move', () => next)
      if (copies) editor.select(start.made)
    },
  }
}

/** Drags a handle of the selection box. */
const pull = ({ editor, symbols, hint }: Needs, from: Place, handle: Handle): Gesture | undefined => {
  const { scene, selected } = editor
  const box = boundsOf(scene, selected, symbols)
  if (!box) return undefined
  let next = scene
  return {
    move: ([x, y], event) => {
      const [dx, dy] = [Math.round((x - from[0]) / 4) * 4, Math.round((y - from[1]) / 4) * 4]
      let [left, top, right, bottom] = [box.x, box.y, box.x + box.w, box.y + box.h]
      if (handle.includes('w')) left = Math.min(left + dx, right - 4)
      if (handle.includes('e')) right = Math.max(right + dx, left + 4)
      if (handle.includes('n')) top = Math.min(top + dy, bottom - 4)
      if (handle.includes('s')) bottom = Math.max(bottom + dy, top + 4)
      const to = { x: left, y: top, w: right - left, h: bottom - top }
      // With Shift, it keeps its aspect ratio.
      if (event.shiftKey && box.w && box.h) to.h = (to.w * box.h) / box.w
      next = resize(scene, selected, box, to)
      hint({ moved: next })
    },
    up: () => {
      hint(undefined)
      editor.change('resize', () => next)
    },
  }
}

/** Drags a corner or a segment of a pipe. */
const bend = ({ editor, symbols, hint }: Needs, id: string, taken: Bend): Gesture => {
  const { scene } = editor
  const { way } = routesFor(scene, symbols).of({ id })
  let next = scene
  return {
    move: ([x, y]) => {
      next = set(scene, new Set([id]), { bends: pulled(way, taken, [Math.round(x / 4) * 4, Math.round(y / 4) * 4]) })
      hint({ moved: next })
    },
    up: () => {
      hint(undefined)
      editor.change('bend', () => next)
    },
  }
}

/** Draws a pipe from a port to another port, or to a place. */
const lay = ({ editor, symbols, unit, hint }: Needs, port: { item: string; port: string; at: Place }): Gesture => ({
  move: (at) => hint({ line: [port.at, portAt(editor.scene, symbols, at, 14 * unit)?.at ?? at] }),
  up: (at) => {
    hint(undefined)
    const end = portAt(editor.scene, symbols, at, 14 * unit)
    if (end?.item === port.item || (!end && Math.hypot(at[0] - port.at[0], at[1] - port.at[1]) < 20)) return
    const { scene, id } = connect(
      editor.scene,
      { item: port.item, port: port.port },
      end ? { item: end.item, port: end.port } : { x: at[0], y: at[1] },
      editor.layer,
    )
    editor.change('connect', () => scene)
    editor.select(new Set([id]))
  },
})

/** The gesture that starts with a pointer press. */
export const begin = (needs: Needs, event: PointerEvent): Gesture | undefined => {
  const { editor, symbols, placeOf, unit } = needs
  const at = placeOf(event)
  const target = event.target as Element
  const handle = target.getAttribute('data-handle') as Handle | null
  if (handle) return pull(needs, at, handle)
  const taken = target.getAttribute('data-bend')
  if (taken) return bend(needs, [...editor.selected][0]!, JSON.parse(taken) as Bend)
  if (target.hasAttribute('data-port')) {
    const port = portAt(editor.scene, symbols, at, 14 * unit)
    if (port) return lay(needs, port)
  }
  const under = target.closest('[data-item]')?.getAttribute('data-item')
  const hit = under && isFree(editor.scene, under) ? under : undefined
  const adds = event.shiftKey
  if (!hit) return marquee(needs, at, adds ? editor.selected : new Set())
  const top = event.detail > 1 ? hit : outermost(editor.scene, hit)
  if (adds) {
    const next = new Set(editor.selected)
    if (!next.delete(top)) next.add(top)
    editor.select(next)
    return undefined
  }
  const ids: Ids = editor.selected.has(top) ? editor.selected : new Set([top])
  if (ids !== editor.selected) editor.select(ids)
  return drag(needs, at, ids, event.altKey)
}
