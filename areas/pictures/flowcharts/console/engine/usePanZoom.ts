import { type RefObject, useEffect, useRef } from 'react'

export type Frame = { x: number; y: number; w: number; h: number }
const [closest, farthest] = [16, 0.5]

/** Zooms around a screen position. The frame is the visible part of the picture. */
export const zoomed = (frame: Frame, whole: Frame, factor: number, at: { x: number; y: number }): Frame => {
  const w = Math.min(whole.w / farthest, Math.max(whole.w / closest, frame.w / factor))
  const h = (w * frame.h) / frame.w
  return { x: frame.x + (frame.w - w) * at.x, y: frame.y + (frame.h - h) * at.y, w, h }
}

type Box = { x: number; y: number; w: number; h: number }
export type Hand = { fit: () => void; zoom: (factor: number) => void; lead: (to: Box) => void }
/** The frame around a box, at most three times enlarged. */
export const framed = ({ x, y, w, h }: Box, whole: Frame): Frame => {
  const wide = Math.min(whole.w, Math.max(whole.w / 3, w * 1.5, (h * 1.5 * whole.w) / whole.h))
  const high = (wide * whole.h) / whole.w
  const within = (at: number, size: number, most: number) => Math.min(Math.max(0, at), Math.max(0, most - size))
  return { x: within(x + w / 2 - wide / 2, wide, whole.w), y: within(y + h / 2 - high / 2, high, whole.h), w: wide, h: high }
}
/**
 * Ctrl with the wheel and pinch zoom, dragging with a finger or the mouse pans, a double click fits. The frame is the viewBox of the
 * svg in the container.
 */
export const usePanZoom = (
  container: RefObject<HTMLElement | null>,
  width: number,
  height: number,
  svg: SVGElement | undefined,
): RefObject<Hand> => {
  const hand = useRef<Hand>({ fit: () => undefined, zoom: () => undefined, lead: () => undefined })
  const seen = useRef<{ whole: Frame; frame: Frame }>(undefined)
  useEffect(() => {
    const box = container.current
    if (!box || !svg) return
    const whole: Frame = { x: 0, y: 0, w: width, h: height }
    let frame = whole
    const show = (next: Frame) => {
      frame = next
      seen.current = { whole, frame }
      svg.setAttribute('viewBox', `${frame.x} ${frame.y} ${frame.w} ${frame.h}`)
      box.classList.toggle('picture-zoomed', frame.w < whole.w)
    }
    // A redrawn picture keeps its frame.
    if (seen.current?.whole.w === width && seen.current.whole.h === height) show(seen.current.frame)
    const middle = { x: 0.5, y: 0.5 }
    hand.current = {
      fit: () => show(whole),
      zoom: (factor) => show(zoomed(frame, whole, factor, middle)),
      lead: (to) => show(framed(to, whole)),
    }
    const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const { left, top, width: w, height: h } = box.getBoundingClientRect()
      return { x: (clientX - left) / w, y: (clientY - top) / h }
    }
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      show(zoomed(frame, whole, event.deltaY < 0 ? 1.2 : 1 / 1.2, placeOf(event)))
    }
    const down = new Map<number, PointerEvent>()
    const onDown = (event: PointerEvent) => down.set(event.pointerId, event)
    const onMove = (event: PointerEvent) => {
      const before = down.get(event.pointerId)
      if (!before) return
      const { width: w } = box.getBoundingClientRect()
      const scale = frame.w / w
      if (down.size === 1 && frame.w < whole.w)
        show({ ...frame, x: frame.x - (event.clientX - before.clientX) * scale, y: frame.y - (event.clientY - before.clientY) * scale })
      if (down.size === 2) {
        const other = [...down.values()].find(({ pointerId }) => pointerId !== event.pointerId)!
        const apart = (a: PointerEvent) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1
        show(zoomed(frame, whole, apart(event) / apart(before), placeOf(other)))
      }
      down.set(event.pointerId, event)
    }
    const onUp = (event: PointerEvent) => down.delete(event.pointerId)
    const onDouble = () => show(whole)
    const listeners = {
      wheel: onWheel,
      pointerdown: onDown,
      pointermove: onMove,
      pointerup: onUp,
      pointercancel: onUp,
      pointerleave: onUp,
      dblclick: onDouble,
    }
    for (const [name, listener] of Object.entries(listeners)) box.addEventListener(name, listener as EventListener, { passive: false })
    return () => {
      for (const [name, listener] of Object.entries(listeners)) box.removeEventListener(name, listener as EventListener)
    }
  }, [container, width, height, svg])
  return hand
}
