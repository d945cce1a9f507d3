import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { bounded, type Camera, moved, type Size, type Spot, under, zoomed } from './mercator.ts'

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-80, 0],
  ArrowRight: [80, 0],
  ArrowUp: [0, -80],
  ArrowDown: [0, 80],
}
const zooms: Record<string, number> = { '+': 1, '=': 1, '-': -1 }
const slack = 4
type Change = (camera: Camera, size: Size) => Camera

const isGround = (box: HTMLElement, { target }: Event) => target === box || !!(target as HTMLElement).closest('.map-base')

type Hands = { change: (of: Change) => void; clicked: (at: Spot) => void; isPart: boolean }
const listen = (box: HTMLElement, { change, clicked, isPart }: Hands) => {
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = box.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const down = new Map<number, PointerEvent>()
  let travelled = 0
  const listeners: Record<string, (event: never) => void> = {
    wheel: (event: WheelEvent) => {
      if (isPart && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const lines = event.deltaMode === 1 ? 30 : 1
      const by = Math.max(-1, Math.min(1, (-event.deltaY * lines) / 200))
      change((camera, size) => zoomed(camera, size, by, placeOf(event)))
    },
    pointerdown: (event: PointerEvent) => {
      if (event.button === 0) down.set(event.pointerId, event)
      travelled = 0
    },
    pointermove: (event: PointerEvent) => {
      const before = down.get(event.pointerId)
      if (!before) return
      const [right, lower] = [event.clientX - before.clientX, event.clientY - before.clientY]
      travelled += Math.hypot(right, lower)
      // A click with a slight movement stays a click. A drag continues when the pointer leaves the map.
      if (travelled > slack && !box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId)
      const other = [...down.values()].find(({ pointerId }) => pointerId !== event.pointerId)
      if (other) {
        const apart = (a: PointerEvent) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1
        change((camera, size) => zoomed(camera, size, Math.log2(apart(event) / apart(before)), placeOf(other)))
      } else change((camera, size) => moved(camera, size, -right, -lower))
      down.set(event.pointerId, event)
    },
    pointerup: ({ pointerId }: PointerEvent) => down.delete(pointerId),
    pointercancel: ({ pointerId }: PointerEvent) => down.delete(pointerId),
    click: (event: MouseEvent) => {
      if (travelled <= slack && isGround(box, event)) clicked(placeOf(event))
    },
    dblclick: (event: MouseEvent) => {
      if (isGround(box, event)) change((camera, size) => zoomed(camera, size, 1, placeOf(event)))
    },
    keydown: (event: KeyboardEvent) => {
      const [arrow, zoom] = [arrows[event.key], zooms[event.key]]
      if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey || !(arrow || zoom)) return
      event.preventDefault()
      change((camera, size) => (arrow ? moved(camera, size, ...arrow) : zoomed(camera, size, zoom!)))
    },
  }
  for (const [name, listener] of Object.entries(listeners)) box.addEventListener(name, listener as EventListener, { passive: false })
  return () => {
    for (const [name, listener] of Object.entries(listeners)) box.removeEventListener(name, listener as EventListener)
  }
}

/** The view of a map, controlled by drag, pinch, wheel and keys. At most one change per frame. */
export const useCamera = (ref: RefObject<HTMLElement | null>, pick?: (spot: Spot) => void, isPart = false) => {
  const [view, setView] = useState<{ camera: Camera; size: Size }>()
  const latest = useRef({ camera: { x: 0.5, y: 0.42, zoom: 0 }, size: { width: 0, height: 0 } })
  const frame = useRef(0)
  const picks = useRef(pick)
  picks.current = pick
  const change = useCallback((of: Change) => {
    const { camera, size } = latest.current
    latest.current = { camera: of(camera, size), size }
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      setView(latest.current)
    })
  }, [])
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const watch = new ResizeObserver(() => {
      const size = { width: box.clientWidth, height: box.clientHeight }
      // A hidden tab has no size; it keeps its view.
      if (!size.width || !size.height) return
      latest.current = { camera: bounded(latest.current.camera, size), size }
      setView(latest.current)
    })
    watch.observe(box)
    const clicked = (at: Spot) => picks.current?.(under(latest.current.camera, latest.current.size, at))
    const stop = listen(box, { change, clicked, isPart })
    return () => {
      watch.disconnect()
      stop()
      cancelAnimationFrame(frame.current)
      frame.current = 0
    }
  }, [ref, change, isPart])
  return { view, change }
}
